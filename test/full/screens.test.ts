/**
 * Records the real AI CLIs again and compares what the rules read with what they read off the stored recordings:
 * a CLI that draws in a new way is found here, before a user finds it.
 */
import { existsSync, mkdirSync, mkdtempSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScreenReading } from '../../src/protocol/screen.ts';
import { screenRulesFor } from '../../src/responses/screens/registry.ts';
import { CLIENTS, type ClientSpec, clientSpec, isInstalled } from '../helpers/client-catalog.ts';
import { removeTree } from '../helpers/remove-tree.ts';
import { clearLeftover, recordingDir, recordScreens } from '../helpers/screen-recorder.ts';
import {
  linesAfterPrompt,
  type Recording,
  readRecordings,
  SCREENS_DIR,
} from '../helpers/screen-recordings.ts';

/** The folder that shows on the screens; it must be ours to create, and to delete. */
const BASE = '/home/dev';
const WIDTHS = [90, 44];
/** Wide enough for opencode's side bar; only some scenes are stored. */
const WIDE = { columns: 140, scenes: ['composer', 'answers', 'dialog-command'] };
const RECORDING_TIMEOUT_MS = 600_000;

function canCreateBase(): boolean {
  if (!clearLeftover(BASE) || !existsSync(path.dirname(BASE))) return false;
  try {
    mkdirSync(BASE);
    return statSync(BASE).isDirectory();
  } catch {
    return false;
  } finally {
    removeTree(BASE);
  }
}

let out = '';
beforeAll(() => {
  out = mkdtempSync(path.join(os.tmpdir(), 'copane-screens-'));
});
afterAll(() => removeTree(out));

/**
 * How much of a long paste is visible depends on a greeting that may still be there; whether an interrupted prompt comes
 * back into the composer depends on how far the turn was.
 */
const VARYING_COMPOSER = ['pill', 'interrupted'];

/** What must be the same: not the words of a spinner, not the time of day. */
function gist(recording: Recording): { reading: Partial<ScreenReading>; answer: unknown } {
  const { facts } = recording;
  const rules = screenRulesFor(facts.cli);
  const lines = recording.history === null ? null : linesAfterPrompt(recording);
  const { composer, ...reading } = rules.read(recording.screen);
  return {
    reading: VARYING_COMPOSER.includes(facts.case) ? reading : { ...reading, composer },
    answer: lines === null ? null : rules.extract(lines, facts.columns),
  };
}

async function check(spec: ClientSpec, columns: number, scenes: readonly string[] = []): Promise<void> {
  await recordScreens({ client: spec.name, columns, base: BASE, out }, scenes);
  const stored = readRecordings(recordingDir(SCREENS_DIR, spec, columns));
  const fresh = new Map(
    readRecordings(recordingDir(out, spec, columns)).map((recording) => [recording.facts.case, recording]),
  );
  expect(stored.length).toBeGreaterThan(0);
  for (const recording of stored) {
    const again = fresh.get(recording.facts.case);
    const label = `${recording.label}`;
    expect({ label, gist: again === undefined ? null : gist(again) }).toEqual({
      label,
      gist: gist(recording),
    });
  }
}

describe('screens of the installed clients', () => {
  const isPossible = canCreateBase();
  for (const spec of CLIENTS) {
    for (const columns of WIDTHS) {
      const isRun = isPossible && isInstalled(spec.name);
      it.skipIf(!isRun)(
        `${spec.name} ${spec.version} at ${columns} (npm run setup:clients; the right to create ${BASE})`,
        () => check(spec, columns),
        RECORDING_TIMEOUT_MS,
      );
    }
  }

  it.skipIf(!isPossible || !isInstalled('opencode'))(
    `opencode with its side bar, at ${WIDE.columns}`,
    () => check(clientSpec('opencode'), WIDE.columns, WIDE.scenes),
    RECORDING_TIMEOUT_MS,
  );
});
