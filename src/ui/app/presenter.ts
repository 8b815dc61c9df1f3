/**
 * Turns every change of the model into what must be written: the screen area goes straight to the terminal,
 * header and footer go to Ink only when they changed, and to the terminal as long as nobody else draws them. Owns no
 * terminal state beyond what it drew.
 */

import { type CursorCell, type PaintedRow, paintSpans } from '../kit/row.ts';
import { createStore, type Store } from '../kit/store.ts';
import type { Theme } from '../kit/theme/theme.ts';
import { createViewport, type ViewportOutput } from '../kit/viewport.ts';
import type { Controller } from './controller.ts';
import { planFrame } from './frame.ts';

/** What Ink draws: painted rows, empty where the screen area is. */
export interface Chrome {
  readonly rows: readonly string[];
  readonly columns: number;
  readonly cursor: CursorCell | null;
}

export interface Presenter {
  readonly chrome: Store<Chrome>;
  /** Begins to draw, chrome and all. */
  readonly start: () => void;
  /** From here on the chrome is drawn by whoever follows `chrome`. */
  readonly leaveChrome: () => void;
  /** The screen was wiped: draws the area anew. */
  readonly redraw: () => void;
  /** While the terminal is handed over, nothing is drawn. */
  readonly pause: () => void;
  readonly stop: () => void;
}

export interface PresenterOptions {
  readonly model: Controller['model'];
  readonly themes: Store<Theme>;
  readonly output: ViewportOutput;
}

interface Painted {
  readonly chrome: Chrome;
  readonly rows: readonly PaintedRow[];
  readonly area: readonly PaintedRow[];
  readonly top: number;
}

/** Makes the presenter; nothing is planned or drawn before `start`. */
export function createPresenter({ model, themes, output }: PresenterOptions): Presenter {
  const viewport = createViewport(output);
  const paint = (): Painted => {
    const { state, facts } = model.get();
    const theme = themes.get();
    const { rows, area, cursor } = planFrame(state, facts, theme);
    const painted = rows.map((row) => paintSpans(row, theme));
    return {
      chrome: {
        rows: painted.map(({ whole }, index) => (index >= area.from && index < area.to ? '' : whole)),
        columns: state.size.columns,
        cursor,
      },
      rows: painted,
      area: painted.slice(area.from, area.to),
      top: area.from,
    };
  };
  const chrome = createStore<Chrome>({ rows: [], columns: 0, cursor: null });
  let isDrawing = false;
  let ownsChrome = true;
  const present = (): void => {
    if (!isDrawing) return;
    const painted = paint();
    if (!isSameChrome(painted.chrome, chrome.get())) chrome.set(painted.chrome);
    if (ownsChrome) viewport.draw(painted.rows, 0);
    else viewport.draw(painted.area, painted.top);
  };
  const unsubscribes = [model.subscribe(present), themes.subscribe(present)];
  const redraw = (): void => {
    isDrawing = true;
    viewport.forget();
    present();
  };
  const pause = (): void => {
    isDrawing = false;
  };
  return {
    chrome,
    start: redraw,
    leaveChrome: () => {
      ownsChrome = false;
      if (isDrawing) redraw();
    },
    redraw,
    pause,
    stop: () => {
      pause();
      for (const unsubscribe of unsubscribes) unsubscribe();
    },
  };
}

function isSameChrome(one: Chrome, other: Chrome): boolean {
  return (
    one.columns === other.columns &&
    one.rows.length === other.rows.length &&
    one.rows.every((row, index) => row === other.rows[index]) &&
    one.cursor?.x === other.cursor?.x &&
    one.cursor?.y === other.cursor?.y
  );
}
