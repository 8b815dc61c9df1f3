/** Draws planned rows. The one component that turns roles into escape sequences; it decides nothing. */
import { Box, Text, useCursor } from 'ink';
import type { Frame } from '../../commands/app-state.ts';
import { paintRow, type Row } from '../../plan/row.ts';
import type { Theme } from '../../theme/theme.ts';

export interface ScreenRowsProps {
  readonly frame: Frame;
  readonly theme: Theme;
  readonly columns: number;
}

/** The whole frame: one text of as many lines as the terminal has. */
export function ScreenRows({ frame, theme, columns }: ScreenRowsProps) {
  const { setCursorPosition } = useCursor();
  setCursorPosition(frame.cursor === null ? undefined : { x: frame.cursor.x, y: frame.cursor.y });
  return (
    <Box width={columns} height={frame.rows.length}>
      <Text wrap="truncate">{paintRows(frame.rows, theme)}</Text>
    </Box>
  );
}

/** Rows as one string. In plain mode empty rows are left out: a screen reader reads line after line. */
export function paintRows(rows: readonly Row[], theme: Theme): string {
  const shown = theme.options.plain ? rows.filter((row) => row.length > 0) : rows;
  return shown.map((row) => paintRow(row, theme)).join('\n');
}
