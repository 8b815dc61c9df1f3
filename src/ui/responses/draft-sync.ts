/** Keeps the draft on disk: loads, saves every change, adopts others' changes. Undo restores a replaced version. */
import { Scheduler, type Timers } from '../../lib/scheduler.ts';
import type { StoredDraft } from '../../protocol/commands/draft.ts';
import type { Draft, DraftKey } from '../../protocol/draft.ts';
import { EMPTY_DRAFT, reduceDraft } from '../../responses/core/draft.ts';
import { isEmptyDraft, isUntouched, loadDraft, withNotesOf } from './draft-state.ts';
import { done, type ResponsesFacts, type ResponsesModel, type ResponsesOutcome, say } from './model.ts';
import { type DraftPort, paneKey, type ResponsesView } from './port.ts';

/** Changes are saved at most this often, and at most this late. */
export const SAVE_GAP_MS = 150;

export interface DraftSyncOptions {
  readonly port: DraftPort;
  readonly clock: Timers;
  readonly apply: (change: (state: ResponsesModel, facts: ResponsesFacts) => ResponsesOutcome) => void;
}

/** The open draft: its key, its stored version, its version on the screen. */
export class DraftSync {
  readonly #options: DraftSyncOptions;
  readonly #scheduler: Scheduler;
  #key: DraftKey | null = null;
  #isLoaded = false;
  /** The shown text was written before any draft was loaded, so none of it is stored. */
  #isUnstored = false;
  /** Without a pane, or after its pane closed, the draft belongs to none: it moves to the pane followed next. */
  #isUnowned = true;
  #revision = 0;
  /** The latest news about the draft that is being loaded. */
  #arrived: StoredDraft | null = null;
  #stored: Draft | null = null;
  #shown: Draft | null = null;
  /** The draft whose notes moved here but are not yet on disk here. */
  #carriedFrom: { readonly key: DraftKey; readonly revision: number } | null = null;
  #hasReported = false;
  #isStopped = false;

