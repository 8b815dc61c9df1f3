/** The frame of the present: planned once for each state and theme, whoever looks at it. */
import { type PaintedRow, paintSpans } from '../kit/row.ts';
import type { Source } from '../kit/store.ts';
import type { Theme } from '../kit/theme/theme.ts';
import type { Controller } from './controller.ts';
import { composeFrame, type PaintedFrame, paintFrame, planFrame } from './frame.ts';

export interface Frames extends Source<PaintedFrame> {
  /** The same frame as rows, for when Ink is not there yet. */
  readonly composed: () => readonly PaintedRow[];
}

/** Frames of a model in a theme. */
export function createFrames(model: Controller['model'], themes: Source<Theme>): Frames {
  const planned = () => {
    const { state, facts } = model.get();
    const theme = themes.get();
    return { frame: planFrame(state, facts, theme), theme };
  };
  let last: { readonly of: readonly unknown[]; readonly painted: PaintedFrame } | null = null;
  return {
    get: () => {
      const of = [model.get(), themes.get()];
      if (last?.of.every((part, index) => part === of[index]) === true) return last.painted;
      const { frame, theme } = planned();
      last = { of, painted: paintFrame(frame, theme) };
      return last.painted;
    },
    composed: () => {
      const { frame, theme } = planned();
      return composeFrame(frame, theme).map((row) => paintSpans(row, theme));
    },
    subscribe: (listener) => {
      const unsubscribes = [model.subscribe(listener), themes.subscribe(listener)];
      return () => {
        for (const unsubscribe of unsubscribes) unsubscribe();
      };
    },
  };
}
