/** Models that act at random: every job ends within its limits, and no conversation is ever malformed. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runLoop, type ScriptedStep, scriptedProvider } from '../../../test/helpers/agent-loop.ts';
import { projectFolder } from '../../../test/helpers/agent-tools.ts';
import { inFull } from '../../../test/helpers/full-run.ts';
import { ok } from '../../lib/result.ts';
import { agentLimitsSchema, proposedEditSchema } from '../../protocol/agent.ts';
import type { AgentProvider, StepMessage } from '../providers/provider.ts';

let project: ReturnType<typeof projectFolder>;
beforeAll(() => {
  project = projectFolder({ 'a.md': 'one\ntwo\n', 'sub/b.md': 'three\r\n', 'bin.dat': 'x\0y' });
});
afterAll(() => project.remove());

const file = fc.constantFrom(
  'a.md',
  './a.md',
  'sub/b.md',
  'bin.dat',
  'none.md',
  '../x',
  '.git/config',
  'sub',
  '',
);
const line = fc.integer({ min: -1, max: 5 });
const edit = fc.record(
  {
    file_path: file,
    operation: fc.constantFrom('replace', 'insert', 'delete', 'delete_file', 'rename_file', 'move'),
    start_line: line,
    end_line: line,
    new_text: fc.constantFrom('', 'new\n', 'x\0'),
    new_path: file,
  },
  { requiredKeys: ['file_path', 'operation'] },
);
const goodEdit = fc.constantFrom(
  { file_path: 'new.md', operation: 'insert', start_line: 1, new_text: 'new\n' },
  { file_path: 'a.md', operation: 'replace', start_line: 1, end_line: 1, new_text: 'new\n' },
);
const call = fc.oneof(
  fc.tuple(fc.constant('propose_edits'), fc.record({ edits: fc.tuple(goodEdit) })),
  fc.tuple(
    fc.constant('read_file'),
    fc.record({ file_path: file, start_line: line }, { requiredKeys: ['file_path'] }),
  ),
  fc.tuple(fc.constant('search_project'), fc.record({ query: fc.constantFrom('one', 'three', '(', '') })),
  fc.tuple(fc.constant('list_files'), fc.record({ prefix: file })),
  fc.tuple(fc.constant('clarify_user'), fc.record({ question: fc.constantFrom('Which?', '') })),
  fc.tuple(fc.constant('propose_edits'), fc.record({ edits: fc.array(edit, { maxLength: 3 }) })),
  fc.tuple(
    fc.constantFrom('rm', 'read_file', 'propose_edits', ''),
    fc.constantFrom('', '{', '[]', 'null', '{"x":1}'),
  ),
);
const step: fc.Arbitrary<ScriptedStep> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      text: fc.constantFrom('', 'I look.'),
      calls: fc.array(call, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      text: fc.constantFrom('', ' ', 'Done.', '{"edits": [', '{"edits": [{"file_path": 1}]}'),
    }),
  },
  { weight: 1, arbitrary: fc.constant<ScriptedStep>({ fails: { kind: 'malformed', message: 'no' } }) },
);

function expectValid(messages: readonly StepMessage[]): void {
  expect(messages[0]?.role).toBe('user');
  messages.forEach((message, index) => {
    const next = messages[index + 1];
    if (message.role === 'user') expect(next?.role ?? 'assistant').toBe('assistant');
    if (message.role === 'tool') expect(next?.role ?? 'assistant').toBe('assistant');
    if (message.role !== 'assistant') return;
    const ids = message.toolCalls.map((one) => one.toolCallId);
    if (ids.length === 0) expect(next?.role).toBe('user');
    else expect(next?.role === 'tool' ? next.results.map((result) => result.toolCallId) : []).toEqual(ids);
  });
}

test('every job ends within its limits with valid conversations', async () => {
  const ends = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 0, max: 3 }),
      fc.boolean(),
      async (steps, calls, retries, confirmBeforeEdits) => {
        const provider = scriptedProvider(steps);
        const limits = agentLimitsSchema.parse({
          max_tool_calls_per_job: calls,
          max_schema_retries: retries,
        });
        const { outcome, events } = await runLoop({
          root: project.root,
          setup: { provider: async () => ok<AgentProvider>(provider) },
          input: { limits, confirmBeforeEdits },
          deps: { askUser: async () => 'well' },
        });
        // Each step costs a call or a retry, except the last chance, the end, and one question back.
        expect(provider.requests.length).toBeLessThanOrEqual(calls + retries + 4);
        for (const { messages } of provider.requests) expectValid(messages);
        const done = events.filter((event) => event.type === 'tool.call.completed' && event.data.ok);
        expect(done.length).toBeLessThanOrEqual(calls);
        if (outcome.ok) for (const one of outcome.value.edits) proposedEditSchema.parse(one);
        ends.add(outcome.ok ? (outcome.value.edits.length > 0 ? 'edits' : 'words') : outcome.error.code);
      },
    ),
    { seed: 11, numRuns: inFull(70, 200) },
  );
  // All of them occurred, and nothing else.
  expect([...ends].sort()).toEqual(['edits', 'invalid_edits', 'invalid_output', 'tool_budget', 'words']);
});
