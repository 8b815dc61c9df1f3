/**
 * The real AI CLIs, driven by the scripted model: a pull from their session files gives the model's Markdown byte for
 * byte. `COPANE_RECORD=1` also writes the fixtures that `npm test` reads.
 */
import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Turn } from '../../src/protocol/turn.ts';
import type { TranscriptSnapshot } from '../../src/responses/transcripts/port.ts';
import { TIE_TURNS, type TieCandidate, tieByScreen, tieBySent } from '../../src/responses/transcripts/tie.ts';
import { CLIENTS, type ClientName, isInstalled } from '../helpers/client-catalog.ts';
import { removeTree } from '../helpers/remove-tree.ts';
import { type ScriptedModel, startScriptedModel } from '../helpers/scripted-model/server.ts';
import {
  AFTER_PROMPT,
  AFTER_TEXT,
  EXPECTED_TOOLS,
  type ExpectedTurn,
  expectedCases,
  LONG_PROMPT,
  LONG_TEXT,
  LOOK_TOOL,
  MARKDOWN,
  promptOf,
  SLOW_PROMPT,
  SLOW_TEXT,
  scriptFor,
  TOOL_PROMPT,
  TOOL_TEXTS,
} from '../helpers/transcript-cases.ts';
import { DrivenClient } from '../helpers/transcript-drive.ts';
import { recordFixture } from '../helpers/transcript-recorder.ts';

let root = '';
let model: ScriptedModel | null = null;
const clients: DrivenClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.stop();
  await model?.close();
  removeTree(root);
});

async function begin(name: ClientName, columns: number): Promise<DrivenClient> {
  root = mkdtempSync(path.join(os.tmpdir(), 'copane-transcript-'));
  model = await startScriptedModel(scriptFor(name));
  return another(name, columns);
}

/** Another client of the same kind in the same folder. */
async function another(name: ClientName, columns = 90): Promise<DrivenClient> {
  if (model === null) throw new Error('no model');
  const place = { home: path.join(root, 'home'), project: path.join(root, 'project') };
  const client = await DrivenClient.start(name, { ...place, model, columns });
  clients.push(client);
  return client;
}

/** What each client changes in an answer before it writes it; the rest is kept byte for byte. */
function asWritten(name: ClientName, text: string): string {
  // Gemini CLI trims an answer and removes joiners and HTML comments, until its next checkpoint; aider trims.
  if (name === 'gemini')
    return text
      .replaceAll('\u200d', '')
      .replace(/<!--.*?-->/gs, '')
      .trim();
  return name === 'aider' ? text.trim() : text;
}

/** opencode adds a space after a paste that it folded: the prompt is compared without white space at its ends. */
function pulled(turn: Turn): ExpectedTurn {
  const progress = turn.progress === 'streaming' ? 'complete' : turn.progress;
  return { prompt: turn.prompt.trim(), parts: turn.parts, progress };
}

function expectTurns(
  name: ClientName,
  snapshot: TranscriptSnapshot | null,
  wanted: readonly ExpectedTurn[],
): void {
  const rewritten = wanted.map((turn) => ({
    ...turn,
    parts: turn.parts.map((part) => asWritten(name, part)),
  }));
  const got = snapshot?.turns.map(pulled) ?? [];
  const shown = got.map((turn) =>
    name === 'gemini' ? { ...turn, parts: turn.parts.map((part) => asWritten(name, part)) } : turn,
  );
  expect(shown).toEqual(rewritten);
  expect(snapshot?.problems).toEqual([]);
}

async function record(name: ClientName, scenario: string, expected: readonly ExpectedTurn[]): Promise<void> {
  if (process.env.COPANE_RECORD === '1') await recordFixture({ name, scenario, root, expected });
}

async function checkCases(name: ClientName, columns: number): Promise<void> {
  const client = await begin(name, columns);
  for (const key of Object.keys(MARKDOWN)) await client.ask(promptOf(key));
  const hasTools = LOOK_TOOL[name] !== null;
  if (hasTools) await client.ask(TOOL_PROMPT, TOOL_TEXTS.length);
  const wanted = [...expectedCases(), ...(hasTools ? [EXPECTED_TOOLS] : [])];
  const last = hasTools ? TOOL_PROMPT : promptOf('marker');
  const snapshot = await client.sessionOf(last);
  expectTurns(name, snapshot, wanted);
  console.log(
    `${name} at ${columns} columns: Enter to record, ms: ${[...client.latenciesMs].sort((a, b) => a - b).join(' ')}`,
  );
  if (columns === 90)
    await record(
      name,
      'cases',
      wanted.map((turn, index) => ({ ...turn, parts: snapshot?.turns[index]?.parts ?? [] })),
    );
}

async function checkInterrupted(name: ClientName): Promise<void> {
  const client = await begin(name, 90);
  await client.ask(promptOf('prose'));
  await client.askAndStop(SLOW_PROMPT, 'And on it goes');
  await client.ask(AFTER_PROMPT);
  const snapshot = await client.sessionOf(AFTER_PROMPT);
  const turns = snapshot?.turns ?? [];
  expect(pulled(turns.at(-1) as Turn)).toEqual({
    prompt: AFTER_PROMPT,
    parts: [AFTER_TEXT],
    progress: 'complete',
  });
  const stopped = turns.find((turn) => turn.prompt === SLOW_PROMPT);
  // Gemini CLI drops a stopped turn from its file at the next checkpoint; Codex keeps only the prompt.
  if (name !== 'gemini') expect(stopped?.progress).toBe('interrupted');
  if (stopped !== undefined) expect(SLOW_TEXT.startsWith(stopped.response.trim())).toBe(true);
  await record(name, 'interrupted', turns.map(pulled));
}