  constructor(options: DraftSyncOptions) {
    this.#options = options;
    this.#scheduler = new Scheduler({
      minGapMs: SAVE_GAP_MS,
      run: async () => {
        await this.#save();
      },
      onError: (error) => {
        throw error;
      },
      timers: options.clock,
    });
  }

  /** False until the stored part is on the screen: what is written before is only a part of the draft. */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /** Subscribes to others' changes; returns the unsubscriber. */
  start(): () => void {
    return this.#options.port.onExternalChange((stored) => this.#takeOver(stored));
  }

  /** Called with every committed state: the pane or the draft may have changed. */
  onState({ draft: { draft } }: Pick<ResponsesModel, 'draft'>, view: ResponsesView): void {
    const key = this.#options.port.keyOf(view);
    const wasUnowned = this.#isUnowned;
    this.#isUnowned = !view.panes.some(({ identity }) => paneKey(identity) === view.selected);
    if (!this.#isCurrent(key)) {
      void this.#open(key, draft, wasUnowned);
      return;
    }
    this.#shown = draft;
    if (this.#isLoaded && draft !== this.#stored) this.#scheduler.request();
  }

  /** Adopts what another companion, Neovim or a command stored. */
  #takeOver(stored: StoredDraft): void {
    if (!this.#isCurrent(stored.key)) return;
    if (!this.#isLoaded) {
      // Arrived during loading: what the load returns may be older.
      this.#arrived = stored;
      return;
    }
    if (stored.revision <= this.#revision) return;
    const hasUnsaved = this.#shown !== this.#stored;
    this.#revision = stored.revision;
    this.#options.apply((state, facts) => {
      // Someone else's change is one step that can be undone.
      const draft = reduceDraft(state.draft, { type: 'draft/replace', draft: stored.draft });
      this.#stored = draft.draft;
      // A preview of the previous text must not be sent.
      const overlay = state.overlay?.kind === 'preview' ? null : state.overlay;
      const next: ResponsesModel = { ...state, draft, overlay };
      return hasUnsaved
        ? say(next, facts, 'warn', 'The draft was changed elsewhere and reloaded; u brings yours back')
        : done(next);
    });
  }

  /** Saves unsaved changes. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#scheduler.stop();
    const hasMore = this.#shown !== null && !isEmptyDraft(loadDraft(this.#shown));
    if (this.#key !== null && this.#shown !== null && this.#isUnstored && hasMore) {
      await this.#mergeIntoNewest(this.#key, this.#shown, false);
    } else await this.#save();
  }

  #isCurrent(key: DraftKey): boolean {
    return this.#key !== null && key.project === this.#key.project && key.pane === this.#key.pane;
  }

  async #open(key: DraftKey, shown: Draft, isCarried: boolean): Promise<void> {
    const left = this.#key;
    const saved = this.#save();
    this.#isUnstored = isCarried && !this.#isLoaded;
    this.#key = key;
    this.#isLoaded = false;
    this.#arrived = null;
    this.#shown = shown;
    const leftRevision = await saved;
    const result = await this.#options.port.load(key);
    if (!this.#isCurrent(key)) return;
    if (!result.ok) {
      // The next state change tries again.
      this.#key = null;
      this.#isUnowned = true;
      this.#reportOnce(`The draft could not be loaded: ${result.error.message}`);
      return;
    }
    this.#hasReported = false;
    this.#isLoaded = true;
    this.#isUnstored = false;
    this.#options.apply((state) => {
      const arrived = this.#arrived;
      const newest = arrived !== null && arrived.revision > result.value.revision ? arrived : result.value;
      this.#revision = newest.revision;
      const loaded = loadDraft(newest.draft);
      this.#stored = loaded.draft;
      // Text typed before the first draft arrived is kept below it.
      const takesNotes = isCarried && !isUntouched(state.draft);
      const draft = takesNotes ? withNotesOf(loaded, state.draft) : loaded;
      this.#carriedFrom = takesNotes && left !== null ? { key: left, revision: leftRevision } : null;
      // The lines chosen to be sent may have changed.
      const overlay =
        state.overlay?.kind === 'preview' && state.overlay.range !== null ? null : state.overlay;
      return done({ ...state, draft, overlay });
    });
  }

  /** The notes are on disk in the followed draft; only now may they be removed from their old one. */
  async #emptyWhereCarriedFrom(): Promise<void> {
    const from = this.#carriedFrom;
    this.#carriedFrom = null;
    if (from !== null) await this.#options.port.save(from.key, EMPTY_DRAFT, from.revision);
  }

  /** Saves unsaved changes; returns the stored revision. */
  async #save(): Promise<number> {
    const { port } = this.#options;
    const key = this.#key;
    const draft = this.#shown;
    const known = this.#revision;
    if (key === null || draft === null || !this.#isLoaded || draft === this.#stored) return known;
    const result = await port.save(key, draft, known);
    const isShown = this.#isCurrent(key) && !this.#isStopped;
    if (result.ok) {
      if (isShown) this.#onSaved(draft, result.value.revision);
      await this.#emptyWhereCarriedFrom();
      return result.value.revision;
    }
    if (result.error.code === 'refused') return await this.#mergeIntoNewest(key, draft, isShown);
    if (isShown) this.#reportOnce(`The draft could not be saved: ${result.error.message}`);
    return known;
  }

  #onSaved(draft: Draft, revision: number): void {
    this.#revision = revision;
    this.#stored = draft;
    this.#hasReported = false;
  }

  /** Someone else stored a newer version. */
  async #mergeIntoNewest(key: DraftKey, draft: Draft, isShown: boolean): Promise<number> {
    const { port } = this.#options;
    const newest = await port.load(key);
    if (!newest.ok) return this.#revision;
    const { revision } = newest.value;
    if (isShown) this.#takeOver(newest.value);
    else {
      // Nobody can be asked about a draft that was left: its notes go below those stored in between.
      const both = withNotesOf(loadDraft(newest.value.draft), loadDraft(draft)).draft;
      await port.save(key, both, revision);
    }
    return revision;
  }

  /** Reported once; the next change tries again. */
  #reportOnce(words: string): void {
    if (this.#hasReported) return;
    this.#hasReported = true;
    this.#options.apply((state, facts) => say(state, facts, 'error', words));
  }
}
