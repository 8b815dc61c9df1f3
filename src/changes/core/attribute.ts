/** Combines the session file's edits with the changes that copane's looks saw, by what is known, not likely. Pure. */
import { sameBytes } from '../../review/core/bytes.ts';
import { isUniformCrlf, withCrlf } from '../../review/core/line-ends.ts';
import { MODE_FILE, MODE_SYMLINK } from '../../review/core/patch-model.ts';
import { hunksOf } from './change-hunks.ts';
import { bytesOf, bytesOfLines, isBinary, linesOf, sameText } from './file-text.ts';
import { KnownLines, type ScriptLine } from './known-lines.ts';
import { ChangedLines, ownPart, replayedLines, textsOf } from './own-part.ts';
import type { FileChange, FileText, HunkOrigin, TurnCommand, TurnEdit } from './turn-edits.ts';

/** A file as a look found it; null: there was no file. */
export type SeenSide = {
  /** As in git: 0o100644, 0o100755 or 0o120000. */
  readonly mode: number;
  /** Null if unknown. */
  readonly bytes: Uint8Array | null;
  /** Why the bytes are unknown; a sentence for users. */
  readonly why?: string;
} | null;

/** How a file changed between two looks. */
export interface SeenStep {
  readonly before: SeenSide;
  readonly after: SeenSide;
  /** When the file, or the folder it was deleted from, was last changed; ms since the epoch, null if unknown. */
  readonly changedAt: number | null;
  /** When the previous look began; ms since the epoch, null if unknown. */
  readonly since: number | null;
  /** When it was read; ms since the epoch. */
  readonly seenAt: number;
  /** No turn was running. */
  readonly isBetween?: boolean;
  /** Copane wrote it for a reviewer, to take edits back or to restore them. */
  readonly isOurs?: boolean;
}

export interface SeenFile {
  /** Absolute. */
  readonly path: string;
  /** Oldest first, at least one. */
  readonly steps: readonly SeenStep[];
}

/** What the turn did, as far as its session file says. */
export interface TurnFactsOfFile {
  /** Applied edits of this file, by order. */
  readonly edits: readonly TurnEdit[];
  readonly commands: readonly TurnCommand[];
  readonly editTimes: readonly number[];
  /** When the last look began, ms since the epoch: later edits may be in the session file only. Null: unknown. */
  readonly until?: number | null;
  /** Edits of this file by other AIs in the same working tree, and all their commands. */
  readonly othersEdits?: readonly TurnEdit[];
  readonly othersCommands?: readonly TurnCommand[];
}

/** A file that a turn changed, and the two texts that its review compares. */
export interface AttributedFile {
  readonly change: FileChange;
  /** `before` has all your changes and none of the turn's; null if a text is unknown. */
  readonly review: { readonly before: SeenSide; readonly after: SeenSide } | null;
}

/** File times and session times differ by a clock tick, and a call is recorded a moment before it runs. */
const SLACK_MS = 60;
/** A hook of the AI CLI (such as a formatter) runs within this time of its edit. */
const HOOK_MS = 3_000;

/** What a turn did to a file that the looks saw; null if nothing. */
export function attributeFile({ path, steps }: SeenFile, told: TurnFactsOfFile): AttributedFile | null {
  const seen = steps.at(-1)?.after ?? null;
  const facts = { ...told, edits: afterLook(told, seen) };
  const isBehind = facts.edits.some((edit) => isLater(edit, facts));
  if (isSameSide(steps[0]?.before ?? null, seen) && !isBehind) return null;
  const lost = steps.flatMap(({ before, after }) => [before, after]).find((side) => side?.bytes === null);
  if (lost != null) {
    const kind = steps[0]?.before === null ? 'add' : seen === null ? 'delete' : 'edit';
    const why = lost.why ?? 'what it held is not known';
    return { change: { path, kind, hunks: [], exact: false, why, binary: false }, review: null };
  }
  const isWhole = steps.some(({ before, after }) => isWholeSide(before) || isWholeSide(after));
  const {
    base,
    script,
    last,
    wholeBy = [],
    why,
  } = isWhole ? wholeBase(steps, facts) : textBase(steps, facts);
  if (why !== undefined)
    return { change: { path, kind: 'edit', hunks: [], exact: false, why, binary: isWhole }, review: null };
  if (isSameSide(base, last)) return null;
  const kind = base === null ? 'add' : last === null ? 'delete' : 'edit';
  const [before, after] = [textOf(base), textOf(last)];
  const sides = { ...(before && { before }), ...(after && { after }) };
  const hunks = hunksOf(script);
  return {
    change: {
      path,
      kind,
      ...sides,
      modes: modesOf(base, last),
      hunks,
      wholeBy,
      exact: true,
      binary: isWhole,
    },
    review: { before: base, after: last },
  };
}

