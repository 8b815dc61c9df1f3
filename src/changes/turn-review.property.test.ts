/**
 * Random turns of an AI, its commands and your own edits, in any order: taking back any hunks of a turn, in any order,
 * gives the bytes that a model computes, or reports a conflict.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { inFull } from '../../test/helpers/full-run.ts';
import { openTestReviews } from '../../test/helpers/review-service.ts';
import type { SeenSide, SeenStep } from './core/attribute.ts';
import { exactText } from './core/file-text.ts';
import { seenChanges } from './core/seen-changes.ts';
import type { RecordedTurn, TurnCommand, TurnEdit } from './core/turn-edits.ts';
import { turnPatch } from './turn-source.ts';

const RUNS = inFull(8, 20);
const SLOTS = 24;
/** Far longer than any delay of a hook or clock. */
const PAUSE_MS = 60_000;

type Hand = 'tool' | 'command' | 'yours';
/** Somebody gives a slot, one line of the file at first, other lines. */
interface Act {
  readonly hand: Hand;
  readonly slot: number;
  readonly lines: number;
}

/** A file of slots. Each line has a unique text, so that nothing matches by chance. */
class Model {
  readonly slots: string[][] = Array.from({ length: SLOTS }, (_, i) => [`line ${i}\n`]);
  #made = 0;

  get text(): string {
    return this.slots.flat().join('');
  }

  act({ hand, slot, lines }: Act): void {
    this.slots[slot] = Array.from({ length: lines }, () => `${hand} ${this.#made++} in ${slot}\n`);
  }
}

const side = (text: string): SeenSide => ({ mode: 0o100644, bytes: new TextEncoder().encode(text) });

/** Plays the acts of a turn, with a look after each; returns the facts from the session file and the looks. */
function play(model: Model, acts: readonly Act[], file: string) {
  const steps: SeenStep[] = [];
  const edits: TurnEdit[] = [];
  const commands: TurnCommand[] = [];
  /** The content of each slot before the AI touched it. */
  const before = new Map<number, readonly string[]>();
  acts.forEach((act, order) => {
    const at = (order + 1) * PAUSE_MS;
    const old = model.text;
    if (act.hand !== 'yours' && !before.has(act.slot)) before.set(act.slot, model.slots[act.slot] ?? []);
    model.act(act);
    const [since, seenAt] = [at - PAUSE_MS / 2, at + PAUSE_MS / 2];
    steps.push({ before: side(old), after: side(model.text), changedAt: at, since, seenAt });
    if (act.hand === 'command')
      commands.push({ command: 'sed', cwd: null, at, endedAt: at, exit: 0, order, outcome: 'applied' });
    if (act.hand === 'tool')
      edits.push({
        path: file,
        kind: 'edit',
        before: exactText(old) as never,
        after: exactText(model.text) as never,
        order,
        at,
        outcome: 'applied',
        source: 'tool',
        by: 'tool',
        lineEnds: 'exact',
      });
  });
  const recorded: RecordedTurn = { turnId: 't', edits, commands, interrupted: false, rewound: false };
  return { recorded, seen: { files: [{ path: file, steps }], gap: null }, before };
}

const actOf = (hands: readonly Hand[]) =>
  fc.record({
    hand: fc.constantFrom(...hands),
    slot: fc.integer({ min: 0, max: SLOTS - 1 }),
    lines: fc.integer({ min: 0, max: 3 }),
  });

/** Your edits come first in a slot, or not at all: your changes to the AI's lines belong to them. */
function apart(acts: readonly Act[]): readonly Act[] {
  const touched = new Set<number>();
  return acts.filter(({ hand, slot }) => {
    if (hand === 'yours') return !touched.has(slot) && touched.add(slot) !== undefined;
    touched.add(slot);
    return true;
  });
}

let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'copane-turns-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

it('takes back what a turn did, and nothing else', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(actOf(['tool', 'command', 'yours']), { minLength: 1, maxLength: 8 }),
      fc.array(actOf(['yours', 'tool']), { maxLength: 5 }),
      fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
      async (turn, later, chances) => {
        run += 1;
        const root = mkdtempSync(path.join(home, 'root-'));
        const file = path.join(root, 'a.txt');
        const model = new Model();
        const { recorded, seen, before } = play(model, apart(turn), file);
        const after = model.slots.map((lines) => lines.join(''));
        const { files } = seenChanges([recorded], seen);
        // If nothing is left, your line and the restored one have no correct order.
        for (const act of later) if (model.slots[act.slot]?.length !== 0) model.act(act);
        writeFileSync(file, model.text);
        const reviews = openTestReviews(path.join(home, `state-${run}`), {}, async () =>
          turnPatch(root, files),
        );
        const range = { session: { cli: 'claude', path: '/s', sessionId: 's' }, from: 't', to: 't' } as const;
        const published = await reviews.publishFrom({ target: root, source: { kind: 'turn', ...range } });
        const isChanged = [...before].some(([slot, lines]) => lines.join('') !== after[slot]);
        expect(published.ok).toBe(isChanged);
        const hunks = published.ok ? published.value.hunks : [];
        const suggestion = published.ok ? published.value.id : '';
        for (const hunk of [...hunks].sort(() => (chances.next().value ?? 0) - 0.5)) {
          const own = [...before.keys()].filter((slot) => isIn(hunk.diff, before.get(slot), after[slot]));
          const done = await reviews.decide({ suggestion, hunk: hunk.id, action: 'reject' });
          if (!done.ok) {
            expect(done.error.message).toMatch(/hunk/i);
            expect(own.some((slot) => later.some((act) => Math.abs(act.slot - slot) <= 2))).toBe(true);
            continue;
          }
          const now = model.slots.map((lines) => [...lines]);
          for (const slot of own) model.slots[slot] = [...(before.get(slot) ?? [])];
          expect(readFileSync(file, 'latin1')).toBe(model.text);
          if ((chances.next().value ?? 0) < 0.7) continue;
          const back = await reviews.step({ suggestion, hunk: hunk.id }, 'undo');
          expect(back.ok).toBe(true);
          model.slots.splice(0, SLOTS, ...now);
          expect(readFileSync(file, 'latin1')).toBe(model.text);
        }
        reviews.close();
      },
    ),
    { numRuns: RUNS },
  );
});

function isIn(diff: string, before: readonly string[] | undefined, after: string | undefined): boolean {
  const lines = new Set(diff.split('\n').filter((line) => /^[-+]/.test(line)));
  const has = (marker: string, text: string) =>
    text.split('\n').some((line) => line !== '' && lines.has(`${marker}${line}`));
  return has('-', (before ?? []).join('')) || has('+', after ?? '');
}
