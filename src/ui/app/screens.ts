/** Joins the four screens: each sees its part of the state and facts, and its result is merged back. */
import { agentScreen } from '../agent/screen.ts';
import type { CommonModel, Handler, Handlers, Outcome, ScreenName } from '../kit/model.ts';
import type { Spot } from '../kit/mouse/spot.ts';
import type { Extent, OverlayView } from '../kit/overlay.ts';
import type { Size } from '../kit/row.ts';
import type { Screen } from '../kit/screen.ts';
import type { Theme } from '../kit/theme/theme.ts';
import { responseInView } from '../responses/reading.ts';
import { responsesScreen } from '../responses/screen.ts';
import { reviewScreen } from '../review/screen.ts';
import { shellScreen } from '../shell/screen.ts';
import type { Action } from './key-table.ts';
import type { AppFacts, AppHandlers, AppOutcome } from './model.ts';
import type { AppEffect, AppState, Overlay } from './state.ts';

export interface JoinedScreen
  extends Omit<Screen<Action, AppState, AppFacts, AppEffect, Overlay>, 'tables' | 'isUseful' | 'overlays'> {
  readonly tables: Readonly<Record<string, AppHandlers>>;
  readonly isUseful: (action: Action, state: AppState, facts: AppFacts) => boolean;
  readonly owns: (overlay: Overlay) => boolean;
  readonly overlayContext: (state: AppState) => string | null;
  readonly overlayExtent: (state: AppState, facts: AppFacts) => Extent | null;
  readonly overlayView: (state: AppState, facts: AppFacts, size: Size, theme: Theme) => OverlayView | null;
}

/** How to get the screen's part from the whole state; the rest is shared. */
interface Lens<M, F> {
  readonly pick: (state: AppState) => Omit<M, keyof CommonModel<unknown>>;
  readonly factsOf: (facts: AppFacts, state: AppState) => F;
}

interface JoinedLens<M, F, E> {
  readonly owns: (overlay: Overlay) => boolean;
  readonly partOf: (state: AppState) => M;
  readonly factsOf: (facts: AppFacts, state: AppState) => F;
  readonly join: (state: AppState, before: M, after: M) => AppState;
  /** The whole state with the part changed; null if the change returns none. */
  readonly renew: (state: AppState, change: (part: M) => M | null) => AppState | null;
  /** Turns a change to the part into a change to the whole. */
  readonly lift: (
    change: (part: M, facts: F) => Outcome<M, E>,
  ) => (state: AppState, facts: AppFacts) => AppOutcome;
}

function lensOf<
  A extends string,
  M extends CommonModel<O>,
  F,
  E extends AppEffect,
  O extends { readonly kind: string },
>(screen: Screen<A, M, F, E, O>, { pick, factsOf }: Lens<M, F>): JoinedLens<M, F, E> {
  const kinds: readonly string[] = screen.overlays.kinds;
  const owns = (overlay: Overlay): boolean => kinds.includes(overlay.kind);
  // Any screen may use questions and prompts.
  const isSeen = (overlay: Overlay): boolean =>
    owns(overlay) || overlay.kind === 'confirm' || overlay.kind === 'prompt';
  const partOf = (state: AppState): M => {
    const { size, screen: shown, toast, busy } = state;
    const overlay = state.overlay !== null && isSeen(state.overlay) ? state.overlay : null;
    return { ...pick(state), size, screen: shown, toast, busy, overlay } as unknown as M;
  };
  const join = (state: AppState, before: M, after: M): AppState => {
    if (after === before) return state;
    // Another screen's overlay stays unless this screen replaces it.
    const overlay =
      after.overlay === before.overlay ? state.overlay : (after.overlay as unknown as Overlay | null);
    return { ...state, ...after, overlay };
  };
  return {
    owns,
    partOf,
    factsOf,
    join,
    renew: (state, change) => {
      const before = partOf(state);
      const after = change(before);
      return after === null ? null : join(state, before, after);
    },
    lift: (change) => (state, facts) => {
      const before = partOf(state);
      const after = change(before, factsOf(facts, state));
      return { state: join(state, before, after.state), effects: after.effects };
    },
  };
}

function join<
  A extends Action,
  M extends CommonModel<O>,
  F,
  E extends AppEffect,
  O extends { readonly kind: string },
