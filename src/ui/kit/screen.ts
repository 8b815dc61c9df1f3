/** A screen's interface: everything that the application asks of it. */
import type { Handlers, Outcome } from './model.ts';
import type { Cell, Spot } from './mouse/spot.ts';
import type { Extent, OverlayAction, OverlayView } from './overlay.ts';
import type { Panes } from './pane.ts';
import type { Size } from './row.ts';
import type { Theme } from './theme/theme.ts';

/** How a text arrives: by keys, or at once. */
export type TypedHow = 'type' | 'paste';

/** `M`: what handlers see, `F`: facts, `E`: effects, `O`: the screen's own overlays. */
export interface Screen<A extends string, M, F, E, O extends { readonly kind: string }> {
  /** The commands of each of its contexts. */
  readonly tables: Readonly<Record<string, Handlers<A | OverlayAction, M, F, E>>>;
  /** The active contexts, narrowest first. `app` comes last, and is missing while the user types text. */
  readonly contextsOf: (state: M, facts: F) => readonly string[];
  readonly plan: (state: M, facts: F, area: Size, theme: Theme) => Panes;
  /** The state with every mark and window valid; the same object if they were. */
  readonly settle: (state: M, facts: F) => M;
  readonly spotAt: (state: M, facts: F, cell: Cell) => Spot<Outcome<M, E>> | null;
  /** Handles text that no key matched; null if nothing accepts text. */
  readonly typeText: (state: M, facts: F, text: string, how: TypedHow) => Outcome<M, E> | null;
  /** Goes one step back; null if the only step is to quit. */
  readonly back: (state: M, facts: F) => M | null;
  /** The state when a click leads to another screen: editing ends. */
  readonly leave: (state: M) => M;
  /** The mode in the footer; null for none. */
  readonly modeOf: (state: M) => string | null;
  /** A key that has nothing to act on is not offered. */
  readonly isUseful: Partial<Readonly<Record<A, (state: M, facts: F) => boolean>>>;
  /** Its overlays besides questions and prompts. */
  readonly overlays: {
    readonly kinds: readonly O['kind'][];
    /** The key context while one is open. */
    readonly contextOf: (overlay: O) => string;
    /** How many rows or entries it has to move in; null if it moves itself. */
    readonly extentOf: (overlay: O, state: M, facts: F) => Extent | null;
    /** How to draw it; null if the screen draws it. */
    readonly view: (overlay: O, state: M, facts: F, size: Size, theme: Theme) => OverlayView | null;
  };
}
