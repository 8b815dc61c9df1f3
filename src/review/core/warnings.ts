/** Warnings before a change is decided: hidden characters, text out of view, files that run by themselves. Pure. */

import { characterName } from '../../lib/character-names.ts';
import { firstFew } from '../../lib/count.ts';
import { findHiddenSteps } from '../../lib/hidden-text.ts';
import { runAtOnce, type Steps } from '../../lib/steps.ts';
import type { HunkWarning } from '../../protocol/review.ts';
import { type ByteString, CR, displayBytes, LF, latin1 } from './bytes.ts';
import type { Change, Subject } from './change.ts';
import { ADDED, CONTEXT, type HunkBody, REMOVED } from './hunk-body.ts';
import { lineStart, lineTable } from './line-table.ts';
import type { PatchHunk } from './patch-model.ts';
import { type RunningLinks, whyItRuns } from './self-running.ts';

/** Kinds of hidden characters that a warning names; it counts the rest. */
const NAMED_MAX_KINDS = 6;
/** Most lines that a warning names. */
const NAMED_MAX_LINES = 5;
/** So many blank cells in a row that nobody expects more text. */
export const FAR_BLANK_CELLS = 80;
const TAB_CELLS = 4;
/** How much unusual text of a change is checked for hidden characters: each may cost a microsecond. */
export const LOOKED_AT_MAX_BYTES = 512 * 1024;

const LINES_A_STEP = 500;
/** A longer line is scanned in parts of this size, with pauses between them. */
const LINE_BYTES_A_STEP = 256 * 1024;

const PERMISSION_TO_RUN = 0o100;
const TAB = 0x09;
const SPACE = 0x20;
const TILDE = 0x7e;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The warnings on every change to the file at `path`. */
export function fileWarnings(path: string, links?: RunningLinks): readonly HunkWarning[] {
  const why = whyItRuns(path, links);
  const hidden = new HiddenCount();
  runAtOnce(hidden.add(path));
  return [
    ...(why === null ? [] : [{ kind: 'runs' as const, text: `This file runs by itself: ${why}` }]),
    ...hidden.warnings('The name of this file has '),
  ];
}

/** Warnings on new things that no line shows: a link's target, an executable bit. */
export function newFileWarnings({ operation, newPath, newMode, whole }: Subject): readonly HunkWarning[] {
  if (newPath === null) return [];
  if (whole?.new?.type !== 'symlink') {
    const isNew = operation === 'create' || (whole?.old ?? whole?.new)?.type === 'symlink';
    const runs = isNew && ((newMode ?? 0) & PERMISSION_TO_RUN) !== 0;
    return runs ? [{ kind: 'mode', text: 'This new file comes with the permission to run' }] : [];
  }
  const target = latin1(whole.new.bytes);
  if (!leadsOut(newPath, target)) return [];
  return [{ kind: 'link', text: `This link leads out of the project, to ${displayBytes(target)}` }];
}

function leadsOut(path: ByteString, target: ByteString): boolean {
  if (target.startsWith('/')) return true;
  let depth = path.split('/').length - 1;
  for (const part of target.split('/')) {
    if (part === '..') depth -= 1;
    else if (part !== '' && part !== '.') depth += 1;
    if (depth < 0) return true;
  }
  return false;
}

/** The warnings on one change, in steps. `whole`: the text of a change without lines. */
export function* changeWarnings(
  change: Change,
  whole: () => { readonly bytes: Uint8Array; readonly linesBefore: number },
): Steps<readonly HunkWarning[]> {
  const hidden = new HiddenCount();
  const far: string[] = [];
  if (change.body !== null) yield* lookAtLines(change, change.body, hidden, far);
  else {
    const { bytes, linesBefore } = whole();
    const hunk = { oldStart: 1, oldCount: 1, newStart: linesBefore + 1, newCount: 1 };
    yield* lookAtLines({ picked: null, hunk }, addedBody(bytes), hidden, far);
  }
  return [
    ...hidden.warnings(''),
    ...(far.length === 0 ? [] : [{ kind: 'far' as const, text: farWords(far) }]),
  ];
}

/** A text with only new lines. */
function addedBody(bytes: Uint8Array): HunkBody {
  const table = lineTable(bytes);
  const start = (i: number) => lineStart(table, i);
  return { bytes, count: table.count, op: () => ADDED, start, end: (i) => start(i + 1) };
}

interface Numbered extends Pick<Change, 'picked'> {
  readonly hunk: Pick<PatchHunk, 'oldStart' | 'oldCount' | 'newStart' | 'newCount'> | null;
}

