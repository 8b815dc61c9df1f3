/** What an AI CLI's screen shows, for the send machine and the state display. Types only; stays in the process. */
import type { Choice } from './dialog.ts';
import type { AiState } from './pane.ts';

/** The input box of the AI CLI. */
export type Composer =
  /** No input box is visible: start-up, a pager, a dialog over it, or not an AI CLI. */
  | { readonly kind: 'absent' }
  /** Empty, or only dim placeholder text. */
  | { readonly kind: 'empty' }
  /** Someone's typed text, joined over the composer's rows, without its gutter. */
  | { readonly kind: 'draft'; readonly text: string }
  /** The CLI folded a long paste into `[Pasted text #1 +12 lines]` or similar; `text` is what it shows. */
  | { readonly kind: 'pill'; readonly text: string };

export interface ScreenReading {
  readonly composer: Composer;
  readonly state: AiState;
  /** The question of an open permission or choice dialog with its options; null if none is open. */
  readonly dialog: string | null;
  /** The same dialog, parsed; null if none is open. */
  readonly choice: Choice | null;
  /** The composer is in vim NORMAL mode, where typed text would run as commands. */
  readonly vimNormal: boolean;
  /** The CLI says that it holds messages for later (`Press up to edit queued messages`). */
  readonly queued: boolean;
  /** The CLI names the keys that send those at once. */
  readonly offersSteering?: boolean;
}
