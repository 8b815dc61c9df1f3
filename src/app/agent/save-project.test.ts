import { expect, test } from 'vitest';
import { testSession } from '../../../test/helpers/agent-fakes.ts';
import { fail, ok, type Result } from '../../lib/result.ts';
import type { Client } from '../../protocol/client.ts';
import type { AgentSaveResult } from '../../protocol/commands/agent.ts';
import { saveOutcome, saveProject } from './save-project.ts';

const saved = (change: Partial<AgentSaveResult>): AgentSaveResult => ({
  status: 'completed',
  applied_files: [],
  written_files: [],
  conflicts: [],
  ...change,
});
const conflict = (file_path: string) =>
  saved({ status: 'conflict', conflicts: [{ file_path, hunk_id: null, reason: 'it was changed since.' }] });

/** A host with a fixed answer for each session. */
function host(answers: Readonly<Record<string, Result<AgentSaveResult>>>) {
  const asked: unknown[] = [];
  const request = async (command: string, params: { session_id?: string }) => {
    asked.push(params);
    if (command === 'agent/sessions') return ok(Object.keys(answers).map((id) => testSession({ id })));
    return answers[params.session_id ?? ''];
  };
  return { client: { request } as unknown as Client, asked };
}

test('saves every session of the project, archived ones too', async () => {
  const { client, asked } = host({
    s1: ok(saved({ written_files: ['a.md'] })),
    s2: ok(conflict('b.md')),
    s3: ok(saved({ written_files: ['c.md'] })),
  });
  expect(await saveProject(client, '/notes')).toEqual(
    ok({ ...conflict('b.md'), written_files: ['a.md', 'c.md'] }),
  );
  expect(asked[0]).toEqual({ root: '/notes', archived: true });
});

test('returns a failure', async () => {
  const refusal = fail('internal', 'The disk is full.');
  expect(await saveProject(host({ s1: refusal }).client, '/notes')).toEqual(refusal);
});

test.each<[string, AgentSaveResult]>([
  ['There is nothing to save', saved({})],
  ['Saved a.md', saved({ written_files: ['a.md'] })],
  ['Saved 2 files', saved({ written_files: ['a.md', 'b.md'] })],
  ['Nothing was saved: b.md: it was changed since.', conflict('b.md')],
  ['Saved a.md, but not: b.md: it was changed since.', { ...conflict('b.md'), written_files: ['a.md'] }],
])('the outcome reads: %s', (words, result) => {
  const told = saveOutcome(ok(result));
  expect(told.ok ? told.value.words : told.error.message).toBe(words);
});
