/**
 * Records the real AI CLIs again and compares what the rules read with what they read from the stored recordings: this
 * finds a CLI that draws differently before a user does.
 */
import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import type { ScreenReading } from '../../src/protocol/screen.ts';
import { screenRulesFor } from '../../src/responses/screens/registry.ts';
import { CLIENTS, type ClientSpec, clientSpec, isInstalled } from '../helpers/client-catalog.ts';
import { removeTree } from '../helpers/remove-tree.ts';
import { recordingDir, recordScreens } from '../helpers/screen-recorder.ts';
import {
  linesAfterPrompt,
  type Recording,
  readRecordings,
  SCREENS_DIR,
} from '../helpers/screen-recordings.ts';

const WIDTHS = [90, 44];
/** Wide enough for opencode's side bar; only some of its scenes are stored. */
const WIDE = { columns: 140, scenes: ['composer', 'answers', 'dialog-command'] };
const RECORDING_TIMEOUT_MS = 600_000;

let out = '';
beforeAll(() => {
  out = mkdtempSync(path.join(os.tmpdir(), 'copane-screens-'));
});
afterAll(() => removeTree(out));

/**
 * How much of a long paste is visible depends on whether the greeting is still there; whether an interrupted prompt
 * returns to the composer depends on how far the turn was.
 */
const VARYING_COMPOSER = ['pill', 'interrupted'];

/**
 * Claude Code names a plan's file by random words below the question. How many of the plan's rows are left above it
 * depends on their length.
 */
function withoutPlan(shown: string): string {
  const sentence = shown.lastIndexOf('Claude has written');
  if (sentence === -1) throw new Error(`no plan dialog: ${shown}`);
  return shown.slice(sentence).replace(/\n+ *ctrl\+g to.*$/s, '');
}

/** What must be the same: without spinner words and times of day. */
function gist(recording: Recording): { reading: Partial<ScreenReading>; answer: unknown } {
  const { facts } = recording;
  const rules = screenRulesFor(facts.cli);
  const lines = recording.history === null ? null : linesAfterPrompt(recording);
  const { composer, ...whole } = rules.read(recording.screen);
  const { dialog, choice } = whole;
  const isPlan = facts.case === 'dialog-plan' && dialog !== null && choice !== null;
  const reading = isPlan
    ? { ...whole, dialog: withoutPlan(dialog), choice: { ...choice, question: withoutPlan(choice.question) } }
    : whole;
  return {
    reading: VARYING_COMPOSER.includes(facts.case) ? reading : { ...reading, composer },
    answer: lines === null ? null : rules.extract(lines, facts.columns),
  };
}

async function check(
  { skip }: TestContext,
  spec: ClientSpec,
  { columns, scenes = [] }: { readonly columns: number; readonly scenes?: readonly string[] },
): Promise<void> {
  const isRecorded = await recordScreens({ client: spec.name, columns, out }, scenes);
  if (!isRecorded) skip('no folder can be made in /home');
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
  for (const spec of CLIENTS) {
    for (const columns of WIDTHS) {
      it.skipIf(!isInstalled(spec.name))(
        `${spec.name} ${spec.version} at ${columns} (npm run setup:clients)`,
        (context) => check(context, spec, { columns }),
        RECORDING_TIMEOUT_MS,
      );
    }
  }

  it.skipIf(!isInstalled('opencode'))(
    `opencode with its side bar, at ${WIDE.columns}`,
    (context) => check(context, clientSpec('opencode'), WIDE),
    RECORDING_TIMEOUT_MS,
  );
});