function* lookAtLines(change: Numbered, body: HunkBody, hidden: HiddenCount, far: string[]): Steps<void> {
  let oldLine = Math.max(1, (change.hunk?.oldStart ?? 1) + (change.hunk?.oldCount === 0 ? 1 : 0));
  let newLine = Math.max(1, (change.hunk?.newStart ?? 1) + (change.hunk?.newCount === 0 ? 1 : 0));
  for (let i = 0; i < body.count; i += 1) {
    const op = body.op(i);
    const isOurs = op === CONTEXT || change.picked === null || change.picked.has(i);
    if (isOurs) {
      const start = body.start(i);
      const end = textEnd(body, i);
      const look = { blanks: 0, isUnusual: false, isFar: false };
      lookAt(look, body.bytes, start, Math.min(end, start + LINE_BYTES_A_STEP));
      for (let from = start + LINE_BYTES_A_STEP; from < end; from += LINE_BYTES_A_STEP) {
        yield;
        lookAt(look, body.bytes, from, Math.min(end, from + LINE_BYTES_A_STEP));
      }
      if (look.isUnusual) yield* hidden.addBytes(body.bytes.subarray(start, end));
      if (look.isFar) far.push(op === REMOVED ? `${oldLine} before` : String(newLine));
    }
    if (i % LINES_A_STEP === LINES_A_STEP - 1) yield;
    if (op !== ADDED) oldLine += 1;
    if (op !== REMOVED) newLine += 1;
  }
}

interface LineLook {
  /** Cells of blanks right before the current position. */
  blanks: number;
  /** It has more than printable ASCII and TABs. */
  isUnusual: boolean;
  /** It has text after a long run of blanks. */
  isFar: boolean;
}

/** The end of a line's text, without its line end. */
function textEnd(body: HunkBody, i: number): number {
  const { bytes } = body;
  const start = body.start(i);
  const end = body.end(i);
  if (end === start || bytes[end - 1] !== LF) return end;
  return end - 1 > start && bytes[end - 2] === CR ? end - 2 : end - 1;
}

/** Scans only the bytes: most lines need no text. */
function lookAt(look: LineLook, bytes: Uint8Array, from: number, to: number): void {
  let { blanks } = look;
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at] as number;
    if (byte === SPACE) blanks += 1;
    else if (byte === TAB) blanks += TAB_CELLS;
    else {
      if (blanks >= FAR_BLANK_CELLS) look.isFar = true;
      blanks = 0;
      if (byte < SPACE || byte > TILDE) look.isUnusual = true;
    }
  }
  look.blanks = blanks;
}

function farWords(lines: readonly string[]): string {
  const named = firstFew(lines, NAMED_MAX_LINES);
  const one = lines.length === 1;
  return `Text far to the right, after ${FAR_BLANK_CELLS} blanks or more, in line${one ? '' : 's'} ${named}`;
}

/** Hidden characters by code point, in order of appearance. */
class HiddenCount {
  readonly #counts = new Map<number, number>();
  #total = 0;
  #bytesLeft = LOOKED_AT_MAX_BYTES;
  #isCutShort = false;

  /** Adds a line of a file. What exceeds the bound is not checked, and a warning says so. */
  *addBytes(line: Uint8Array): Steps<void> {
    this.#isCutShort ||= line.length > this.#bytesLeft;
    if (this.#bytesLeft === 0) return;
    yield* this.add(decoder.decode(line.subarray(0, this.#bytesLeft)));
    this.#bytesLeft = Math.max(0, this.#bytesLeft - line.length);
  }

  *add(text: string): Steps<void> {
    for (const { codePoint } of yield* findHiddenSteps(text)) {
      this.#counts.set(codePoint, (this.#counts.get(codePoint) ?? 0) + 1);
      this.#total += 1;
    }
  }

  warnings(before: string): HunkWarning[] {
    const found: HunkWarning[] = this.#total === 0 ? [] : [{ kind: 'hidden', text: before + this.#words() }];
    if (!this.#isCutShort) return found;
    const most = `${LOOKED_AT_MAX_BYTES / 1024} KiB`;
    const text = `Only the first ${most} of its lines beyond plain ASCII were checked for hidden characters`;
    return [...found, { kind: 'hidden', text }];
  }

  /** `3 hidden characters: U+200B ZERO WIDTH SPACE (2), U+202E RIGHT-TO-LEFT OVERRIDE`. */
  #words(): string {
    const named = [...this.#counts]
      .slice(0, NAMED_MAX_KINDS)
      .map(([codePoint, count]) => `${characterName(codePoint)}${count === 1 ? '' : ` (${count})`}`);
    const left = this.#counts.size - named.length;
    const more = left > 0 ? ` and ${left} other kind${left === 1 ? '' : 's'}` : '';
    return `${this.#total} hidden character${this.#total === 1 ? '' : 's'}: ${named.join(', ')}${more}`;
  }
}
