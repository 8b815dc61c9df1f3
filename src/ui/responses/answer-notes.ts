/** The draft's notes below the response lines that they answer. Line numbers stay, as for pulls and copies. Pure. */
import { positionOf, type RowPosition, type RowSpan, type SpansOf } from '../../lib/text-layout.ts';
import type { Draft, DraftLine } from '../../protocol/draft.ts';
import { turnOfPull } from '../../responses/core/draft.ts';
import type { ReadingDoc, StyledLine } from './reading-doc.ts';

/** A line of the response, or a note next to it. */
export interface Piece {
  readonly line: StyledLine;
  /** The note's line in the draft; null for the response's own line. */
  readonly note: number | null;
}

/** A line with notes: its pieces from top to bottom. */
export interface NotedLine extends StyledLine {
  readonly pieces: readonly Piece[];
}

interface Beside {
  readonly above: Piece[];
  readonly below: Piece[];
}

/** The response row of a pulled line; null for a line of another response. */
export function rowInTurn({ origin }: DraftLine, turnId: string): number | null {
  if (origin === null || turnOfPull(origin.turnId) !== turnId) return null;
  const first = /#(\d+)-\d+$/.exec(origin.turnId.slice(turnId.length))?.[1];
  return origin.row + (first === undefined ? 0 : Number(first) - 1);
}

/** The response with the draft's notes in it; the same object if it has none. */
export function withNotes(doc: ReadingDoc, { lines: draft }: Draft): ReadingDoc {
  const beside = notesByRow(doc, draft);
  if (beside.size === 0) return doc;
  const lines = doc.lines.slice();
  for (const [row, { above, below }] of beside) {
    const line = lines[row];
    if (line === undefined) continue;
    const noted: NotedLine = { ...line, pieces: [...above, { line, note: null }, ...below] };
    lines[row] = noted;
  }
  return { ...doc, lines };
}

function notesByRow({ turnId, lines }: ReadingDoc, draft: readonly DraftLine[]): ReadonlyMap<number, Beside> {
  const beside = new Map<number, Beside>();
  if (lines.length === 0 || !draft.some((line) => rowInTurn(line, turnId) !== null)) return beside;
  // What is above the response in the draft is shown above it here.
  let row: number | null = -1;
  draft.forEach((line, note) => {
    if (line.tag === 'response') row = rowInTurn(line, turnId);
    else if (row !== null) {
      const at = Math.max(0, Math.min(row, lines.length - 1));
      const place = beside.get(at) ?? { above: [], below: [] };
      place[row < 0 ? 'above' : 'below'].push({ line: noteLine(line), note });
      beside.set(at, place);
    }
  });
  return beside;
}

const noteLine = ({ text }: DraftLine): StyledLine => ({ text, styles: [] });

const isNoted = (line: object): line is NotedLine => 'pieces' in line;

/** The content of one row of a line. */
export interface PieceRow extends Piece {
  readonly span: RowSpan;
  /** Its row number within the piece. */
  readonly row: number;
}

/** The layout of a response's lines and the notes between them. */
export interface NotedLayout {
  readonly spansOf: SpansOf;
  readonly rowsOf: (line: StyledLine) => readonly PieceRow[];
}

/** The layout of lines with notes; `noteSpans` leave a cell for a cursor after the last character. */
export function layOutNotes(ownSpans: SpansOf, noteSpans: SpansOf): NotedLayout {
  const spansOfPiece = ({ line, note }: Piece) => (note === null ? ownSpans : noteSpans)(line);
  const piecesOf = (line: StyledLine): readonly Piece[] =>
    isNoted(line) ? line.pieces : [{ line, note: null }];
  return {
    spansOf: (line) => (isNoted(line) ? line.pieces.flatMap(spansOfPiece) : ownSpans(line)),
    rowsOf: (line) =>
      piecesOf(line).flatMap((piece) => spansOfPiece(piece).map((span, row) => ({ ...piece, span, row }))),
  };
}

/** A draft note's place in the response, at its row with `offset`; null if it is not shown. */
export function placeOfNote(
  { lines }: ReadingDoc,
  { rowsOf }: NotedLayout,
  { line: note, offset }: { readonly line: number; readonly offset: number },
): (RowPosition & { readonly column: number }) | null {
  const line = lines.findIndex((each) => isNoted(each) && each.pieces.some((piece) => piece.note === note));
  const at = lines[line];
  if (at === undefined) return null;
  const rows = rowsOf(at);
  const first = rows.findIndex((row) => row.note === note);
  const own = rows.filter((row) => row.note === note);
  const text = own[0]?.line.text ?? '';
  const place = positionOf(
    text,
    own.map(({ span }) => span),
    offset,
  );
  return { line, row: first + place.row, column: place.column };
}
