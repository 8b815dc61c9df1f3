/** Draws painted rows through Ink, and places the terminal's cursor. Decides nothing. */
import { Box, Text, useCursor } from 'ink';
import type { CursorCell } from '../kit/row.ts';

export interface ScreenRowsProps {
  /** Painted rows, none wider than `columns`. */
  readonly rows: readonly string[];
  readonly columns: number;
  readonly cursor: CursorCell | null;
}

/** The rows as one text of as many lines. */
export function ScreenRows({ rows, columns, cursor }: ScreenRowsProps) {
  const { setCursorPosition } = useCursor();
  setCursorPosition(cursor === null ? undefined : { x: cursor.x, y: cursor.y });
  return (
    <Box width={columns} height={rows.length}>
      <Text wrap="truncate">{rows.join('\n')}</Text>
    </Box>
  );
}