const modesOf = (before: SeenSide, after: SeenSide) => [before?.mode ?? 0, after?.mode ?? 0] as const;

const isWholeSide = (side: SeenSide) =>
  side !== null && (side.mode === MODE_SYMLINK || isBinary(textOf(side)));

/** A file with all your changes and none of the turn's, and the script from there to the last look. */
interface Base {
  readonly base: SeenSide;
  readonly script: readonly ScriptLine[];
  readonly last: SeenSide;
  /** Who changed the mode, or the file as a whole; left out: nobody did. */
  readonly wholeBy?: readonly HunkOrigin[];
  /** Why the text after is unknown; a sentence for users. */
  readonly why?: string;
}

const NOT_LOOKED_SINCE = 'the AI edited it after copane looked last, and the record does not prove the text';

/** The same bytes with the same permissions, or no file at all. */
export function isSameSide(a: SeenSide, b: SeenSide): boolean {
  if (a === null || b === null) return a === b;
  if (a.bytes === null || b.bytes === null) return false;
  return a.mode === b.mode && sameBytes(a.bytes, b.bytes);
}

const textOf = (side: SeenSide): FileText | undefined =>
  side === null || side.bytes === null ? undefined : { bytes: side.bytes };

/** Line by line. */
function textBase(steps: readonly SeenStep[], facts: TurnFactsOfFile): Base {
  let stands = steps[0]?.before ?? null;
  const lines = new KnownLines(linesOf({ bytes: stands?.bytes ?? new Uint8Array(0) }));
  // Where the session file cannot place a change, the looks can, because they have times.
  const own = new Set(facts.edits.filter((edit) => edit.by === 'tool' || isLater(edit, facts)));
  const left = byTime([...own, ...(facts.othersEdits ?? [])]);
  const wholeBy = new Set<HunkOrigin>();
  steps.forEach((step, at) => {
    const isLast = at === steps.length - 1;
    const uncarried: TurnEdit[] = [];
    const made: TurnEdit[] = [];
    const end = linesOf({ bytes: step.after?.bytes ?? new Uint8Array(0) });
    const changed = new ChangedLines(end);
    for (
      let [edit] = left;
      edit !== undefined &&
      (isMadeBy(edit, step, lines, changed) || (isLast && own.has(edit) && !isLater(edit, facts)));
      [edit] = left
    ) {
      left.shift();
      if (!own.has(edit)) adoptEdit(lines, edit, facts);
      else if (!carry(lines, edit, facts) && edit.by === 'tool') uncarried.push(edit);
      made.push(edit);
    }
    const halfMade = left
      .filter((edit) => own.has(edit))
      .map((edit) => partMadeBy(edit, step, lines, changed));
    const texts = [...uncarried, ...halfMade].flatMap(textsOf);
    if (texts.length > 0) lines.become(ownPart(lines.now() ?? [], end, texts), 'tool');
    const isRecorded = isSameLines(lines.now(), end);
    const isTheirs = made.length > 0 && !made.some((edit) => own.has(edit));
    const told = isTheirs ? 'yours' : 'tool';
    // No tool changes only the mode.
    const isKnown = isRecorded && (isTheirs || facts.edits.length > 0) && !isModeAlone(step);
    const clocked = originOf(step, facts, uncarried.length > 0);
    const origin = isKnown ? told : clocked;
    become(lines, end, origin, step.isOurs);
    // The record has texts: it does not say who changed the mode of a file that was there.
    const modeBy = isModeChanged(step) ? clocked : origin;
    if (modeBy === 'yours') stands = step.after;
    else if (step.before?.mode !== step.after?.mode) wholeBy.add(modeBy);
  });
  const later = left.filter((edit) => own.has(edit));
  let last = steps.at(-1)?.after ?? null;
  for (const edit of later) {
    if (!carry(lines, edit, facts)) return { base: null, script: [], last, why: NOT_LOOKED_SINCE };
    last =
      edit.kind === 'delete'
        ? null
        : { mode: last?.mode ?? MODE_FILE, bytes: bytesOfLines(lines.now() ?? []) };
  }
  const bytes = bytesOfLines(lines.before() ?? []);
  const base = stands === null ? null : { mode: stands.mode, bytes };
  return { base, script: lines.script(), last, wholeBy: [...wholeBy] };
}

