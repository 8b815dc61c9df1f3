/**
 * The running surface without its drawing: keys and data come in, the state changes, effects are run through
 * the ports. Knows neither Ink nor React, so that a test can drive the whole application by keys.
 */
import { createLineWrapper } from '../lib/text-layout.ts';
import type { NoteContext } from '../protocol/draft.ts';
import { type AppState, initialAppState } from './commands/app-state.ts';
import { contextsOf } from './commands/contexts.ts';
import type { Effect } from './commands/effect.ts';
import { runEffect } from './commands/effects.ts';
import type { Facts, Outcome } from './commands/handler.ts';
import { handleKey, runAction } from './commands/keys.ts';
import { settle } from './commands/settle.ts';
import { createDraftSync, type DraftSync } from './draft-sync.ts';
import type { KeyEvent } from './keys/key.ts';
import type { Keymap } from './keys/keymap.ts';
import type { Action } from './keys/table.ts';
import { createDiffRows } from './plan/diff.ts';
import type { Size } from './plan/row.ts';
import type { ResponsesView, UiPorts } from './ports.ts';
import { createLineCounter, createReadingDocs } from './screens/responses/reading-docs.ts';
import { createStore, type Store } from './store.ts';

/** What is drawn: state, data and the time, all of one moment. */
interface Model {
  readonly state: AppState;
  readonly facts: Facts;
}

/** What the surface around the controller must do. */
interface ControllerHost {
  readonly quit: () => void;
  readonly redraw: () => void;
  /** Hands the terminal to `run` and takes it back. */
  readonly handOver: <T>(run: () => Promise<T>) => Promise<T>;
}

export interface Controller {
  readonly model: Store<Model>;
  readonly onKeys: (events: readonly KeyEvent[]) => void;
  /** Runs a command by name, as the palette does. */
  readonly run: (action: Action) => void;
  readonly resize: (size: Size) => void;
  readonly start: () => void;
  /** Saves what is not saved yet and lets go of everything. */
  readonly stop: () => Promise<void>;
}

export interface ControllerOptions {
  readonly ports: UiPorts;
  readonly keymap: Keymap;
  readonly size: Size;
  readonly host: ControllerHost;
  /** Pulled lines leave the draft with the notes that were sent. */
  readonly clearOnSend?: boolean;
  /** How much of the answered line goes out with a note at the start. */
  readonly noteContext?: NoteContext;
}

/** Makes the controller; nothing runs before `start`. */
export function createController(options: ControllerOptions): Controller {
  const { ports, keymap, host } = options;
  const { clock, responses } = ports;
  const docs = createReadingDocs();
  const linesOf = createLineCounter();
  const spansAt = createLineWrapper();
  const diffRows = createDiffRows();
  const factsOf = (view: ResponsesView): Facts => {
    const facts: Facts = {
      view,
      now: clock.now(),
      keymap,
      docs,
      linesOf,
      spansAt,
      diffRows,
      clearOnSend: options.clearOnSend ?? false,
      run: (state, action, contexts) => runAction(state, action, contexts, facts),
    };
    return facts;
  };

  const first = factsOf(responses.getSnapshot());
  const model = createStore<Model>({
    state: settle(initialAppState(options.size, options.noteContext), first),
    facts: first,
  });
  const unsubscribes: (() => void)[] = [];
  let ticker: unknown = null;
  let isStopped = false;

  const commit = (state: AppState, facts: Facts): void => {
    model.set({ state: settle(state, facts), facts });
    drafts.onState(model.get().state, facts.view);
    arm();
  };
  /** Applies one change made by something that was under way. */
  const apply = (change: (state: AppState, facts: Facts) => Outcome): void => {
    if (isStopped) return;
    const facts = factsOf(responses.getSnapshot());
    const outcome = change(model.get().state, facts);
    commit(outcome.state, facts);
    perform(outcome.effects);
  };
  const perform = (effects: readonly Effect[]): void => {
    for (const effect of effects) runEffect(effect, { ports, host, apply });
  };
  const drafts: DraftSync = createDraftSync({ port: ports.draft, clock, apply });

  /** One timer, only while something on the screen ages: a running AI, a toast, work under way. */
  const arm = (): void => {
    if (ticker !== null) clock.clear(ticker);
    ticker = null;
    const delay = nextChangeMs(model.get());
    if (delay === null || isStopped) return;
    ticker = clock.set(() => {
      ticker = null;
      apply((state, facts) => ({ state: expire(state, facts), effects: [] }));
    }, delay);
  };

  return {
    model,
    onKeys: (events) => {
      const facts = factsOf(responses.getSnapshot());
      let { state } = model.get();
      const effects: Effect[] = [];
      for (const event of events) {
        const outcome = handleKey(settle(state, facts), event, facts);
        state = outcome.state;
        effects.push(...outcome.effects);
      }
      commit(state, facts);
      perform(effects);
    },
    run: (action) => apply((state, facts) => facts.run(state, action, contextsOf(state, facts.view))),
    resize: (size) => apply((state) => ({ state: { ...state, size }, effects: [] })),
    start: () => {
      unsubscribes.push(responses.subscribe(() => apply((state) => ({ state, effects: [] }))));
      unsubscribes.push(drafts.start());
      apply((state) => ({ state, effects: [] }));
    },
    stop: async () => {
      if (isStopped) return;
      isStopped = true;
      if (ticker !== null) clock.clear(ticker);
      for (const unsubscribe of unsubscribes) unsubscribe();
      await drafts.stop();
    },
  };
}

const SECOND_MS = 1000;

/** When the picture next changes by itself; null while nothing ages. */
function nextChangeMs({ state, facts }: Model): number | null {
  const { busy, toast } = state;
  const waits: number[] = [];
  if (busy !== null) waits.push(facts.now - busy.since < SECOND_MS ? 250 : SECOND_MS);
  if (toast?.until != null) waits.push(Math.max(1, toast.until - facts.now));
  const { status } = facts.view;
  if (status.since !== null && status.state === 'working') {
    waits.push(SECOND_MS - ((facts.now - status.since) % SECOND_MS));
  }
  return waits.length === 0 ? null : Math.min(...waits);
}

function expire(state: AppState, facts: Facts): AppState {
  const { toast } = state;
  return toast?.until != null && toast.until <= facts.now ? { ...state, toast: null } : state;
}