async function checkLong(name: ClientName): Promise<void> {
  const client = await begin(name, 90);
  await client.ask(LONG_PROMPT);
  const snapshot = await client.sessionOf(LONG_PROMPT);
  expect(snapshot?.turns.at(-1)?.response.split('\n').length).toBe(5_000);
  expect(snapshot?.turns.at(-1)?.response).toBe(LONG_TEXT);
}

/** All sessions of the client's folder, newest first. */
async function sessionsOf(client: DrivenClient): Promise<readonly TieCandidate[]> {
  const read = (await client.refs()).map(async (ref) => {
    const snapshot = await client.reader.open(ref).read({ turns: TIE_TURNS });
    return snapshot === null ? [] : [{ ref, snapshot }];
  });
  return (await Promise.all(read)).flat();
}

async function checkTwoSessions(name: ClientName): Promise<void> {
  const first = await begin(name, 90);
  await first.ask('Extra one, from the first.');
  const second = await another(name);
  const since = Date.now();
  await second.ask('Extra two, from the second.');
  await first.ask('Extra three, from the first again.');
  const read = await sessionsOf(first);
  const tie = (text: string) => tieBySent(read, [{ text, at: since }])?.ref;
  const seen = async (client: DrivenClient) =>
    tieByScreen(read, (await client.started.tmux.screen()).split('\n'))?.sessionId;
  const one = tie('Extra three, from the first again.');
  const two = tie('Extra two, from the second.');
  expect(one?.tie).toBe('sent-text');
  expect(two?.tie).toBe('sent-text');
  expect(one?.sessionId).not.toBe(two?.sessionId);
  expect(await seen(first)).toBe(one?.sessionId);
  expect(await seen(second)).toBe(two?.sessionId);
  const answer = await second.sessionOf('Extra two, from the second.');
  expect(answer?.turns.at(-1)?.response).toBe('Extra answer two.');
}

/** `npm run test:full -- transcripts -t 'claude'` runs one client. */
describe('transcripts of the real clients', () => {
  for (const { name } of CLIENTS) {
    const skip = it.skipIf(!isInstalled(name));
    skip(`${name}: every case, byte for byte, at 90 columns`, () => checkCases(name, 90));
    skip(`${name}: every case, byte for byte, at 40 columns`, () => checkCases(name, 40));
    skip(`${name}: an answer of 5,000 lines`, () => checkLong(name));
    skip(`${name}: an interrupted turn`, () => checkInterrupted(name));
    // aider writes all runs in a folder to one history.
    if (name !== 'aider') skip(`${name}: two sessions in one folder`, () => checkTwoSessions(name));
  }
});

/** The command that begins a new session. */
const NEW_SESSION = [
  ['claude', '/clear'],
  ['codex', '/new'],
  ['gemini', '/clear'],
  ['opencode', '/new'],
  ['pi', '/new'],
] as const;

describe('what the user undoes', () => {
  for (const name of ['claude', 'claude-old', 'codex', 'gemini', 'opencode', 'pi'] as const) {
    it.skipIf(!isInstalled(name))(`${name}: an undone turn disappears`, async () => {
      const client = await begin(name, 90);
      await client.ask('Extra one, to stay.');
      await client.ask('Extra two, to go.');
      await client.rewindLast();
      await client.ask('Extra three, in its place.');
      const snapshot = await client.sessionOf('Extra three, in its place.');
      expect(snapshot?.turns.map((turn) => turn.response)).toEqual([
        'Extra answer one.',
        'Extra answer three.',
      ]);
      await record(name, 'rewind', snapshot?.turns.map(pulled) ?? []);
    });
  }

  for (const [name, fresh] of NEW_SESSION) {
    it.skipIf(!isInstalled(name))(`${name}: ${fresh} begins a session that the screen reveals`, async () => {
      const client = await begin(name, 60);
      await client.ask('Extra one, before.');
      await client.command(fresh);
      await client.ask('Extra two, in a new session.');
      const screen = (await client.started.tmux.screen()).split('\n');
      const read = await sessionsOf(client);
      const shown = tieByScreen([...read].reverse(), screen);
      const turns = read.find(({ ref }) => ref.sessionId === shown?.sessionId)?.snapshot.turns ?? [];
      expect(turns.map(({ response }) => response)).toEqual(['Extra answer two.']);
    });
  }

  for (const name of ['claude', 'claude-old'] as const) {
    it.skipIf(!isInstalled(name))(
      `${name}: /compact keeps the turns, /clear begins a new session`,
      async () => {
        const client = await begin(name, 90);
        await client.ask('Extra one, before.');
        await client.command('/compact');
        await client.ask('Extra two, after the compaction.');
        const kept = await client.sessionOf('Extra two, after the compaction.');
        expect(kept?.turns.map((turn) => turn.prompt)).toEqual([
          'Extra one, before.',
          'Extra two, after the compaction.',
        ]);
        await client.command('/clear');
        await client.ask('Extra three, after the clear.');
        const [newest] = await client.refs();
        expect(newest?.tie).toBe('pid');
        const cleared = newest === undefined ? null : await client.reader.open(newest).read({ turns: 10 });
        expect(cleared?.turns.map((turn) => turn.prompt)).toEqual(['Extra three, after the clear.']);
        await record(name, 'compact-clear', kept?.turns.map(pulled) ?? []);
      },
    );
  }
});
