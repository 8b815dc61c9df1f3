import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { must } from '../../../test/helpers/host-fakes.ts';
import { removeTree } from '../../../test/helpers/remove-tree.ts';
import type { DecisionEntry } from '../../protocol/review.ts';
import { FeedbackLog } from './feedback-log.ts';

it('keeps two files of bounded size, with the newest decisions in the first', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'copane-feedback-'));
  const file = path.join(folder, 'feedback.jsonl');
  const log = new FeedbackLog(file, 300);
  const entry = (hunk: string) =>
    ({ ts: 0, suggestion: 's', hunk, file: 'f', action: 'accept' }) as DecisionEntry;
  const hunksIn = (name: string) =>
    readFileSync(name, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).hunk_id);
  must(await log.append([entry('1'), entry('2')]));
  expect(existsSync(`${file}.1`)).toBe(false);
  for (const hunk of ['3', '4', '5', '6', '7', '8', '9']) must(await log.append([entry(hunk)]));
  const [older, newer] = [hunksIn(`${file}.1`), hunksIn(file)];
  expect([...older, ...newer].at(-1)).toBe('9');
  expect(older.length + newer.length).toBeLessThan(9);
  removeTree(folder);
});

it('does not wait at a FIFO in place of the file', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'copane-feedback-'));
  const file = path.join(folder, 'feedback.jsonl');
  execFileSync('mkfifo', [file]);
  const said = await new FeedbackLog(file).append([{ ts: 0 } as DecisionEntry]);
  expect(said).toMatchObject({
    ok: false,
    error: { message: `The feedback log ${file} cannot be written (${file} is not a regular file).` },
  });
  removeTree(folder);
});
