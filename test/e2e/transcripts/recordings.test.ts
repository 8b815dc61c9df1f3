/** The recorded sessions of the real AI CLIs: a pull gives what the model said, however the file is read. */
import { appendFileSync, copyFileSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAiderReader } from '../../../src/responses/transcripts/aider.ts';
import { createClaudeReader } from '../../../src/responses/transcripts/claude.ts';
import { createCodexReader } from '../../../src/responses/transcripts/codex.ts';
import { createGeminiReader } from '../../../src/responses/transcripts/gemini.ts';
import { createOpencodeReader } from '../../../src/responses/transcripts/opencode.ts';
import { createPiReader } from '../../../src/responses/transcripts/pi.ts';
import type {
  TranscriptReader,
  TranscriptRef,
  TranscriptSnapshot,
} from '../../../src/responses/transcripts/port.ts';
import { matchSentText } from '../../../src/responses/transcripts/sent-text.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import { MARKDOWN, TOOL_TEXTS } from '../../helpers/transcript-cases.ts';
import { placeOf, type RecordedSession, recordedSessions } from '../../helpers/transcript-fixtures.ts';

let scratch = '';
beforeAll(() => {
  scratch = mkdtempSync(path.join(os.tmpdir(), 'copane-recordings-'));
});
afterAll(() => removeTree(scratch));

/** Reads the file in stretches of `firstStretchBytes`, so that one small file takes many steps. */
function readerOf({ cli }: RecordedSession, firstStretchBytes?: number): TranscriptReader {
  const limits = firstStretchBytes === undefined ? {} : { firstStretchBytes };
  switch (cli) {
    case 'claude':
      return createClaudeReader({ isAlive: () => false }, limits);
    case 'codex':
      return createCodexReader(limits);
    case 'gemini':
      return createGeminiReader(limits);
    case 'pi':
      return createPiReader(limits);
    case 'aider':
      return createAiderReader(limits);
    default:
      return createOpencodeReader();
  }
}

/** The session with the recording's last prompt. */
async function find(
  recording: RecordedSession,
): Promise<{ ref: TranscriptRef; snapshot: TranscriptSnapshot }> {
  const reader = readerOf(recording);
  const prompt = recording.expected.at(-1)?.prompt ?? '';
  const refs = await reader.find(placeOf(recording, scratch));
  for (const ref of refs) {
    const snapshot = await reader.open(ref).read({ turns: 100 });
    if (snapshot !== null && matchSentText(snapshot, prompt) !== null) return { ref, snapshot };
  }
  throw new Error(
    `no session of ${recording.name} holds ${JSON.stringify(prompt)}; looked at ${refs.length}`,
  );
}

function told({ turns }: TranscriptSnapshot): unknown {
  return turns.map(({ prompt, parts, progress }) => ({ prompt: prompt.trim(), parts, progress }));
}

const RECORDINGS = recordedSessions();
const AS_FILES = RECORDINGS.filter(({ cli }) => cli !== 'opencode');

describe('recorded sessions', () => {
  it('exist for every client', () => {
    const clients = new Set(RECORDINGS.map(({ cli }) => cli));
    expect([...clients].sort()).toEqual(['aider', 'claude', 'codex', 'gemini', 'opencode', 'pi']);
  });

  it.each(RECORDINGS)('$name', async (recording) => {
    const { snapshot } = await find(recording);
    expect(told(snapshot)).toEqual(recording.expected);
    expect(snapshot.problems).toEqual([]);
    expect(snapshot.complete).toBe(true);
    expect(new Set(snapshot.turns.map((turn) => turn.id)).size).toBe(snapshot.turns.length);
  });

  // Gemini CLI and aider change an answer before they write it.
  it.each(
    RECORDINGS.filter(({ cli, scenario }) => scenario === 'cases' && cli !== 'gemini' && cli !== 'aider'),
  )('$name is the scripted Markdown, byte for byte', async (recording) => {
    const { snapshot } = await find(recording);
    const parts = snapshot.turns.map((turn) => turn.parts);
    expect(parts).toEqual([...Object.values(MARKDOWN).map((text) => [text]), [...TOOL_TEXTS]]);
  });

  it.each(AS_FILES)(
    '$name gives the same turns when it is read backwards in small stretches',
    async (recording) => {
      const { ref, snapshot } = await find(recording);
      for (const stretch of [61, 1_000]) {
        const session = readerOf(recording, stretch).open(ref);
        const last = await session.read();
        expect(last?.turns.at(-1)).toEqual(snapshot.turns.at(-1));
        expect(await session.read({ turns: 100 })).toEqual(snapshot);
      }
    },
  );

  // A rewind in Codex continues in a new file.
  it.each(AS_FILES.filter(({ name }) => !/^codex.*rewind/.test(name)))(
    '$name gives the same turns when it grows write by write',
    async (recording) => {
      const { ref, snapshot } = await find(recording);
      const bytes = readFileSync(ref.path);
      const file = path.join(scratch, `${recording.name.replaceAll('/', '-')}${path.extname(ref.path)}`);
      writeFileSync(file, '');
      const session = readerOf(recording).open({ ...ref, path: file });
      const step = Math.ceil(bytes.length / 40) + 1;
      let seen = 0;
      for (let from = 0; from < bytes.length; from += step) {
        appendFileSync(file, bytes.subarray(from, from + step));
        const now = await session.read({ turns: 100 });
        seen = Math.max(seen, now?.turns.length ?? 0);
      }
      expect(seen).toBeGreaterThanOrEqual(snapshot.turns.length);
      expect(told((await session.read({ turns: 100 })) as TranscriptSnapshot)).toEqual(told(snapshot));
    },
  );

  it.each(AS_FILES)('$name is not changed by reading it', async (recording) => {
    const { ref } = await find(recording);
    const file = path.join(scratch, 'untouched.jsonl');
    copyFileSync(ref.path, file);
    const before = statSync(file);
    await readerOf(recording)
      .open({ ...ref, path: file })
      .read({ turns: 100 });
    const after = statSync(file);
    expect([after.mtimeMs, after.ctimeMs, after.size]).toEqual([before.mtimeMs, before.ctimeMs, before.size]);
  });
});
