/** Formats the reports of `copane doctor` as text and JSON. Pure. */
import { oneLine } from '../../lib/sanitize.ts';
import { visibleJson } from '../../lib/visible-json.ts';
import { padEnd, widthOf } from '../../lib/width.ts';
import type { CheckReport, CheckStatus } from './check.ts';

const MARKS: Readonly<Record<CheckStatus, string>> = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' };

/** One line per report with its hint below, and a count at the end. */
export function formatReports(reports: readonly CheckReport[]): string {
  const nameWidth = Math.max(0, ...reports.map(({ name }) => widthOf(name)));
  const indent = ' '.repeat(MARKS.ok.length + 1 + nameWidth + 2);
  const lines = reports.flatMap(({ name, status, message, hint }) => {
    const head = `${MARKS[status]} ${padEnd(name, nameWidth)}  ${oneLine(message)}`;
    return hint === null ? [head] : [head, `${indent}→ ${oneLine(hint)}`];
  });
  return `${[...lines, '', summary(reports)].join('\n')}\n`;
}

/** The reports as JSON. */
export function reportsToJson(reports: readonly CheckReport[]): string {
  return `${visibleJson({ ok: !hasFailure(reports), checks: reports }, undefined, 2)}\n`;
}

/** Whether any check failed; warnings do not count. */
export function hasFailure(reports: readonly CheckReport[]): boolean {
  return reports.some(({ status }) => status === 'fail');
}

function summary(reports: readonly CheckReport[]): string {
  const count = (status: CheckStatus) => reports.filter((one) => one.status === status).length;
  const failed = count('fail');
  const warned = count('warn');
  if (failed + warned === 0) return 'All is well.';
  return `${failed} failed, ${warned} to look at, ${count('ok')} ok.`;
}
