/** The frame of the present: planned once for each state and theme, whoever looks at it. */
import { type PaintedRow, paintSpans } from '../kit/row.ts';
import type { Source } from '../kit/store.ts';
import type { Theme } from '../kit/theme/theme.ts';
import type { Controller } from './controller.ts';
import { composeFrame, type Frame, type PaintedFrame, paintFrame, planFrame } from './frame.ts';

export interface Frames extends Source<PaintedFrame> {
  /** The same frame as rows, for when Ink is not there yet, and where the cursor stands in it. */
  readonly composed: () => Pick<Frame, 'size' | 'cursor'> & { readonly rows: readonly PaintedRow[] };
}

/** Frames of a model in a theme. */
export function createFrames(model: Controller['model'], themes: Source<Theme>): Frames {
  let last: { readonly of: readonly unknown[]; readonly frame: Frame; painted: PaintedFrame | null } | null =
    null;
  const planned = () => {
    const of = [model.get(), themes.get()];
    if (last?.of.every((part, index) => part === of[index]) !== true) {
      const { state, facts } = model.get();
      last = { of, frame: planFrame(state, facts, themes.get()), painted: null };
    }
    return last;
  };
  return {
    get: () => {
      const now = planned();
      now.painted ??= paintFrame(now.frame, themes.get());
      return now.painted;
    },
    composed: () => {
      const { frame } = planned();
      const theme = themes.get();
      const rows = composeFrame(frame, theme).map((row) => paintSpans(row, theme));
      return { size: frame.size, cursor: frame.cursor, rows };
    },
    subscribe: (listener) => {
      const unsubscribes = [model.subscribe(listener), themes.subscribe(listener)];
      return () => {
        for (const unsubscribe of unsubscribes) unsubscribe();
      };
    },
  };
}
