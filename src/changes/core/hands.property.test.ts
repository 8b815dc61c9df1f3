/**
 * Random turns in which tools, commands, you and copane write to one file, with looks now and then: the reported
 * changes lead from the text without the turn to the text with it, byte for byte, and attribute no line to an author
 * who did not write it.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { inFull } from '../../../test/helpers/full-run.ts';
import { type NewEdit, ownAndRest } from '../recorded/port.ts';
import type { SeenSide, SeenStep } from './attribute.ts';
import { hunksOf } from './change-hunks.ts';
import { bytesOfLines, exactText, linesOf, splitLines } from './file-text.ts';
import { scriptBetween } from './known-lines.ts';
import { putBack, withOurSteps } from './our-steps.ts';
import { seenChanges } from './seen-changes.ts';
import type { Asked, FileChange, TurnCommand, TurnEdit } from './turn-edits.ts';

const RUNS = inFull(300, 1_000);
const SLOTS = 12;
const FILE = '/p/a.txt';
const MODES = [0o100644, 0o100755] as const;

/**
 * `looks`: a look follows, and one precedes your change. `late`: records the result then. `back`: copane reverts it.
 */
const step = fc.record({
  hand: fc.constantFrom('tool', 'command', 'yours', 'mode', 'back'),
  slot: fc.nat(SLOTS - 1),
  lines: fc.nat(3),
  gapMs: fc.constantFrom(1, 200, 5_000, 60_000),
  looks: fc.boolean(),
  lateMs: fc.constantFrom(0, 0, 30),
});
/** How AI CLIs record an edit. `tree`: the whole file at the end of the previous step, and now. */
const SHAPES = ['sides', 'patch', 'patch and texts', 'loose', 'tree', 'commit'] as const;
type Shape = (typeof SHAPES)[number];

/** One edit in the form of a record. */
interface Made {
  /** At the end of the previous edit; just before this one; after it. */
  readonly texts: readonly [begin: string, before: string, after: string];
  readonly asked: Asked;
  readonly order: number;
  readonly at: number;
}

function recordOf(shape: Shape, { texts, asked, order, at }: Made): readonly TurnEdit[] {
  const [begin, before, after] = texts;
  const edit: TurnEdit = {
    path: FILE,
    kind: 'edit',
    order,
    // A commit has whole seconds.
    at: shape === 'commit' ? at - (at % 1000) + 999 : at,
    outcome: 'applied',
    source: 'tool',
    by: 'tool',
    lineEnds: 'exact',
  };
  const sides = (from: string) => ({ before: exactText(from) as never, after: exactText(after) as never });
  const linesIn = (text: string) => splitLines(text).map((line) => ({ text: line, by: 'tool' as const }));
  const patch = () => ({ patch: hunksOf(scriptBetween(linesIn(before), linesIn(after))) });
  if (shape === 'sides') return [{ ...edit, ...sides(before) }];
  if (shape === 'patch') return [{ ...edit, ...patch() }];
  if (shape === 'patch and texts') return [{ ...edit, ...patch(), asked: [asked] }];
  if (shape === 'loose') return [{ ...edit, ...patch(), asked: [asked], lost: 'loose' }];
  const whole: NewEdit = { ...edit, ...sides(begin), source: shape === 'tree' ? 'step-tree' : 'commit' };
  return ownAndRest(whole, () => [asked]).map((one) => ({ ...edit, ...one }));
}

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Played {
  readonly steps: readonly SeenStep[];
  readonly edits: readonly TurnEdit[];
  readonly commands: readonly TurnCommand[];
  readonly startedAt: number;
  readonly until: number;
  readonly first: SeenSide;
  readonly last: SeenSide;
}

