import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readRecordings } from './recording.ts';
import { endsOf, pageOf, textBefore } from './score.ts';
import { ONE_FILE_TASKS } from './tasks.ts';

const taskOf = (name: string) => {
  const task = ONE_FILE_TASKS.find((one) => one.name === name);
  if (task === undefined) throw new Error(name);
  return task;
};

test.each<[string, string, (before: string) => string | null, string]>([
  ['no proposal', 'sh-constant', () => null, 'none'],
  ['the right bytes', 'sh-constant', (before) => before.replace('=7', '=14'), 'right'],
  ['another value', 'sh-constant', (before) => before.replace('=7', '=15'), 'wrong'],
  [
    'a second place, which can be rejected',
    'sh-constant',
    (before) => before.replace('=7', '=14').replace('set -eu\n', ''),
    'usable',
  ],
  [
    'an indentation that means nothing',
    'ts-field',
    (before) => before.replace('price: number;\n', 'price: number;\n    quantity: number;\n'),
    'usable',
  ],
  [
    'an indentation that means something',
    'py-off-by-one',
    (before) => before.replace('    for i in range(1, len(values) - 1)', 'for i in range(1, len(values))'),
    'wrong',
  ],
])('%s', (_, name, change, ends) => {
  const task = taskOf(name);
  const before = textBefore(task);
  expect(endsOf(task, before, change(before))).toBe(ends);
});

test('the page matches the recordings: npm run eval:model -- --table', () => {
  const page = path.join(import.meta.dirname, '../../../docs/weak-models.md');
  expect(readFileSync(page, 'utf8')).toBe(pageOf(readRecordings(), readRecordings('before')));
});
