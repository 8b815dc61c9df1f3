/** The canvas: a rectangle for documents of any length. Its rows go to the terminal's writer without React or Ink. */
import { Box, type DOMElement, measureElement, Text } from 'ink';
import { createContext, use, useLayoutEffect, useRef } from 'react';
import { EMPTY_ROW, type PaintedRow } from '../row.ts';
import type { ScreenWriter } from '../screen-writer.ts';
import type { Source } from '../store.ts';
import { useSource } from './use-source.ts';

/** Where rectangles are drawn; null if Ink writes itself: for screen readers and component tests. */
export const CanvasContext = createContext<Pick<ScreenWriter, 'setRectangle'> | null>(null);

export interface RowsProps<T> {
  readonly source: Source<T>;
  /** The rows in view. Pass the same function each time. */
  readonly of: (value: T) => readonly PaintedRow[];
  readonly columns: number;
  readonly rows: number;
  /** Changes when the rectangle moves. */
  readonly place: string;
}

/** A document's rows in view. */
export function Rows<T>(props: RowsProps<T>) {
  return use(CanvasContext) === null ? <TextRows {...props} /> : <CanvasRows {...props} />;
}

function CanvasRows<T>({ source, of, columns, rows, place }: RowsProps<T>) {
  const canvas = use(CanvasContext);
  const box = useRef<DOMElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: Ink's layout is measured again when the place changes.
  useLayoutEffect(() => {
    const { current } = box;
    if (canvas === null || current === null) return;
    const { x, y, width, height } = measureElement(current);
    const draw = () => {
      const shown = of(source.get());
      const filled = Array.from({ length: height }, (_, index) => shown[index] ?? EMPTY_ROW);
      canvas.setRectangle(current, { x, y, columns: width, rows: filled });
    };
    draw();
    const unsubscribe = source.subscribe(draw);
    return () => {
      unsubscribe();
      canvas.setRectangle(current, null);
    };
  }, [canvas, source, of, columns, rows, place]);
  return <Box ref={box} width={columns} height={rows} flexShrink={0} />;
}

function TextRows<T>({ source, of, columns, rows }: RowsProps<T>) {
  const text = useSource(source, (value) =>
    of(value)
      .map(({ whole }) => whole)
      .join('\n'),
  );
  return (
    <Box width={columns} height={rows} flexShrink={0}>
      <Text wrap="truncate">{text}</Text>
    </Box>
  );
}