function play(acts: readonly Step[], end: string, hasLastLook: boolean, shape: Shape): Played {
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
  let begin = text();
  // What you and a command write between two looks counts as the command's: only looks can separate it. Before the
  // prompt there may be none.
  let startedAt: number | null = null;
  const isSeen = acts.some(({ hand }) => hand !== 'tool' && hand !== 'yours');
  let seen = first;
  const look = (seenAt: number) => {
    const now = side();
    steps.push({ before: seen, after: now, changedAt, since, seenAt });
    [seen, since] = [now, seenAt];
  };
  acts.forEach((act, order) => {
    at += act.gapMs;
    const { hand, slot, lines } = act;
    // Your changes to the AI's lines belong to them.
    if (hand === 'yours' && touched.has(slot)) return;
    if (hand !== 'yours' && hand !== 'back') startedAt ??= at - 1;
    const isLooked = act.looks || (hand === 'yours' && isSeen && startedAt !== null);
    if (hand === 'yours' && isLooked) look(at - 1);
    const before = text();
    const near = () =>
      slots
        .slice(Math.max(0, slot - 1), slot + 2)
        .flat()
        .join('');
    const [old, oldNear] = [side(), near()];
    if (hand === 'mode') mode = mode === MODES[0] ? MODES[1] : MODES[0];
    else if (hand === 'back') slots[slot] = touched.has(slot) ? [`line ${slot}${end}`] : (slots[slot] ?? []);
    else slots[slot] = Array.from({ length: lines }, () => `${hand} ${made++}${end}`);
    if (hand !== 'yours') touched.add(slot);
    changedAt = at;
    if (hand === 'back')
      steps.push({ before: old, after: side(), changedAt, since: null, seenAt: at, isOurs: true });
    if (hand === 'command' || hand === 'mode')
      commands.push({ command: 'x', cwd: null, at, endedAt: at + 1, exit: 0, order, outcome: 'applied' });
    if (hand === 'tool') {
      const asked = { old: oldNear, put: near() };
      edits.push(...recordOf(shape, { texts: [begin, before, text()], asked, order, at: at + act.lateMs }));
      begin = text();
    }
    if (isLooked) look(at + 2);
    // A command runs after its commit.
    at += Math.max(2, act.lateMs, shape === 'commit' ? 1_000 : 0);
  });
  if (hasLastLook) look(at + 1);
  return { steps, edits, commands, startedAt: startedAt ?? at, until: since, first, last: side() };
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

function check({ steps, edits, commands, startedAt, until, last }: Played, hasLastLook: boolean): void {
  const turn = { turnId: 't', startedAt, edits, commands, interrupted: false, rewound: false };
  const known = withOurSteps(steps);
  const files = known.length === 0 ? [] : [{ path: FILE, steps: known }];
  const told = seenChanges([turn], { files, until, gap: null });
  const [file] = told.files;
  if (file?.review == null) return;
  expect(applied(textOf(file.review.before), file.change)).toBe(textOf(file.review.after));
  // What was taken back is still a change of the turn.
  if (hasLastLook) expect(file.review.after).toEqual(putBack(known)?.after ?? last);
  for (const { origin, lines } of file.change.hunks) {
    const hands = new Set(
      lines.flatMap((line) => (line[0] === '+' ? (/^\+(tool|command|yours) /.exec(line)?.[1] ?? []) : [])),
    );
    if (origin !== 'unknown') expect([...hands], lines.join('')).not.toContain('yours');
    if (origin === 'command') expect([...hands], lines.join('')).not.toContain('tool');
  }
}

const ENDS = { LF: '\n', CRLF: '\r\n' };
it.each(SHAPES.flatMap((shape) => [[shape, 'LF'] as const, [shape, 'CRLF'] as const]))(
  'attributes nothing to an author who did not write it (%s, %s)',
  (shape, ends) => {
    const acts = fc.array(step, { minLength: 1, maxLength: 10 });
    // Your edits beside those of the AI's tools, often with no look between them.
    const both = fc.array(
      step.map((one) => ({ ...one, hand: one.slot % 2 === 0 ? 'tool' : 'yours' }) as Step),
      {
        minLength: 2,
        maxLength: 6,
      },
    );
    fc.assert(
      fc.property(fc.oneof(acts, both), fc.boolean(), (all, hasLastLook) =>
        check(play(all, ENDS[ends], hasLastLook, shape), hasLastLook),
      ),
      { numRuns: RUNS },
    );
  },
);
