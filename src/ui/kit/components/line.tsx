/** Rows drawn by Ink: rules, titles, messages, keys. */
import { Box, Text } from 'ink';
import { memo } from 'react';
import type { PaintedRow } from '../row.ts';
import type { Source } from '../store.ts';
import { useSource } from './use-source.ts';

/** One row. `text` is already painted and no wider than its place. */
export const Line = memo(function Line({ text }: { readonly text: string }) {
  return (
    <Box height={1} flexShrink={0}>
      <Text wrap="truncate">{text}</Text>
    </Box>
  );
});

interface LinesProps<T> {
  readonly source: Source<T>;
  readonly of: (value: T) => readonly PaintedRow[];
}

/** Several rows; unchanged ones are not redrawn. */
export function Lines<T>({ source, of }: LinesProps<T>) {
  const text = useSource(source, (value) => textOf(of(value)));
  if (text === '') return null;
  // A row is identified by its position.
  return Object.entries(text.split('\n')).map(([place, line]) => <Line key={place} text={line} />);
}

const textOf = (rows: readonly PaintedRow[]): string => rows.map(({ whole }) => whole).join('\n');
