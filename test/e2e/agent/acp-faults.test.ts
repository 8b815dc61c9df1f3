/** Agents that break ACP: each job ends in a proposal, or in one sentence that names the cause. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createAcpLoop } from '../../../src/agent/acp/acp-loop.ts';
import { secretRule } from '../../../src/review/core/secret-files.ts';
import { runLoop } from '../../helpers/agent-loop.ts';
import { removeTree } from '../../helpers/remove-tree.ts';

const AGENT = path.resolve(import.meta.dirname, '../../helpers/bad-acp-agent.ts');
/** Long enough for Node to start on a busy machine. */
const START_MS = 8_000;

let home = '';
let notes = '';
beforeEach(() => {
  home = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'copane-acp-')));
  notes = path.join(home, 'notes');
  mkdirSync(notes);
  writeFileSync(path.join(notes, 'a.md'), 'one\n');
});
afterEach(() => removeTree(home));

const runWith = (fault: string, answers: readonly string[] = [], startTimeoutMs = START_MS) =>
  runLoop({
    root: notes,
    loop: createAcpLoop({
      command: () => [process.execPath, AGENT, fault, notes],
      env: process.env,
      home: path.join(home, 'copies'),
      skipIgnored: () => true,
      isSecret: () => secretRule([]),
      now: Date.now,
      startTimeoutMs,
    }),
    input: { mode: 'acp', instruction: 'edit' },
    answers,
  });

it.each<[string, RegExp, readonly string[]]>([
  ['noise at the start', /^Done\.$/, []],
  ['noise in the turn', /^Done\.$/, []],
  ['unknown updates', /^Done\.$/, []],
  ['stray answers', /^Done\.$/, []],
  ['answers twice', /^Done\.$/, []],
  ['no stop reason', /^Done\.$/, []],
  ['cancels its own turn', /^Done\.\n\nThe agent ended its turn because a call was rejected\.$/, []],
  ['asks for what is not offered', /^Done\.$/, []],
  ['flood', /… the rest of this message is left out$/, []],
  ['huge text', /… the rest of this message is left out$/, []],
  ['flood of calls', /^Done\.$/, []],
  ['wild plan', /^Done\.$/, []],
  ['permission by id alone', /^n\. Done\.$/, ['no']],
  ['deep input', /^n\. Done\.$/, ['no']],
  ['wide input', /^n\. Done\.$/, ['no']],
  ['command that is left out later', /^n\. Done\.$/, ['no']],
  ['file outside that is left out later', /^n\. Done\.$/, ['no']],
  ['permission without choices', /^cancelled\. Done\.$/, ['Allow']],
])('proposes the agent’s change: %s', async (fault, message, answers) => {
  const { outcome } = await runWith(fault, answers);
  expect(outcome).toMatchObject({
    ok: true,
    value: { edits: [{ file_path: 'a.md', new_text: 'ONE\n' }], message: expect.stringMatching(message) },
  });
  expect(readFileSync(path.join(notes, 'a.md'), 'utf8')).toBe('one\n');
});

it.each<[string, string, RegExp]>([
  ['next version', 'provider', /speaks version 2 of the Agent Client Protocol; copane speaks version 1\.$/],
  ['version in words', 'provider', /speaks version "2024-11-05" of the Agent Client Protocol/],
  ['no initialize', 'provider', /failed to start: .*Method not found/],
  ['crash at the start', 'provider', /exit code 1: Error: Cannot find module "left-pad"$/],
  ['ends at once', 'provider', /failed to start: it ended with exit code 0$/],
  ['session without an id', 'provider', /failed to start: /],
  ['login', 'unauthorized', /needs a login: Authentication required$/],
  ['login in the turn', 'unauthorized', /needs a login: Authentication required$/],
  ['error in the turn', 'provider', /failed to answer: .*quota exhausted until 18:00$/],
  ['crash in the turn', 'provider', /exit code 3: panic: out of cheese$/],
  ['killed in the turn', 'provider', /failed to answer: it ended with SIGKILL$/],
  ['killed with a log', 'provider', /failed to answer: it ended with SIGKILL$/],
  ['crash with a trace', 'provider', /failed to answer: it ended with exit code 1: Error: quota exhausted$/],
  ['stdout closed in the turn', 'provider', /failed to answer: it closed its output$/],
  ['huge message', 'provider', /failed to answer: .*a message of more than 32 MiB$/],
  ['unknown stop reason', 'provider', /stopped for a reason that copane does not know: tea_time\.$/],
  ['turn limit', 'context_overflow', /stopped early: it reached its turn limit\.$/],
])('says in one sentence what went wrong: %s', async (fault, code, message) => {
  const { outcome } = await runWith(fault);
  expect(outcome).toMatchObject({ ok: false, error: { code, message: expect.stringMatching(message) } });
  expect(outcome.ok ? '' : outcome.error.message).not.toContain('\n');
});

it('gives up an agent that does not answer, and shows what it printed', async () => {
  const { outcome } = await runWith('silent', [], 1_500);
  expect(outcome).toMatchObject({
    ok: false,
    error: { message: expect.stringMatching(/no answer in 1\.5 s/) },
  });
});

it('says what changed in the project itself while an agent worked that nothing keeps from writing there', async () => {
  const words = /Changed in the project itself meanwhile: (.*?)\. If it was not you, it was the agent/;
  const { outcome, events } = await runWith('writes into the project');
  const told = events.flatMap((event) => (event.type === 'message.completed' ? [event.data.text] : []));
  expect(told.at(-1)).toMatch(words);
  const value = outcome.ok ? outcome.value : null;
  expect(value?.edits.map((edit) => edit.file_path)).toEqual(['a.md']);
  expect(words.exec(value?.message ?? '')?.[1]).toBe('b.md');
  const died = (await runWith('writes into the project and dies')).outcome;
  expect(words.exec((!died.ok && died.error.hint) || '')?.[1]).toBe('a.md');
});

it('says which command is about the project itself, and which about the copy', async () => {
  const { asked } = await runWith('asks for the project', ['no', 'no']);
  const command = `Run\n\necho > ${notes}/b.md`;
  expect(asked).toEqual([
    `The agent asks for permission to work on the project itself, not on its copy: ${command}`,
    `The agent asks for permission: ${command}`,
  ]);
});

it('asks with the diff that came before the question, and shows the plan', async () => {
  const asking = await runWith('permission by id alone', ['Allow']);
  expect(asking.asked).toEqual(['The agent asks for permission: Edit /etc/hosts\n\n/etc/hosts\n-old\n+new']);
  const planned = await runWith('wild plan');
  const plans = planned.events.flatMap((event) => (event.type === 'plan.updated' ? [event.data] : []));
  expect(plans.map(({ summary }) => summary)).toEqual(['1 of 2 steps done; now: two', '0 of 500 steps done']);
  expect(plans[1]?.steps).toHaveLength(100);
});
