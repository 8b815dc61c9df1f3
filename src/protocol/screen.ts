/** The reading of an AI CLI's screen, for the send machine and the state display. Types only: it never leaves the process. */
import type { Choice } from './dialog.ts';
import type { AiState } from './pane.ts';

/** The input box of the AI CLI. */
export type Composer =
  /** No input box is visible: start-up, a pager, a dialog over it, a program that is not an AI CLI. */
  | { readonly kind: 'absent' }
  /** Empty, or only dim ghost text. */
  | { readonly kind: 'empty' }
  /** Text that someone typed; joined over the composer's rows, without its gutter. */
  | { readonly kind: 'draft'; readonly text: string }
  /** The CLI folded a long paste into `[Pasted text #1 +12 lines]` or the like; `text` is what it shows. */
  | { readonly kind: 'pill'; readonly text: string };

export interface ScreenReading {
  readonly composer: Composer;
  readonly state: AiState;
  /** The question of an open permission or choice dialog, its options included; null when none is open. */
  readonly dialog: string | null;
  /** The same dialog, parsed; null when none is open. */
  readonly choice: Choice | null;
  /** The composer is in vim NORMAL mode: typed text would run as commands. */
  readonly vimNormal: boolean;
  /** The CLI says that it holds messages for later (`Press up to edit queued messages`). */
  readonly queued: boolean;
  /** It names the keys that send those at once. */
  readonly offersSteering?: boolean;
}
