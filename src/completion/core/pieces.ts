/** Cuts a command line into the pieces that the word model learns; joined again they give the line, byte for byte. */
import { isSeparator, type Token, tokenize } from './tokens.ts';

/** Begins a piece that directly follows the previous one. */
const GLUE = '\u0004';

/** A word of a line with the separator before it. */
export type Piece = string;

/** The pieces of a line; null if it cannot be cut: something in it is open, or it contains a here-document. */
export function piecesOf(line: string): readonly Piece[] | null {
  const tokens = tokenize(line);
  if (tokens.some(({ open, kind, text }) => open || (kind === 'redirect' && isHereDocument(text))))
    return null;
  return tokens.map((token, at) => pieceOf(line, token, tokens[at - 1]));
}

const isHereDocument = (text: string): boolean => /^(?:\d+|\{\w+\})?<<(?!<)/.test(text);

function pieceOf(line: string, token: Token, before: Token | undefined): Piece {
  if (before === undefined) return token.text;
  const gap = line.slice(before.end, token.start);
  if (gap === ' ') return token.text;
  return gap === '' ? GLUE + token.text : gap + token.text;
}

/** The typed part of a line: complete pieces, and the start of the one at the cursor (empty after a blank). */
export interface TypedPieces {
  readonly before: readonly Piece[];
  readonly current: Piece;
  /** The line up to the current piece's own text. */
  readonly base: string;
  /** The blanks that the line ends in. */
  readonly gap: string;
}

/** Cuts the part of a line before the cursor. */
export function typedPieces(left: string): TypedPieces {
  const tokens = tokenize(left);
  const pieces = tokens.map((token, at) => pieceOf(left, token, tokens[at - 1]));
  const last = tokens.at(-1);
  if (last === undefined || last.end < left.length) {
    return { before: pieces, current: '', base: left, gap: left.slice(last?.end ?? 0) };
  }
  return {
    before: pieces.slice(0, -1),
    current: pieces.at(-1) ?? '',
    base: left.slice(0, last.start),
    gap: '',
  };
}

/** The text of a piece without its separator. */
export function textOf(piece: Piece): string {
  return piece.startsWith(GLUE) ? piece.slice(1) : piece.replace(/^[ \t\r]+/, '');
}

/** Whether a piece follows the previous one after one blank, as usual. */
export const isPlain = (piece: Piece): boolean => !piece.startsWith(GLUE) && !/^[ \t\r]/.test(piece);

/** Whether a piece may follow the typed blanks: an ordinary piece, or one learned after the same blanks. */
export const mayFollow = (gap: string, piece: Piece): boolean =>
  isPlain(piece) || piece === gap + textOf(piece);

/** `left`, which ends in a complete piece, with one more piece. */
export function append(left: string, piece: Piece): string {
  return isPlain(piece) ? `${left} ${piece}` : left + (piece.startsWith(GLUE) ? piece.slice(1) : piece);
}

interface Change {
  readonly closes: string;
  readonly opens: string;
}

/** `word closed opened`: the innermost construct that must be open before, and the one open after; `-`: nothing. */
const changes = (...rows: readonly string[]): ReadonlyMap<string, Change> =>
  new Map(
    rows.map((row) => {
      const [word = '', closes = '', opens = ''] = row.split(' ');
      return [word, { closes, opens }];
    }),
  );
/** Where a command begins. */
const RESERVED = changes(
  ...[
    'if - if',
    'then if if',
    'elif if if',
    'else if if',
    'fi if -',
    'case - case',
    'esac case -',
    '[[ - [[',
  ],
  ...['for', 'while', 'until', 'select', 'repeat'].map((word) => `${word} - loop`),
  ...['do loop do', 'done do -'],
);
/** Brackets, wherever they are separate words. */
const BRACKETS = changes('{ - {', '} { -', '( - (', ') ( -');
const NO_CHANGE: Change = { closes: '-', opens: '-' };
/** Words after which a command begins, as after a separator. */
const BEFORE_COMMAND = new Set('then else elif do if while until ! time fi esac done } )'.split(' '));

/** How many compound commands, groups and conditions these pieces leave open; null: one is closed that is not open. */
export function openConstructs(pieces: readonly Piece[]): number | null {
  const open: string[] = [];
  let isCommand = true;
  for (const piece of pieces) {
    const text = textOf(piece);
    const inside = open.at(-1);
    const { closes, opens } = BRACKETS.get(text) ?? (isCommand ? RESERVED.get(text) : undefined) ?? NO_CHANGE;
    if (inside === '[[' && text === ']]') open.pop();
    else if (closes !== '-' && !(text === ')' && inside === 'case')) {
      if (open.pop() !== closes) return null;
      // A body in braces ends its loop.
      if (text === '}' && open.at(-1) === 'loop') open.pop();
    }
    if (opens !== '-') open.push(opens);
    isCommand = isSeparator(text) || BEFORE_COMMAND.has(text) || /^[^\s=]+\(\)$/.test(text);
  }
  return open.length;
}
