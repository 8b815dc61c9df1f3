/** The draft's notes below the response lines that they answer. Line numbers stay, so pulls and copies are the response's. Pure. */
import { positionOf, type RowPosition, type RowSpan, type SpansOf } from '../../lib/text-layout.ts';
import type { Draft, DraftLine } from '../../protocol/draft.ts';
import { turnOfPull } from '../../responses/core/draft.ts';
import type { ReadingDoc, StyledLine } from './reading-doc.ts';

/** A line of the response, or a note beside it. */
export interface Piece {
  readonly line: StyledLine;
  /** Which line of the draft the note is; null for the response's own line. */
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

/** The row of the response that a pulled line stands for; null for a line of another response. */
export function rowInTurn({ origin }: DraftLine, turnId: string): number | null {
  if (origin === null || turnOfPull(origin.turnId) !== turnId) return null;
  const first = /#(\d+)-\d+$/.exec(origin.turnId.slice(turnId.length))?.[1];
  return origin.row + (first === undefined ? 0 : Number(first) - 1);
}

/** The response with the draft's notes in it; the same object where the draft has none for it. */
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
  // What stands above the response in the draft is shown above it here.
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

/** What stands in a row of a line. */
export interface PieceRow extends Piece {
  readonly span: RowSpan;
  /** The row among those of its piece. */
  readonly row: number;
}

/** How the lines of a response and the notes between them are laid out. */
export interface NotedLayout {
  readonly spansOf: SpansOf;
  readonly rowsOf: (line: StyledLine) => readonly PieceRow[];
}

/** The layout of lines with notes; `noteSpans` leave a cell for the cursor behind the last character. */
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

/** Where a note of the draft stands in the response, by the row of it that has `offset`; null where it is not shown. */
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
