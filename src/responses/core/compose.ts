/** Composes the message from notes, exactly as it will be sent, with its size. Sends nothing. */

import { type Failure, fail, ok, type Result } from '../../lib/result.ts';
import { graphemesOf } from '../../lib/width.ts';
import type { DraftPull, NoteContext } from '../../protocol/draft.ts';
import type { NotesAnswer } from '../../protocol/notes.ts';
import { type Anchor, countNotes, type NoteItem } from './notes.ts';

/** Longest quote of an answered line, in characters, without its `> ` and `…`. */
export const QUOTE_MAX_CHARS = 80;
/** A quote is never shorter than this, even if unique: two words tell a reader little. */
const QUOTE_MIN_CHARS = 24;
/** Rough figures for English text and code, and for other scripts. */
const ASCII_CHARS_PER_TOKEN = 4;

export interface ComposeOptions {
  readonly context: NoteContext;
  /** The pulled texts, among whose lines a quote must be unique. */
  readonly pulls: readonly DraftPull[];
  /** Changed and ambiguous lines that the user chose in the preview; null without a preview. */
  readonly chosen: ReadonlySet<number> | null;
}

export interface ComposedMessage
  extends Pick<NotesAnswer, 'byteCount' | 'lineCount' | 'tokenCount' | 'noteCount'> {
  readonly text: string;
}

interface Group {
  readonly anchor: Anchor | null;
  readonly lines: string[];
}

/** The message of these items, in order. */
export function composeMessage(items: readonly NoteItem[], options: ComposeOptions): Result<ComposedMessage> {
  const open =
    options.chosen === null ? items.filter((item) => item.kind !== 'note' && !isBlank(item.text)) : [];
  if (open.length > 0) return { ok: false, error: undecided(open) };
  const going = items.filter((item) => item.kind === 'note' || options.chosen?.has(item.line) === true);
  const noteCount = countNotes(
    going.flatMap((item, at) => (continues(item, going[at - 1]) ? [item.text] : [null, item.text])),
  );
  if (noteCount === 0) {
    return fail(
      'refused',
      'Nothing to send: there is no note with text.',
      'Write a note below a line, then send.',
    );
  }
  const text = options.context === 'bare' ? bare(going) : quoted(going, options);
  return ok({ text, noteCount, ...measureMessage(text) });
}

/** Whether the item continues the one before: the next buffer line, of the same kind. */
function continues(item: NoteItem, before: NoteItem | undefined): boolean {
  return before?.line === item.line - 1 && before.kind === item.kind;
}

/** Bytes (UTF-8), lines and a rough count of tokens. */
export function measureMessage(
  text: string,
): Pick<ComposedMessage, 'byteCount' | 'lineCount' | 'tokenCount'> {
  const wide = text.replace(/[\u0000-\u007f]/g, '').length;
  return {
    byteCount: new TextEncoder().encode(text).length,
    lineCount: text === '' ? 0 : text.split('\n').length,
    tokenCount: Math.ceil((text.length - wide) / ASCII_CHARS_PER_TOKEN) + wide,
  };
}

/**
 * The shortest beginning of `line` that no other of `lines` has, in whole words if possible; at most `QUOTE_MAX_CHARS`,
 * with `…` if it was cut. Heading, list and quote markers are left out.
 */
export function shortQuote(line: string, lines: readonly string[]): string {
  const text = bareLine(line);
  const others = lines.filter((other) => other !== line).map(bareLine);
  const characters = graphemesOf(text);
  if (characters.length <= QUOTE_MIN_CHARS) return text;
  for (const length of wordEnds(characters)) {
    const beginning = characters.slice(0, length).join('').trimEnd();
    const isUnique = !others.some((other) => other.startsWith(beginning));
    if (isUnique) return length >= characters.length ? text : `${beginning} …`;
  }
  if (characters.length <= QUOTE_MAX_CHARS) return text;
  return `${characters.slice(0, QUOTE_MAX_CHARS).join('').trimEnd()} …`;
}

/** Lengths from `QUOTE_MIN_CHARS` to `QUOTE_MAX_CHARS` at which a word ends. */
function wordEnds(characters: readonly string[]): readonly number[] {
  const ends: number[] = [];
  const last = Math.min(characters.length, QUOTE_MAX_CHARS);
  for (let length = QUOTE_MIN_CHARS; length <= last; length += 1) {
    if (length === characters.length || characters[length] === ' ') ends.push(length);
  }
  return ends;
}

const bareLine = (line: string): string => line.trim().replace(/^(?:(?:#{1,6}|[-*+•>]|\d{1,3}[.)])\s+)+/, '');

function bare(items: readonly NoteItem[]): string {
  return trimBlankEdges(items.map((item) => item.text)).join('\n');
}

function quoted(items: readonly NoteItem[], { context, pulls }: ComposeOptions): string {
  const groups: Group[] = [];
  for (const { anchor, text } of items) {
    const last = groups.at(-1);
    if (last !== undefined && isSameAnchor(last.anchor, anchor)) last.lines.push(text);
    else groups.push({ anchor, lines: [text] });
  }
  const blocks = groups.map(({ anchor, lines }) => {
    const note = trimBlankEdges(lines);
    if (anchor === null || note.length === 0) return note.join('\n');
    const pulled = pulls.find((pull) => pull.turnId === anchor.turnId)?.lines ?? [];
    const quote = context === 'line' ? anchor.text.trim() : shortQuote(anchor.text, pulled);
    return [`> ${quote}`, ...note].join('\n');
  });
  return blocks.filter((block) => block !== '').join('\n\n');
}

function isSameAnchor(a: Anchor | null, b: Anchor | null): boolean {
  return a === b || (a !== null && b !== null && a.turnId === b.turnId && a.row === b.row);
}

function undecided(items: readonly NoteItem[]): Failure {
  const [first] = items;
  const what = items.some((item) => item.kind === 'ambiguous')
    ? "could be yours or the response's"
    : 'were edited';
  const count = items.length === 1 ? '1 line needs' : `${items.length} lines need`;
  return {
    code: 'refused',
    message: `Nothing was sent: ${count} a look first (${what}): ${JSON.stringify(first?.text.trim().slice(0, QUOTE_MAX_CHARS))}`,
    hint: 'Open the preview and choose what to send.',
  };
}

const isBlank = (text: string): boolean => text.trim() === '';

function trimBlankEdges(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => !isBlank(line));
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex((line) => !isBlank(line)) + 1);
}