const isModeChanged = ({ before, after }: SeenStep) =>
  before !== null && after !== null && before.mode !== after.mode;

const isModeAlone = ({ before, after }: SeenStep) =>
  before?.bytes != null && after?.bytes != null && sameBytes(before.bytes, after.bytes);

/** Whether the edit may be newer than the last look. */
export const isLater = (
  { at, source }: TurnEdit,
  { until = null }: Pick<TurnFactsOfFile, 'until'>,
): boolean => at !== null && until !== null && at - (source === 'commit' ? COMMIT_TICK_MS : 0) > until;

/** Commit times are whole seconds. */
const COMMIT_TICK_MS = 1_000;

/** Of commits in the same second as the last look, those that start from its content were made after it. */
function afterLook({ edits, until = null }: TurnFactsOfFile, seen: SeenSide): readonly TurnEdit[] {
  let now: FileText | undefined = textOf(seen);
  return edits.map((edit) => {
    const { source, at, before, after } = edit;
    const isCut =
      source === 'commit' && at !== null && until !== null && at > until && !isLater(edit, { until });
    const isMet = now === undefined ? edit.kind === 'add' : before !== undefined && sameText(now, before);
    if (!isCut || !isMet) return edit;
    now = after;
    return { ...edit, at: until + COMMIT_TICK_MS + 1 };
  });
}

/** Keeps the order of each AI's own edits; an edit without a time stays in place. */
function byTime(edits: readonly TurnEdit[]): TurnEdit[] {
  return [...edits].sort((a, b) => (a.at === null || b.at === null ? 0 : a.at - b.at));
}

/** Another AI's changes are not part of the turn, just as yours are not. */
function adoptEdit(lines: KnownLines, edit: TurnEdit, facts: TurnFactsOfFile): void {
  const now = lines.now();
  if (now === null) return;
  const theirs = new KnownLines(now);
  const before = sideLines(edit.before, theirs);
  const isMet = before === null || isSameLines(before, now);
  const after = isMet && carry(theirs, edit, facts) ? theirs.now() : null;
  if (after !== null) lines.adopt(after);
}

/** Whether the edit had been made by then: its result may be recorded after the look that saw its lines. */
function isMadeBy(edit: TurnEdit, { seenAt }: SeenStep, lines: KnownLines, changed: ChangedLines): boolean {
  const { at } = edit;
  if (at === null || at <= seenAt) return true;
  if (at > seenAt + HOOK_MS) return false;
  const after = sideLines(edit.after, lines);
  if (after !== null && isSameLines(after, changed.to)) return true;
  return changed.have(lines.now() ?? [], textsOf(edit));
}