>(screen: Screen<A, M, F, E, O>, lens: JoinedLens<M, F, E>): JoinedScreen {
  const { partOf, factsOf, join, renew } = lens;
  return {
    ...joinOverlays(screen, lens),
    tables: Object.fromEntries(
      Object.entries(screen.tables).map(([context, handlers]) => [context, joinTable(handlers, lens)]),
    ),
    contextsOf: (state, facts) => screen.contextsOf(partOf(state), factsOf(facts, state)),
    plan: (state, facts, area, theme) => screen.plan(partOf(state), factsOf(facts, state), area, theme),
    settle: (state, facts) => renew(state, (part) => screen.settle(part, factsOf(facts, state))) ?? state,
    back: (state, facts) => renew(state, (part) => screen.back(part, factsOf(facts, state))),
    leave: (state) => renew(state, screen.leave) ?? state,
    spotAt: (state, facts, cell) => {
      const before = partOf(state);
      const spot = screen.spotAt(before, factsOf(facts, state), cell);
      return spot === null
        ? null
        : joinSpot(spot, (after) => ({ ...after, state: join(state, before, after.state) }));
    },
    typeText: (state, facts, text, how) => {
      const before = partOf(state);
      const after = screen.typeText(before, factsOf(facts, state), text, how);
      return after === null ? null : { ...after, state: join(state, before, after.state) };
    },
    modeOf: (state) => screen.modeOf(partOf(state)),
    isUseful: (action, state, facts) =>
      screen.isUseful[action as A]?.(partOf(state), factsOf(facts, state)) ?? true,
  };
}

function joinTable<A extends string, M, F, E>(
  handlers: Handlers<A, M, F, E>,
  { lift }: JoinedLens<M, F, E>,
): AppHandlers {
  const entries = Object.entries<Handler<M, F, E> | undefined>(handlers);
  return Object.fromEntries(
    entries.flatMap(([action, handler]) => (handler === undefined ? [] : [[action, lift(handler)]])),
  );
}

function joinOverlays<A extends string, M, F, E, O extends { readonly kind: string }>(
  { overlays }: Screen<A, M, F, E, O>,
  { owns, partOf, factsOf }: JoinedLens<M, F, E>,
): Pick<JoinedScreen, 'owns' | 'overlayContext' | 'overlayExtent' | 'overlayView'> {
  const ask = <T>({ overlay }: AppState, question: (own: O) => T): T | null =>
    overlay !== null && owns(overlay) ? question(overlay as unknown as O) : null;
  return {
    owns,
    overlayContext: (state) => ask(state, overlays.contextOf),
    overlayExtent: (state, facts) =>
      ask(state, (own) => overlays.extentOf(own, partOf(state), factsOf(facts, state))),
    overlayView: (state, facts, size, theme) =>
      ask(state, (own) => overlays.view(own, partOf(state), factsOf(facts, state), size, theme)),
  };
}

function joinSpot<M, E extends AppEffect>(
  { press, drag, wheel }: Spot<Outcome<M, E>>,
  join: (after: Outcome<M, E>) => AppOutcome,
): Spot<AppOutcome> {
  return {
    ...(press === undefined ? {} : { press: () => join(press()) }),
    ...(drag === undefined ? {} : { drag: () => join(drag()) }),
    ...(wheel === undefined ? {} : { wheel: (rows: number) => join(wheel(rows)) }),
  };
}

const same = (facts: AppFacts): AppFacts => facts;

const responses = lensOf(responsesScreen, {
  pick: ({ responses, draft, noteContext }) => ({ responses, draft, noteContext }),
  factsOf: same,
});
const review = lensOf(reviewScreen, { pick: ({ review }) => ({ review }), factsOf: same });
const agent = lensOf(agentScreen, {
  pick: ({ agent }) => ({ agent }),
  factsOf: (facts, state) => ({ ...facts, responseInView: () => responseInView(state.responses, facts) }),
});
const shell = lensOf(shellScreen, { pick: ({ shell }) => ({ shell }), factsOf: same });

/** Changes to one screen's part, as changes to the whole. */
export const onResponses = responses.lift;
export const onReview = review.lift;
export const onAgent = agent.lift;
export const onShell = shell.lift;

/** The part of the state that decides which colours are needed. */
export const reviewPart = review.partOf;

export const SCREENS: Readonly<Record<ScreenName, JoinedScreen>> = {
  responses: join(responsesScreen, responses),
  review: join(reviewScreen, review),
  agent: join(agentScreen, agent),
  shell: join(shellScreen, shell),
};

/** The screen that receives the keys: the owner of the overlay, else the current one; null: the application. */
export function screenOf({ overlay, screen }: AppState): JoinedScreen | null {
  // A prompt belongs to the current screen, which cannot change under it.
  if (overlay === null || overlay.kind === 'prompt') return SCREENS[screen];
  return Object.values(SCREENS).find(({ owns }) => owns(overlay)) ?? null;
}
