/** The running surface without drawing: keys and data in, state and effects out. Independent of Ink and React. */
import type { NoteContext } from '../../protocol/draft.ts';
import { tellAgentNews } from '../agent/news.ts';
import type { KeyEvent } from '../kit/keys/key.ts';
import type { Keymap } from '../kit/keys/keymap.ts';
import type { Size } from '../kit/row.ts';
import { createStore, type Store } from '../kit/store.ts';
import { type CodeColors, createCodeColors } from '../responses/code-colors.ts';
import { DraftSync } from '../responses/draft-sync.ts';
import { showNews } from '../responses/news.ts';
import type { MarkdownReader } from '../responses/reading-docs.ts';
import { selectedTurn } from '../responses/state.ts';
import { type ColorBook, createColorBook } from '../review/color-book.ts';
import { followedPlace } from '../review/moves.ts';
import { tellReviewNews } from '../review/news.ts';
import { contextsOf } from './contexts.ts';
import { type EffectHost, runEffect } from './effects.ts';
import { createFacts } from './facts.ts';
import { followTurns } from './follow-turns.ts';
import { handleKey } from './handle-key.ts';
import type { Action } from './key-table.ts';
import { type AppFacts, type AppOutcome, done, say } from './model.ts';
import type { NoticeView, UiPorts } from './ports.ts';
import { onAgent, onResponses, onReview, reviewPart, SCREENS } from './screens.ts';
import { type AppEffect, type AppState, initialAppState } from './state.ts';
import { createTicker, type Ticker, withoutExpired } from './ticker.ts';

/** A frame's input: state, data and time at one moment. */
interface Model {
  readonly state: AppState;
  readonly facts: AppFacts;
}

export interface ControllerOptions {
  readonly ports: UiPorts;
  readonly keymap: Keymap<Action>;
  readonly size: Size;
  readonly host: EffectHost;
  /** Sending notes also removes the pulled lines from the draft. */
  readonly clearOnSend?: boolean;
  /** How much of the answered line a note quotes, initially. */
  readonly noteContext?: NoteContext;
  /** Problems of the set-up, shown at start before those of the keys. */
  readonly problems?: readonly string[];
  /** Shown at start if nothing is wrong. */
  readonly greeting?: string | null;
}

/** What puts something else under the next key, and needs a while. */
const OPENING: ReadonlySet<AppEffect['kind']> = new Set<AppEffect['kind']>([
  'review-turn',
  'review-newest',
  'review-scope',
  'review-reopen',
  'start-review',
  'to-draft',
  'list-sessions',
  'open-session',
]);
const WAYS_OUT: ReadonlySet<string> = new Set(['Esc', 'Ctrl+C']);
/** More keys than this do not wait. */
const WAITING_MAX_KEYS = 200;

type ChangeOf = (state: AppState, facts: AppFacts) => AppOutcome;

/** Holds the state, and changes it by keys, effects and news. Nothing runs before `start`. */
export class Controller {
  readonly model: Store<Model>;
  readonly #options: ControllerOptions;
  readonly #factsOfNow: () => AppFacts;
  readonly #drafts: DraftSync;
  readonly #ticker: Ticker;
  readonly #colors: ColorBook | null;
  readonly #codeColors: CodeColors | null;
  readonly #unsubscribes: (() => void)[] = [];
  /** Keys that wait, and how many effects are about to open what these are meant for. */
  readonly #keys: KeyEvent[] = [];
  #opening = 0;
  #isStopped = false;