/** A tree or a commit reports several edits as one: only some of them may have been made by then. */
function partMadeBy(
  { at, asked = [] }: TurnEdit,
  { seenAt }: SeenStep,
  lines: KnownLines,
  changed: ChangedLines,
): Pick<TurnEdit, 'asked'> {
  const isNear = asked.length > 1 && at !== null && at <= seenAt + HOOK_MS;
  const now = lines.now() ?? [];
  return { asked: asked.filter((one) => isNear && changed.have(now, textsOf({ asked: [one] }))) };
}

const isSameLines = (a: readonly string[] | null, b: readonly string[]) => a?.join('') === b.join('');

function become(lines: KnownLines, now: readonly string[], origin: HunkOrigin, isOurs = false): void {
  if (origin === 'yours') lines.adopt(now, isOurs);
  else lines.become(now, origin, true);
}

/** False if the session file does not say what the edit did to exactly this text. */
function carry(lines: KnownLines, edit: TurnEdit, facts: TurnFactsOfFile): boolean {
  const wrote = edit.asked && replayedLines(lines.now() ?? [], edit.asked);
  if (wrote != null) return lines.become(wrote, edit.by);
  const before = sideLines(edit.before, lines);
  if (before === null) return edit.kind === 'add' ? put(lines, edit) : carryPatch(lines, edit);
  const isMet = edit.kind === 'add' || isSameLines(lines.now(), before);
  // The rest of the difference may not be the tool's.
  if (!isMet && edit.asked !== undefined) return false;
  if (!isMet) become(lines, before, betweenOrigin(edit, facts));
  return put(lines, edit);
}

function put(lines: KnownLines, edit: TurnEdit): boolean {
  if (edit.kind === 'delete') return lines.become([], edit.by);
  const after = sideLines(edit.after, lines);
  return after !== null && lines.become(after, edit.by);
}

function carryPatch(lines: KnownLines, edit: TurnEdit): boolean {
  if (edit.kind === 'delete' || edit.after !== undefined) return put(lines, edit);
  return edit.patch !== undefined && edit.lost !== 'loose' && lines.apply(edit.patch, edit.by);
}

/** The lines of a side as they are on disk; null if that is unknown. */
function sideLines(side: FileText | undefined, lines: KnownLines): readonly string[] | null {
  if (side === undefined) return null;
  const bytes = bytesOf(side);
  if ('bytes' in side) return linesOf(side);
  const now = lines.now();
  const text = now === null ? new Uint8Array(0) : bytesOfLines(now);
  if (!text.includes(CR)) return linesOf({ bytes });
  return isUniformCrlf(text) ? linesOf({ bytes: withCrlf(bytes) }) : null;
}

const CR = 0x0d;

/** Who changed the file before this edit: you, if no command of the AI had run; otherwise unknown. */
function betweenOrigin(edit: TurnEdit, { commands, edits }: TurnFactsOfFile): HunkOrigin {
  const isFirst = edits[0] === edit;
  return isFirst && commands.every(({ order }) => order > edit.order) ? 'yours' : 'unknown';
}

