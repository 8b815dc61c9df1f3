/** Grades a real model's proposals and how it wrote them, and writes the page with the results. Pure. */
import path from 'node:path';
import { lineEdits } from '../../../src/agent/core/line-edits.ts';
import { callsInText } from '../../../src/agent/core/text-calls.ts';
import { editsInText } from '../../../src/review/core/text-edits.ts';
import { bytesOf, judge } from '../judge.ts';
import type { EvalTask } from '../task.ts';
import { HELD_OUT_TASKS } from './held-out.ts';
import type { Ends, RecordedJob, RecordedReply, Recording } from './recording.ts';

/** The most places of a proposal whose rejections are tried in all combinations; nobody reviews more one by one. */
const PLACES_MAX = 8;

/** What the file `before` became. `after` is null when the job proposed nothing. */
export function endsOf(task: EvalTask, before: string, after: string | null): Ends {
  if (after === null) return 'none';
  const isRight = (text: string) => judge(task, factsOf(text)).length === 0;
  if (isRight(after)) return 'right';
  const meant = task.checks.find((check) => 'is' in check);
  const [file = ''] = Object.keys(task.files);
  if (meant !== undefined && withoutSpace(after, file) === withoutSpace(meant.is, file)) return 'usable';
  return withSomePlaces(before, after).some(isRight) ? 'usable' : 'wrong';
}

const factsOf = (text: string) => ({
  status: null,
  message: '',
  asked: [],
  hunks: 0,
  toolCalls: 0,
  read: () => new TextEncoder().encode(text),
});

/** The text without insignificant white space for a file of this name. */
function withoutSpace(text: string, file: string): string {
  const indents = /^\.(?:py|ya?ml|md)$/.test(path.extname(file)) || file === 'Makefile';
  const lines = text.split('\n').map((line) => (indents ? line.trimEnd() : line.trim()));
  return lines.filter((line) => line !== '').join('\n');
}

/** The file when the user rejects some of the changed places. */
function withSomePlaces(before: string, after: string): readonly string[] {
  const edits = lineEdits('', before, after);
  if (edits.length > PLACES_MAX) return [];
  const lines = before.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  return Array.from({ length: 2 ** edits.length - 1 }, (_, chosen) => {
    const made = edits.filter((_edit, at) => (chosen & (1 << at)) !== 0);
    return made
      .toReversed()
      .reduce<readonly string[]>((text, edit) => {
        const start = (edit.start_line ?? 1) - 1;
        const end = edit.operation === 'insert' ? start : (edit.end_line ?? start + 1);
        return [...text.slice(0, start), edit.new_text, ...text.slice(end)];
      }, lines)
      .join('');
  });
}

const FORMS = [
  'tool call',
  'call in words',
  'edits in words',
  'code written out',
  'words alone',
  'nothing',
] as const;
type Form = (typeof FORMS)[number];

