/**
 * Random turns in which tools, commands, you and copane itself write to one file, looked at now and then: what is told
 * leads from the text without the turn to the text with it, byte for byte, and claims no line for a hand that did not
 * write it.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SeenSide, SeenStep } from './attribute.ts';
import { bytesOfLines, exactText, linesOf } from './file-text.ts';
import { withOurSteps } from './our-steps.ts';
import { seenChanges } from './seen-changes.ts';
import type { FileChange, TurnCommand, TurnEdit } from './turn-edits.ts';

const RUNS = 1_000;
const SLOTS = 12;
const FILE = '/p/a.txt';
const MODES = [0o100644, 0o100755] as const;

/** `looks`: somebody looks after it. `late`: the result of a tool is written down only then. `back`: copane takes back. */
const step = fc.record({
  hand: fc.constantFrom('tool', 'command', 'yours', 'mode', 'back'),
  slot: fc.nat(SLOTS - 1),
  lines: fc.nat(3),
  gapMs: fc.constantFrom(1, 200, 5_000, 60_000),
  looks: fc.boolean(),
  lateMs: fc.constantFrom(0, 0, 30),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Played {
  readonly steps: readonly SeenStep[];
  readonly edits: readonly TurnEdit[];
  readonly commands: readonly TurnCommand[];
  readonly until: number;
  readonly first: SeenSide;
  readonly last: SeenSide;
}

function play(acts: readonly Step[], end: string, hasLastLook: boolean): Played {
  const slots = Array.from({ length: SLOTS }, (_, at) => [`line ${at}${end}`]);
  const touched = new Set<number>();
  const steps: SeenStep[] = [];
  const edits: TurnEdit[] = [];
  const commands: TurnCommand[] = [];
  let [mode, at, since, made, changedAt]: [number, number, number, number, number] = [
    MODES[0],
    1_000,
    0,
    0,
    0,
  ];
  const text = () => slots.flat().join('');
  const side = (): SeenSide => ({ mode, bytes: bytesOfLines(linesOf(exactText(text()) as never)) });
  const first = side();
  let seen = first;
  const look = (seenAt: number) => {
    const now = side();
    steps.push({ before: seen, after: now, changedAt, since, seenAt });
    [seen, since] = [now, seenAt];
  };
  acts.forEach((act, order) => {
    at += act.gapMs;
    const { hand, slot, lines } = act;
    // What you write over the AI's lines belongs to them.
    if (hand === 'yours' && touched.has(slot)) return;
    // What you and a command write between two looks counts as the command's: the looks are what tells it apart.
    if (hand === 'yours') look(at - 1);
    const before = text();
    const old = side();
    if (hand === 'mode') mode = mode === MODES[0] ? MODES[1] : MODES[0];
    else if (hand === 'back') slots[slot] = touched.has(slot) ? [`line ${slot}${end}`] : (slots[slot] ?? []);
    else slots[slot] = Array.from({ length: lines }, () => `${hand} ${made++}${end}`);
    if (hand !== 'yours') touched.add(slot);
    changedAt = at;
    if (hand === 'back')
      steps.push({ before: old, after: side(), changedAt, since: null, seenAt: at, isOurs: true });
    if (hand === 'command' || hand === 'mode')
      commands.push({ command: 'x', cwd: null, at, endedAt: at + 1, exit: 0, order, outcome: 'applied' });
    if (hand === 'tool')
      edits.push({
        path: FILE,
        kind: 'edit',
        before: exactText(before) as never,
        after: exactText(text()) as never,
        order,
        at: at + act.lateMs,
        outcome: 'applied',
        source: 'tool',
        by: 'tool',
        lineEnds: 'exact',
      });
    if (act.looks || hand === 'yours') look(at + 2);
    at += Math.max(2, act.lateMs);
  });
  if (hasLastLook) look(at + 1);
  return { steps, edits, commands, until: since, first, last: side() };
}

const textOf = (side: SeenSide | undefined) => new TextDecoder().decode(side?.bytes ?? new Uint8Array());

function applied(text: string, { hunks }: FileChange): string | null {
  const old = text.match(/[^\n]*\n/g) ?? [];
  const out: string[] = [];
  let at = 0;
  for (const { oldStart, oldLines, lines } of hunks) {
    const from = oldLines === 0 ? oldStart : oldStart - 1;
    while (at < from) out.push(old[at++] ?? '');
    for (const line of lines) {
      if (line[0] !== '+' && old[at++] !== line.slice(1)) return null;
      if (line[0] !== '-') out.push(line.slice(1));
    }
  }
  return [...out, ...old.slice(at)].join('');
}

function check({ steps, edits, commands, until, last }: Played, hasLastLook: boolean): void {
  const turn = { turnId: 't', edits, commands, interrupted: false, rewound: false };
  const known = withOurSteps(steps);
  const files = known.length === 0 ? [] : [{ path: FILE, steps: known }];
  const told = seenChanges([turn], { files, until, gap: null });
  const [file] = told.files;
  if (file?.review == null) return;
  expect(applied(textOf(file.review.before), file.change)).toBe(textOf(file.review.after));
  if (hasLastLook) expect(file.review.after).toEqual(last);
  for (const { origin, lines } of file.change.hunks) {
    const hands = new Set(
      lines.flatMap((line) => (line[0] === '+' ? (/^\+(tool|command|yours) /.exec(line)?.[1] ?? []) : [])),
    );
    if (origin !== 'unknown') expect([...hands], lines.join('')).not.toContain('yours');
    if (origin === 'command') expect([...hands], lines.join('')).not.toContain('tool');
  }
}

it.each([
  ['LF', '\n'],
  ['CRLF', '\r\n'],
])('claims nothing for a hand that did not write it (%s)', (_, end) => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 10 }), fc.boolean(), (acts, hasLastLook) =>
      check(play(acts, end, hasLastLook), hasLastLook),
    ),
    { numRuns: RUNS },
  );
});
