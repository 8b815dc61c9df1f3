/** A pane (titled rule and rows), and two panes. Long ones are canvases: an Ink frame costs more than a key may. */
import { Box, Text } from 'ink';
import { createContext, use, useCallback } from 'react';
import type { PaintedPane, PaintedPanes } from '../pane.ts';
import type { PaintedRow } from '../row.ts';
import type { Source } from '../store.ts';
import { Lines } from './line.tsx';
import { Rows } from './rows.tsx';
import { useSource } from './use-source.ts';

interface PaneProps<T> {
  readonly source: Source<T>;
  /** Picks the pane from the value; null if it has no room. Pass the same function each time. */
  readonly of: (value: T) => PaintedPane | null | undefined;
  /** It has few rows, and Ink draws them. */
  readonly isShort?: boolean;
}

const NO_ROWS: readonly PaintedRow[] = [];

/** A pane in its planned region; nothing if there is no room. */
export function Pane<T>({ source, of, isShort = false }: PaneProps<T>) {
  const place = useSource(source, (value) => placeOf(of(value)));
  const rowsOf = useCallback((value: T) => rowsIn(of(value)), [of]);
  const pane = of(source.get());
  if (place === '' || pane == null) return null;
  const { columns } = pane.region;
  const rows = heightOf(pane);
  if (!isShort) return <Rows source={source} of={rowsOf} columns={columns} rows={rows} place={place} />;
  return (
    <Box flexDirection="column" width={columns} height={rows} flexShrink={0}>
      <Lines source={source} of={rowsOf} />
    </Box>
  );
}

const heightOf = ({ region, head }: PaintedPane): number => region.rows + (head === null ? 0 : 1);

function rowsIn(pane: PaintedPane | null | undefined): readonly PaintedRow[] {
  if (pane == null) return NO_ROWS;
  return pane.head === null ? pane.rows : [pane.head, ...pane.rows];
}

/** A pane's region as a string; '' for none. */
function placeOf(pane: PaintedPane | null | undefined): string {
  if (pane == null) return '';
  const { x, y, columns, rows } = pane.region;
  return `${x},${y} ${columns}x${rows}${pane.head === null ? '' : ' titled'}`;
}

/** The bar between two panes, already painted. */
export const BarContext = createContext('|');

interface PairProps<T> extends Pick<PaneProps<T>, 'source'> {
  readonly first: PaneProps<T>['of'];
  /** Goes below the first pane, or to its right. */
  readonly second: PaneProps<T>['of'];
}

/** Two panes below each other, or beside each other with a bar as high as the first. */
function Pair<T>({ source, first, second }: PairProps<T>) {
  const barRows = useSource(source, (value) => {
    const pane = first(value);
    return pane == null || (second(value)?.region.x ?? 0) === 0 ? 0 : heightOf(pane);
  });
  const bar = use(BarContext);
  return (
    <Box flexDirection={barRows > 0 ? 'row' : 'column'} flexShrink={0}>
      <Pane source={source} of={first} />
      {barRows > 0 && (
        <Box width={1} height={barRows} flexShrink={0}>
          <Text>{Array.from({ length: barRows }, () => bar).join('\n')}</Text>
        </Box>
      )}
      <Pane source={source} of={second} />
    </Box>
  );
}

/** A pane, or two panes that may be beside each other. */
export type StackRow<T> = { readonly key: string } & (
  | Omit<PaneProps<T>, 'source'>
  | Omit<PairProps<T>, 'source'>
);

/** A screen's layout: its panes, by their names, below each other. `short`: it has few rows. */
export function stacked<N extends string>(
  ...parts: readonly (N | { readonly short: N } | readonly [first: N, second: N])[]
): readonly StackRow<PaintedPanes<N>>[] {
  const pick = (name: N) => (panes: PaintedPanes<N>) => panes[name];
  return parts.map((part) => {
    if (typeof part === 'string') return { key: part, of: pick(part) };
    if ('short' in part) return { key: part.short, of: pick(part.short), isShort: true };
    return { key: part[0], first: pick(part[0]), second: pick(part[1]) };
  });
}

/** The panes of a screen. */
export function Stack<T>({
  source,
  rows,
}: {
  readonly source: Source<T>;
  readonly rows: readonly StackRow<T>[];
}) {
  return (
    <Box flexDirection="column">
      {rows.map(({ key, ...props }) =>
        'of' in props ? (
          <Pane key={key} source={source} {...props} />
        ) : (
          <Pair key={key} source={source} {...props} />
        ),
      )}
    </Box>
  );
}