/** Attributes an unrecorded change by the time of the file's last change. */
function originOf(
  { changedAt, since, isBetween, isOurs }: SeenStep,
  { commands, edits, editTimes, othersCommands = [] }: TurnFactsOfFile,
  isUncarried: boolean,
): HunkOrigin {
  if (isOurs === true) return 'yours';
  const ran = commands.filter(({ outcome }) => outcome !== 'refused');
  const isOver = ({ command, at, endedAt }: TurnCommand) =>
    (endedAt != null && !RUNS_ON.test(command)) ||
    (at !== null && changedAt !== null && at - SLACK_MS > changedAt);
  if (isBetween === true && ran.every(isOver)) return 'yours';
  if (changedAt === null) return 'unknown';
  const surely = ran.filter(({ outcome }) => outcome !== 'unknown');
  // Without a look in between, what you wrote before the prompt is part of the same step.
  const isLookedAt = ({ turnAt = null }: TurnCommand) => since !== null && turnAt !== null && since >= turnAt;
  const itsOwn = surely.filter((command) => isDuring(changedAt, command, 0));
  if (itsOwn.length > 0) {
    const isAnothers = othersCommands.some((command) => isDuring(changedAt, command, SLACK_MS));
    return itsOwn.some((one) => isShort(one) && isLookedAt(one)) && !isAnothers ? 'command' : 'unknown';
  }
  // Within a tick of its start or end, or if it may not have run, the change is the command's or yours.
  if (ran.some((command) => isDuring(changedAt, command, SLACK_MS))) return 'unknown';
  const near = (at: number | null, ms: number) => at !== null && Math.abs(changedAt - at) <= ms;
  // What is left of an edit that could not be placed may be yours.
  if (isUncarried || editTimes.some((at) => near(at, HOOK_MS))) return 'unknown';
  // On a busy machine the result of an edit is recorded long after the edit.
  const isCalled = ({ at, calledAt }: TurnEdit) =>
    at !== null && calledAt != null && isDuring(changedAt, { at: calledAt, endedAt: at }, SLACK_MS);
  if (edits.some(isCalled)) return 'unknown';
  // The last change is yours. But a command since the previous look, or a running one, may also have written it.
  const isApart = ({ command, at, endedAt }: TurnCommand) =>
    at !== null &&
    ((since !== null && endedAt != null && endedAt + SLACK_MS < since && !RUNS_ON.test(command)) ||
      at - SLACK_MS > changedAt);
  return ran.every(isApart) ? 'yours' : 'unknown';
}

function isDuring(
  changedAt: number,
  { at, endedAt }: Pick<TurnCommand, 'at' | 'endedAt'>,
  slackMs: number,
): boolean {
  // Session files have whole milliseconds; file times have fractions of them.
  const stamp = Math.floor(changedAt);
  return at !== null && endedAt != null && stamp >= at - slackMs && stamp <= endedAt + slackMs;
}

/** During a longer command, or a long wait for permission, the user may well write to files. */
const SHORT_COMMAND_MS = 10_000;

const isShort = ({ at, endedAt }: TurnCommand) =>
  at !== null && endedAt != null && endedAt - at <= SHORT_COMMAND_MS;

/** Part of the command continues in the background after the call has returned. */
const RUNS_ON = /(^|[^&>|])&(?![&>])/;

/** Treats the file as a whole: its lines cannot be attributed. */
function wholeBase(steps: readonly SeenStep[], facts: TurnFactsOfFile): Base {
  const isTool = facts.edits.length > 0;
  let base = steps[0]?.before ?? null;
  const last = steps.at(-1)?.after ?? null;
  if (facts.edits.some((edit) => isLater(edit, facts)))
    return { base, script: [], last, why: NOT_LOOKED_SINCE };
  const wholeBy = new Set<HunkOrigin>();
  for (const step of steps) {
    const isTheirs = (facts.othersEdits ?? []).some(({ at }) => at === null || at <= step.seenAt + SLACK_MS);
    const origin = isLeftBy(facts.edits, step) ? 'tool' : originOf(step, facts, false);
    const isYours = !isTool && (isTheirs || origin === 'yours');
    if (isYours && isSameSide(base, step.before)) base = step.after;
    // Your changes on top of the AI's cannot be told apart.
    else wholeBy.add(isYours || origin === 'yours' ? 'unknown' : origin);
  }
  return { base, script: [], last, wholeBy: [...wholeBy] };
}

/** Whether the session file proves that an edit of a tool left the file as it is after the step. */
function isLeftBy(edits: readonly TurnEdit[], { after }: SeenStep): boolean {
  return edits.some(({ kind, by, after: left }) => {
    if (by !== 'tool') return false;
    if (after === null) return kind === 'delete';
    return (
      left !== undefined && 'bytes' in left && after.bytes !== null && sameBytes(left.bytes, after.bytes)
    );
  });
}
