/** The interface of a screen: everything that the application asks of it. */
import type { Handlers, Outcome } from './model.ts';
import type { Cell, Spot } from './mouse/spot.ts';
import type { Extent, OverlayAction, OverlayView } from './overlay.ts';
import type { Panes } from './pane.ts';
import type { Size } from './row.ts';
import type { Theme } from './theme/theme.ts';

/** How a text arrives: key by key, or at once. */
export type TypedHow = 'type' | 'paste';

/** `M` is what its handlers see, `F` what is so, `E` what they may ask for, `O` what it lays over itself. */
export interface Screen<A extends string, M, F, E, O extends { readonly kind: string }> {
  /** The commands of each of its contexts. */
  readonly tables: Readonly<Record<string, Handlers<A | OverlayAction, M, F, E>>>;
  /** The active contexts, the narrowest first: `app` comes last, and not where text is typed. */
  readonly contextsOf: (state: M, facts: F) => readonly string[];
  readonly plan: (state: M, facts: F, area: Size, theme: Theme) => Panes;
  /** The state with every mark and window valid; the same object when nothing was wrong. */
  readonly settle: (state: M, facts: F) => M;
  readonly spotAt: (state: M, facts: F, cell: Cell) => Spot<Outcome<M, E>> | null;
  /** Takes text that no key matched; null when nobody writes here. */
  readonly typeText: (state: M, facts: F, text: string, how: TypedHow) => Outcome<M, E> | null;
  /** One step back; null where the only step is out of copane. */
  readonly back: (state: M, facts: F) => M | null;
  /** The state when the reader goes elsewhere by mouse: nobody writes there any more. */
  readonly leave: (state: M) => M;
  /** The mode that the footer names; null where there is none. */
  readonly modeOf: (state: M) => string | null;
  /** Where a key would have nothing to act on, it is not offered. */
  readonly isUseful: Partial<Readonly<Record<A, (state: M, facts: F) => boolean>>>;
  /** What it lays over itself, beside questions and lines to type in. */
  readonly overlays: {
    readonly kinds: readonly O['kind'][];
    /** The context of the keys while one is open. */
    readonly contextOf: (overlay: O) => string;
    /** How many rows or entries there are to move in; null for one that moves by itself. */
    readonly extentOf: (overlay: O, state: M, facts: F) => Extent | null;
    /** How it is drawn; null when the screen draws it. */
    readonly view: (overlay: O, state: M, facts: F, size: Size, theme: Theme) => OverlayView | null;
  };
}