/** How the model wrote the job's final proposal. */
function formOf(replies: readonly RecordedReply[]): Form {
  const last = replies.at(-1);
  if (last === undefined || (last.text.trim() === '' && last.calls.length === 0)) return 'nothing';
  if (last.calls.length > 0 || /"tool_calls"\s*:\s*\[\s*\{/.test(last.text)) return 'tool call';
  if (callsInText(last.text).length > 0) return 'call in words';
  if (/"edits"\s*:/.test(last.text) || editsInText(last.text, 'file').length > 0) return 'edits in words';
  return /```|<file path=/.test(last.text) ? 'code written out' : 'words alone';
}

export const ENDS: readonly Ends[] = ['right', 'usable', 'wrong', 'none'];

const counts = (jobs: readonly RecordedJob[]) =>
  ENDS.map((ends) => jobs.filter((job) => job.ends === ends).length);

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

const percent = (part: number, all: number): string =>
  all === 0 ? '–' : `${Math.round((100 * part) / all)} %`;

/** As a sentence: the results of tasks that gave no proposal before. */
function rescued(now: Recording, before: Recording): string | null {
  const failed = now.jobs.filter(({ task }) => before.jobs.find((job) => job.task === task)?.ends === 'none');
  if (failed.length === 0) return null;
  const used = failed.filter(({ ends }) => ends === 'right' || ends === 'usable').length;
  const any = failed.filter(({ ends }) => ends !== 'none').length;
  return `- ${now.model}, ${now.tools}: of ${failed.length} tasks that gave no proposal before, ${any} give one now (${percent(any, failed.length)}), ${used} a usable one (${percent(used, failed.length)}).`;
}

/** The results of tasks that the agent was not tuned with. */
function heldOut({ model, tools, jobs }: Recording): string | null {
  const names = new Set(HELD_OUT_TASKS.map(({ name }) => name));
  const own = jobs.filter(({ task }) => names.has(task));
  if (own.length === 0) return null;
  const [right = 0, usable = 0] = counts(own);
  return `- ${model}, ${tools}: of ${own.length} held-out tasks (${own.map(({ task }) => task).join(', ')}), which the agent was not made with, ${right + usable} gave a usable proposal (${percent(right + usable, own.length)}).`;
}

/** `docs/weak-models.md`. */
export function pageOf(now: readonly Recording[], before: readonly Recording[]): string {
  const partner = ({ model, tools }: Recording) =>
    before.find((one) => one.model === model && one.tools === tools);
  const rows = now.flatMap((one) => {
    const old = partner(one);
    const common = old?.jobs.filter(({ task }) => one.jobs.some((job) => job.task === task)) ?? [];
    return [
      ...(common.length === 0
        ? []
        : [row([one.model, one.tools, 'before', common.length, ...counts(common)])]),
      row([one.model, one.tools, 'now', one.jobs.length, ...counts(one.jobs)]),
    ];
  });
  const forms = now.flatMap((one) =>
    FORMS.flatMap((form) => {
      const own = one.jobs.filter(({ replies }) => formOf(replies) === form);
      return own.length === 0 ? [] : [row([one.model, one.tools, form, own.length, ...counts(own)])];
    }),
  );
  const lines = now.flatMap((one) => {
    const old = partner(one);
    return [...(old === undefined ? [] : [rescued(one, old)]), heldOut(one)].filter((line) => line !== null);
  });
  const tasks = [...new Set(now.flatMap(({ jobs }) => jobs.map(({ task }) => task)))];
  const endsIn = (one: Recording, name: string) => one.jobs.find(({ task }) => task === name)?.ends ?? '';
  const columns = now.map(({ model, tools }) => `${model}, ${tools}`);
  return `# What small models give

<!-- Written by \`npm run eval:model -- --table\` from evals/agent/weak/recorded; do not edit. -->

Real models played [tasks of one file](agent.md#with-real-small-models) on the built program. *Right*: the file is right to the
byte. *Usable*: it is right once you reject some of the changed places, or but for white space that means nothing there. *Wrong*:
any other proposal. *None*: the job ended without a proposal. The 1.5B model ran on llama-server with \`--temp 0\`; "now" is what the kept
replies give today. "Before" is the tasks, as many as were played, on the build of commit 6f1a14e6 with the same model, which
did not show the model the files that the user names, and read fewer of the forms in which models write edits.

${row(['model', 'tools', 'build', 'jobs', ...ENDS])}
${row(Array.from({ length: 8 }, () => '---'))}
${rows.join('\n')}

${lines.join('\n')}

## By how the model wrote it

The last reply of each job, on the present build.

${row(['model', 'tools', 'form', 'jobs', ...ENDS])}
${row(Array.from({ length: 8 }, () => '---'))}
${forms.join('\n')}

## By task

${row(['task', ...columns])}
${row(['---', ...columns.map(() => '---')])}
${tasks.map((name) => row([name, ...now.map((one) => endsIn(one, name))])).join('\n')}
`;
}

/** The text of a task's only file before the job. */
export const textBefore = (task: EvalTask): string => {
  const [file = ''] = Object.keys(task.files);
  return Buffer.from(bytesOf(task, file) ?? []).toString();
};
