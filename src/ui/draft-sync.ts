/**
 * Keeps the draft on disk: loads the one of the followed pane, saves every change within a moment, takes over
 * what another companion wrote. Never throws a word away: a version that gives way can be brought back by undo.
 */
import { Scheduler } from '../lib/scheduler.ts';
import type { StoredDraft } from '../protocol/commands/draft.ts';
import { type Draft, type DraftKey, NO_PANE } from '../protocol/draft.ts';
import { EMPTY_DRAFT } from '../responses/core/draft.ts';
import type { AppState } from './commands/app-state.ts';
import { done, type Facts, type Outcome, say } from './commands/handler.ts';
import type { ClockPort, DraftPort, ResponsesView } from './ports.ts';
import { adoptDraft, isEmptyDraft, loadDraft, withNotesOf } from './screens/responses/draft-state.ts';

/** Changes are saved at most this often, and at most this late. */
export const SAVE_GAP_MS = 150;

export interface DraftSync {
  /** Listens to others; the result stops listening. */
  readonly start: () => () => void;
  /** Sees every state after it is committed. */
  readonly onState: (state: AppState, view: ResponsesView) => void;
  /** Saves what is not saved yet. */
  readonly stop: () => Promise<void>;
}

export interface DraftSyncOptions {
  readonly port: DraftPort;
  readonly clock: ClockPort;
  readonly apply: (change: (state: AppState, facts: Facts) => Outcome) => void;
}

/** Makes the keeper of drafts. */
export function createDraftSync(options: DraftSyncOptions): DraftSync {
  const keeper = new DraftKeeper(options);
  return {
    start: () => options.port.onExternalChange((stored) => keeper.takeOver(stored)),
    onState: (state, view) => keeper.see(state.draft.draft, options.port.keyOf(view)),
    stop: () => keeper.stop(),
  };
}

/** The draft that is open: where it belongs, what is stored of it, what is on the screen. */
class DraftKeeper {
  readonly #options: DraftSyncOptions;
  readonly #scheduler: Scheduler;
  #key: DraftKey | null = null;
  #isLoaded = false;
  #revision = 0;
  #stored: Draft | null = null;
  #shown: Draft | null = null;
  #isComplaining = false;
  #isStopped = false;

  constructor(options: DraftSyncOptions) {
    this.#options = options;
    this.#scheduler = new Scheduler({
      minGapMs: SAVE_GAP_MS,
      run: () => this.#save(),
      onError: (error) => {
        throw error;
      },
      timers: options.clock,
    });
  }

  /** Looks whether the pane or the draft is another one now. */
  see(draft: Draft, key: DraftKey): void {
    if (this.#key === null || key.project !== this.#key.project || key.pane !== this.#key.pane) {
      void this.#open(key, draft);
      return;
    }
    this.#shown = draft;
    if (this.#isLoaded && draft !== this.#stored) this.#scheduler.request();
  }

  /** What another companion, Neovim or a command stored. */
  takeOver(stored: StoredDraft): void {
    if (!this.#isCurrent(stored.key) || !this.#isLoaded || stored.revision <= this.#revision) return;
    const hasUnsaved = this.#shown !== this.#stored;
    this.#revision = stored.revision;
    this.#options.apply((state, facts) => {
      const draft = adoptDraft(state.draft, stored.draft);
      this.#stored = draft.draft;
      // A preview of what was there before must not be sent.
      const overlay = state.overlay?.kind === 'preview' ? null : state.overlay;
      const next: AppState = { ...state, draft, overlay };
      return hasUnsaved
        ? say(next, facts, 'warn', 'The draft was changed elsewhere and taken over; u brings yours back')
        : done(next);
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#scheduler.stop();
    await this.#save();
  }

  #isCurrent(key: DraftKey): boolean {
    return this.#key !== null && key.project === this.#key.project && key.pane === this.#key.pane;
  }

  async #open(key: DraftKey, shown: Draft): Promise<void> {
    // Without a pane the draft belongs to nobody yet: it goes along to the pane that is followed next.
    const left =
      this.#key === null || this.#key.pane === NO_PANE ? { key: this.#key, revision: this.#revision } : null;
    const saved = this.#save();
    this.#key = key;
    this.#isLoaded = false;
    this.#shown = shown;
    await saved;
    const result = await this.#options.port.load(key);
    if (!this.#isCurrent(key)) return;
    this.#options.apply((state, facts) => {
      if (!result.ok)
        return say(state, facts, 'error', `The draft could not be loaded: ${result.error.message}`);
      this.#isLoaded = true;
      this.#revision = result.value.revision;
      const loaded = loadDraft(result.value.draft);
      this.#stored = loaded.draft;
      // What was typed before the first draft was there is kept below it.
      const isCarried = left !== null && !isEmptyDraft(state.draft);
      const draft = isCarried ? withNotesOf(loaded, state.draft) : loaded;
      if (isCarried && left.key !== null) void this.#empty(left.key, left.revision);
      return done({ ...state, draft });
    });
  }

  /** The notes of this draft live on in another one. When it cannot be emptied they stand in both. */
  async #empty(key: DraftKey, revision: number): Promise<void> {
    await this.#options.port.save(key, EMPTY_DRAFT, revision);
  }

  async #save(): Promise<void> {
    const { port, apply } = this.#options;
    const key = this.#key;
    const draft = this.#shown;
    if (key === null || draft === null || !this.#isLoaded || draft === this.#stored) return;
    const result = await port.save(key, draft, this.#revision);
    const isShown = this.#isCurrent(key) && !this.#isStopped;
    if (result.ok) {
      if (!isShown) return;
      this.#revision = result.value.revision;
      this.#stored = draft;
      this.#isComplaining = false;
      return;
    }
    if (result.error.code === 'refused') {
      const newest = await port.load(key);
      if (!newest.ok) return;
      if (isShown) this.takeOver(newest.value);
      else await port.save(key, bothDrafts(newest.value.draft, draft), newest.value.revision);
      return;
    }
    if (!isShown) return;
    // Said once; the next change tries again.
    if (this.#isComplaining) return;
    this.#isComplaining = true;
    const { message } = result.error;
    apply((state, facts) => say(state, facts, 'error', `The draft could not be saved: ${message}`));
  }
}

/** A draft that is left can no longer be asked about: its notes go below the ones that came in between. */
function bothDrafts(newest: Draft, left: Draft): Draft {
  return withNotesOf(loadDraft(newest), loadDraft(left)).draft;
}
