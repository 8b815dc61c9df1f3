/** Measures the rules for secrets: by our own shapes, and by secretlint, whose rules are independent of ours. */
import { lintSource } from '@secretlint/core';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';
import { hasSecret, redact } from '../../src/lib/secrets/secrets.ts';
import { harmlessLines, secretShapes } from './secret-shapes.ts';

const SEED = 1;
/** Lines per run of secretlint, which starts anew each time. */
const LINES_AT_ONCE = 1_000;

const CONFIG = {
  rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator, options: {}, rules: [] }],
};

/** The lines in which secretlint finds a secret. */
export async function secretsIn(lines: readonly string[]): Promise<readonly string[]> {
  const distinct = [...new Set(lines.map((line) => line.replaceAll('\n', ' ')))];
  const found = new Set<string>();
  for (let at = 0; at < distinct.length; at += LINES_AT_ONCE) {
    const part = distinct.slice(at, at + LINES_AT_ONCE);
    const { messages } = await lintSource({
      source: { filePath: 'history.sh', content: part.join('\n'), ext: '.sh', contentType: 'text' },
      options: { config: CONFIG },
    });
    for (const { loc } of messages) found.add(part[loc.start.line - 1] ?? '');
  }
  return [...found];
}

export function measureSecrets() {
  const shapes = secretShapes(SEED);
  const harmless = harmlessLines();
  const isFound = (line: string, secrets: readonly string[]) =>
    hasSecret(line) && !secrets.some((secret) => redact(line).includes(secret));
  return {
    shapes: shapes.length,
    found: shapes.filter(({ line, secrets }) => isFound(line, secrets)).length,
    harmless: harmless.length,
    alarms: harmless.filter(hasSecret).length,
  };
}
