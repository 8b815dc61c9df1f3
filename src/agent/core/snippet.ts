/**
 * Finds the lines of a file that code in an answer should replace: small models write out the new version of a
 * function, and do not say where it is. The code is placed only if no guess is needed:
 *
 * - It is one block: a header, deeper lines and a closing line. The header occurs once in the file, unchanged.
 * - It ends with the same closing line as the block in the file, or its last line is in the block.
 * - Each line of the file in between is in the code, or was replaced by another. So nothing that the model did not show
 *   is deleted, and no definition inside is replaced by another one.
 * - The whole code moves by the offset between the two headers. Its brackets are as balanced as the replaced ones.
 *
 * Otherwise the model is asked to quote the lines. Pure.
 */
import { alignSequences, Interner } from '../../lib/sequence-diff.ts';
import { squeeze } from '../../lib/squeeze.ts';

type Lines = readonly string[];

/** Lines `[start, end)` of the file, and their replacement. */
export interface PlacedSnippet {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/** How much of a file may be missing in a text with the same beginning and end: a share, and at most so many lines. */
const MISSING_MAX_SHARE = 0.1;
const MISSING_MAX_LINES = 3;
/** The share of a file that must remain in such a text. */
const KEPT_LEAST_SHARE = 0.5;
const TAB_WIDTH = 4;

const KEYWORDS = 'end|else|elif|elsif|except|finally|catch|rescue|ensure|fi|done|esac';
const CLOSES = new RegExp(`^(?:[)\\]}]|(?:${KEYWORDS})\\b)`);
const SAYS_NOTHING = new RegExp(
  `^(?:return|try|do|begin|then|pass|break|continue|${KEYWORDS})?[^\\p{L}\\p{N}]*$`,
  'u',
);
const DEFINES =
  /^(?:.*\b)?(?:def|class|function|func|fn|interface|struct|enum|impl|trait)\b|^(?!(?:if|for|while|switch|catch|with)\b)[\w#* ]+\([^()]*\)[^;=]*\{$/;

const isBracket = (line: string): boolean => /^[\s()[\]{};,]*$/.test(line);
/** Whether a line identifies a place: not if it is blank, a bracket or a lone `return`. */
const isTelling = (line: string): boolean => !isBracket(line) && !SAYS_NOTHING.test(line.trim());
const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? '';
const widthOf = (line: string): number => indentOf(line).replaceAll('\t', ' '.repeat(TAB_WIDTH)).length;

/** Where `written` belongs in `file`, both as lines without line ends; null if unclear. */
export function placeSnippet(file: Lines, written: Lines): PlacedSnippet | null {
  const snippet = withoutBlankEnds(written);
  const [header = ''] = snippet;
  const start = isTelling(header) ? onlyIndexOf(file.map(squeeze), squeeze(header)) : -1;
  if (start === -1 || blockEnd(snippet, 0) !== snippet.length) return null;
  const block = file.slice(start, blockEnd(file, start));
  const length = lengthToReplace(block, snippet);
  const moved = movedTo(block, snippet);
  if (length === 0 || moved === null) return null;
  const replaced = block.slice(0, length);
  // The rest of the block keeps its indentation.
  if (length < block.length && widthOf(moved.at(-1) ?? '') !== widthOf(replaced.at(-1) ?? '')) return null;
  const { lost, definitionsLost } = difference(replaced, moved);
  if (lost > 0 || definitionsLost > 0 || openBrackets(moved) !== openBrackets(replaced)) return null;
  return { start, end: start + length, newText: moved.join('\n') };
}

/**
 * Whether `written` is a new version of the whole `file`: it has every line in order, or it has the same beginning and
 * end and nearly all lines are kept or replaced.
 */
export function isWholeFile(file: Lines, written: Lines): boolean {
  const { told, kept, lost } = difference(file, written);
  if (told > 0 && kept === told) return true;
  const [old, fresh] = [file.filter(isTelling), written.filter(isTelling)].map((lines) => lines.map(squeeze));
  const isFramed = old?.[0] !== undefined && old[0] === fresh?.[0] && old.at(-1) === fresh.at(-1);
  const missingMax = Math.min(told * MISSING_MAX_SHARE, MISSING_MAX_LINES);
  return isFramed && lost <= missingMax && kept >= told * KEPT_LEAST_SHARE;
}

/**
 * Whether `written`, by a model asked to write out the whole `file`, is complete. Lines deleted without replacement are
 * accepted if `asked` names something that occurs only in them. A copy that begins late, stops early or leaves lines
 * out is incomplete.
 */
export function isWholeAnswer(file: Lines, written: Lines, asked: string): boolean {
  const { told, kept, gaps } = difference(file, written);
  const left = new Set(wordsOf(written.join('\n')));
  const named = new Set(wordsOf(asked).filter((word) => !left.has(word)));
  const isMeant = (gap: Lines) => wordsOf(gap.join('\n')).some((word) => named.has(word));
  return kept >= told * KEPT_LEAST_SHARE && gaps.every(isMeant);
}

const wordsOf = (text: string): Lines => text.match(/[\p{L}\p{N}_$-]{2,}/gu) ?? [];

/** Whether `written` has a line that identifies a place in `file`. */
export function sharesLine(file: Lines, written: Lines): boolean {
  const known = new Set(file.map(squeeze));
  return written.some((line) => isTelling(line) && known.has(squeeze(line)));
}

/** Whether each of these lines is in `written`, or was replaced by another line. */
export const showsAll = (lines: Lines, written: Lines): boolean => difference(lines, written).lost === 0;

function withoutBlankEnds(lines: Lines): Lines {
  const isSaid = (line: string) => line.trim() !== '';
  return lines.slice(Math.max(0, lines.findIndex(isSaid)), lines.findLastIndex(isSaid) + 1);
}

function onlyIndexOf(lines: Lines, line: string): number {
  const first = lines.indexOf(line);
  return first === lines.lastIndexOf(line) ? first : -1;
}

/** The end of the block whose header is at `start`: the deeper lines, and closing lines at its own depth. */
function blockEnd(lines: Lines, start: number): number {
  const depth = widthOf(lines[start] ?? '');
  let end = start + 1;
  for (let at = end; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.trim() === '') continue;
    const width = widthOf(line);
    if (width < depth || (width === depth && !CLOSES.test(line.trim()))) break;
    end = at + 1;
  }
  return end;
}

/** How many lines of the block the snippet replaces; 0 if unclear. */
function lengthToReplace(block: Lines, snippet: Lines): number {
  const last = snippet.at(-1) ?? '';
  const bare = last.trim();
  const isClosed = CLOSES.test(bare) && widthOf(last) === widthOf(snippet[0] ?? '');
  const ends = block.at(-1) ?? '';
  if (isClosed) return ends.trim() === bare && widthOf(ends) === widthOf(block[0] ?? '') ? block.length : 0;
  if (snippet.length === 1 || !isTelling(last)) return 0;
  const times = (lines: Lines) => lines.filter((line) => line.trim() === bare).length;
  return times(snippet) < times(block) ? 0 : block.findLastIndex((line) => line.trim() === bare) + 1;
}

/** The snippet with the header and the indentation of the block, in tabs or blanks as there. */
function movedTo(block: Lines, snippet: Lines): Lines | null {
  const same = withIndentsOf(block, snippet);
  if (same === null) return null;
  const [from, to] = [indentOf(same[0] ?? ''), indentOf(block[0] ?? '')];
  if (same.some((line) => line.trim() !== '' && !line.startsWith(from))) return null;
  return same.map((line, at) => {
    if (at === 0) return block[0] ?? '';
    return line.trim() === '' ? line : to + line.slice(from.length);
  });
}

/** Converts tabs to blanks or the reverse if the block uses only the other; null if the steps do not divide evenly. */
function withIndentsOf(block: Lines, snippet: Lines): Lines | null {
  const has = (lines: Lines, character: string) => lines.some((line) => line.startsWith(character));
  if (has(block, '\t') && !has(block, ' ') && has(snippet, ' ')) {
    const step = stepOf(snippet);
    if (has(snippet, '\t') || snippet.some((line) => indentOf(line).length % step !== 0)) return null;
    return snippet.map((line) => '\t'.repeat(indentOf(line).length / step) + line.trimStart());
  }
  if (has(block, ' ') && !has(block, '\t') && has(snippet, '\t')) {
    const step = ' '.repeat(stepOf(block));
    return snippet.map((line) => indentOf(line).replaceAll('\t', step) + line.trimStart());
  }
  return snippet;
}

/** By how much the first deeper line is deeper than the header. */
function stepOf([header = '', ...lines]: Lines): number {
  const base = indentOf(header).length;
  const deeper = lines.filter((line) => line.trim() !== '').map((line) => indentOf(line).length - base);
  return Math.max(1, Math.min(...deeper.filter((depth) => depth > 0).slice(0, 100), 8));
}

/**
 * Counts the lines of `before` without brackets: all, kept in order, and deleted without replacement; and the runs of
 * lines (`gaps`) with such deletions, or with a definition that is not replaced by another.
 */
function difference(before: Lines, after: Lines) {
  const bare = (lines: Lines) => lines.filter((line) => !isBracket(line)).map((line) => line.trim());
  const [old, fresh] = [bare(before), bare(after)];
  const interner = new Interner();
  const partners = alignSequences(interner.idsOf(old), interner.idsOf(fresh));
  const gaps: Lines[] = [];
  let [kept, lost, definitionsLost, gap, next] = [0, 0, 0, 0, 0];
  for (let at = 0; at <= old.length; at += 1) {
    const partner = at === old.length ? fresh.length : (partners[at] ?? -1);
    if (partner === -1) {
      gap += 1;
      if (DEFINES.test(old[at] ?? '')) definitionsLost += 1;
      continue;
    }
    const gone = Math.max(0, gap - (partner - next));
    const [replaced, inPlace] = [old.slice(at - gap, at), fresh.slice(next, partner)];
    if (gone > 0 || definitionsIn(replaced) > definitionsIn(inPlace)) gaps.push(replaced);
    lost += gone;
    [gap, next] = [0, partner + 1];
    if (at < old.length) kept += 1;
  }
  return { told: old.length, kept, lost, definitionsLost, gaps };
}

const definitionsIn = (lines: Lines): number => lines.filter((line) => DEFINES.test(line)).length;

function openBrackets(lines: Lines): number {
  let open = 0;
  for (const line of lines)
    for (const character of line) {
      if ('([{'.includes(character)) open += 1;
      if (')]}'.includes(character)) open -= 1;
    }
  return open;
}
