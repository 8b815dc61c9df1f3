/** The screen port: how one AI CLI draws, one file per CLI, tested on recordings. Pure: text in, facts out. */
import type { ScreenReading } from '../../protocol/screen.ts';
import type { Unwrapped } from './unwrap.ts';

/** One captured row: its text without trailing blanks, and which columns were drawn dim. */
export interface ScreenRow {
  readonly text: string;
  /** Half-open column ranges (UTF-16 offsets into `text`) drawn with SGR 2 (faint). */
  readonly dim: readonly (readonly [start: number, end: number])[];
  /** The same ranges drawn on a background, if known: some programs mark an option only by that. */
  readonly painted?: readonly (readonly [start: number, end: number, background: string])[];
}

/** The visible part of a pane, top to bottom, with what tmux says about it. */
export interface Screen {
  readonly rows: readonly ScreenRow[];
  readonly title: string;
  readonly width: number;
  /** Cursor row, counted from the top of `rows`; null if it is hidden. */
  readonly cursorRow: number | null;
}

export interface ScreenRules {
  /** Composer, dialog, state: from the visible part only; the lowest marker wins. */
  read(screen: Screen): ScreenReading;
  /** The answer in the captured lines right after the prompt, without chrome, gutter, bullets and clear hard wraps. */
  extract(lines: readonly string[], width: number): Unwrapped;
}