  constructor(options: ControllerOptions) {
    this.#options = options;
    const { ports, keymap, clearOnSend = false } = options;
    const { clock, review, colors } = ports;
    this.#colors =
      colors === undefined
        ? null
        : createColorBook({
            port: colors,
            texts: review.texts,
            clock,
            onColors: () => this.apply((now) => done(now)),
          });
    this.#codeColors =
      colors === undefined
        ? null
        : createCodeColors({ port: colors, clock, onColors: () => this.apply((now) => done({ ...now })) });
    this.#drafts = new DraftSync({
      port: ports.draft,
      clock,
      apply: (change) => this.apply(onResponses(change)),
    });
    this.#factsOfNow = createFacts({
      ports,
      keymap,
      clearOnSend,
      colorsOf: (doc) => this.#colors?.of(doc) ?? null,
      codeStyles: (doc) => this.#codeColors?.of(doc) ?? NO_STYLES,
      isDraftLoaded: () => this.#drafts.isLoaded,
    });
    const facts = this.#factsOfNow();
    const initial = initialAppState(options.size, options.noteContext);
    const state = settle({ ...initial, review: { ...initial.review, ...review.look?.read() } }, facts);
    this.model = createStore<Model>({ state, facts });
    const apply = (change: ChangeOf): void => this.apply(change);
    this.#ticker = createTicker({
      clock,
      whenSeen: ports.whenSeen,
      wake: () => apply((now, { now: time }) => done(withoutExpired(now, time))),
    });
  }

  start(): void {
    const { ports, keymap, problems = [], greeting = null } = this.#options;
    this.#unsubscribes.push(
      ports.responses.subscribe(() => this.#onView()),
      ports.review.subscribe(() => this.#onReview()),
      ports.notices?.subscribe(() => this.#onNotices()) ?? (() => undefined),
      ports.agent.subscribe(() => this.#onAgent()),
      ports.shell.subscribe(() => this.apply((state) => done(state))),
      this.#drafts.start(),
    );
    const all = [...problems, ...keymap.problems];
    const [problem] = all;
    this.apply((state, facts) => {
      if (problem !== undefined)
        return say(
          state,
          facts,
          'warn',
          all.length === 1 ? problem : `${problem} (and ${all.length - 1} more)`,
        );
      return greeting === null ? done(state) : say(state, facts, 'info', greeting);
    });
  }

  readBy(reader: MarkdownReader): void {
    this.model.get().facts.docs.readBy(reader);
    this.apply((state) => done({ ...state }));
  }

  /** Saves unsaved data and releases everything. */
  async stop(): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#ticker.stop();
    this.#colors?.stop();
    this.#codeColors?.stop();
    for (const unsubscribe of this.#unsubscribes) unsubscribe();
    await this.#drafts.stop();
  }

  /** Runs a command by name, like the palette. */
  run(action: Action): void {
    this.apply((state, facts) => facts.run(state, action, contextsOf(state, facts)));
  }

  resize(size: Size): void {
    this.apply((state) => done({ ...state, size }));
  }

  /** Tells the user what became known only after the start. */
  warn(words: string): void {
    this.apply((state, facts) => say(state, facts, 'warn', words));
  }

  /** Handles keys in their order. Those typed ahead of what a key opens are meant for that, and wait until it is there. */
  onKeys(events: readonly KeyEvent[]): void {
    const isOut = (event: KeyEvent) => event.kind === 'key' && WAYS_OUT.has(event.key);
    const out = this.#waits(this.model.get()) ? events.findLastIndex(isOut) : -1;
    // Whoever wants out does not wait, and drops what was typed before.
    if (out >= 0) this.#keys.length = 0;
    this.#keys.push(...events.slice(Math.max(0, out)));
    if (out >= 0) this.#handle();
    this.#onWaiting();
    this.#keys.splice(WAITING_MAX_KEYS);
  }

  #onWaiting(): void {
    while (this.#keys.length > 0 && !this.#waits(this.model.get())) this.#handle();
  }

  #waits({ state: { screen, review }, facts }: Model): boolean {
    const { open, problem } = facts.review;
    const isRead = review.suggestion === null || open?.id === review.suggestion || problem !== null;
    return this.#opening > 0 || (screen === 'review' && !isRead);
  }

  /** As many as need not wait, each on the state after the one before, as one change. */
  #handle(): void {
    if (this.#isStopped) return void this.#keys.splice(0);
    const facts = this.#factsOfNow();
    let state = settle(withFoldedToast(this.model.get().state), facts);
    const effects: AppEffect[] = [];
    for (let event = this.#keys.shift(); event !== undefined; event = this.#keys.shift()) {
      const outcome = handleKey(state, event, facts);
      state = settle(outcome.state, facts);
      effects.push(...outcome.effects);
      if (outcome.effects.some(({ kind }) => OPENING.has(kind)) || this.#waits({ state, facts })) break;
    }
    this.#commit(state, facts);
    this.#perform(effects);
  }

  /** Applies the result of an asynchronous operation to the current state. */
  apply(change: ChangeOf): void {
    if (this.#isStopped) return;
    const facts = this.#factsOfNow();
    const outcome = change(this.model.get().state, facts);
    this.#commit(outcome.state, facts);
    this.#perform(outcome.effects);
    this.#onWaiting();
  }

  #onView(): void {
    const before = this.model.get().facts.view;
    this.apply((was, facts) => {
      const { state, effects } = onResponses((responses) => showNews(responses, before, facts))(was, facts);
      return { state, effects: [...effects, ...followTurns(state, before, facts)] };
    });
  }

  #onNotices(): void {
    const before = this.model.get().facts.notices;
    this.apply((state, facts) => tellNotices(state, before, facts));
  }

  #onAgent(): void {
    const before = this.model.get().facts.agent;
    this.apply(onAgent((state, facts) => tellAgentNews(state, before, facts)));
  }

  #onReview(): void {
    const before = this.model.get().facts.review;
    this.apply(onReview((state, facts) => tellReviewNews(state, before, facts)));
  }

  #commit(state: AppState, facts: AppFacts): void {
    const settled = settle(state, facts);
    this.model.set({ state: settled, facts });
    this.#drafts.onState(settled, facts.view);
    const place = followedPlace(settled);
    if (place !== null) this.#options.ports.review.follow(place.suggestion, place.hunk, place.context);
    // An opened session stays followed, so that other screens get its news; nothing is read before that.
    if (settled.screen === 'agent' || settled.agent.session !== null) {
      this.#options.ports.agent.follow(settled.agent.session);
    }
    this.#options.ports.shell.watch(settled.screen === 'shell' && !this.#isStopped);
    if (this.#isStopped) return;
    this.#colors?.onState(reviewPart(settled), facts);
    this.#colorCode(settled, facts);
    this.#ticker.arm(settled, facts.view);
  }

  #colorCode({ screen, responses }: AppState, facts: AppFacts): void {
    const turn = screen === 'responses' ? selectedTurn(responses, facts.view.turns) : null;
    const isWhole = turn !== null && turn.progress !== 'streaming';
    this.#codeColors?.look(isWhole ? facts.docs(turn, responses.form) : null);
  }

  #perform(effects: readonly AppEffect[]): void {
    for (const effect of effects) void this.#run(effect);
  }

  async #run(effect: AppEffect): Promise<void> {
    const { ports, host } = this.#options;
    const opening = OPENING.has(effect.kind) ? 1 : 0;
    this.#opening += opening;
    try {
      await runEffect(effect, { ports, host, apply: (change) => this.apply(change) });
    } finally {
      this.#opening -= opening;
      this.#onWaiting();
    }
  }
}

/** The state with every cursor in its text and in view; the same object if all were. */
function settle(state: AppState, facts: AppFacts): AppState {
  return Object.values(SCREENS).reduce((settled, screen) => screen.settle(settled, facts), state);
}

const NO_STYLES: ReturnType<AppFacts['codeStyles']> = new Map();

/** A key means that the last message was seen: it folds and no longer covers the screen. */
function withFoldedToast(state: AppState): AppState {
  const { toast } = state;
  return toast === null || toast.isFolded ? state : { ...state, toast: { ...toast, isFolded: true } };
}

/** The state with news of notices that changed since `before`. */
function tellNotices(state: AppState, before: NoticeView, facts: AppFacts): AppOutcome {
  const { notices, error } = facts.notices;
  if (error !== null && error !== before.error) {
    return say(state, facts, 'warn', `${error.author ?? 'An AI'} reports an error: ${error.message}`);
  }
  const fresh = notices.find((notice) => !before.notices.includes(notice));
  return fresh === undefined ? done(state) : say(state, facts, 'warn', fresh);
}
