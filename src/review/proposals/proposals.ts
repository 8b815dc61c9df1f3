/** Proposals: suggestions written when their owner saves, not when they are decided. */
import { fail, ok, type Result } from '../../lib/result.ts';
import type { DecisionEntry, Suggestion } from '../../protocol/review.ts';
import { FileReview } from '../core/file-review.ts';
import { type Decision, stateOf, withChanges } from '../core/file-state.ts';
import type { DecisionWriter, Done, FileEdit } from '../deciding/decision-writer.ts';
import { sha256 } from '../files/hash.ts';
import { type Loaded, openFile } from '../records/load-suggestion.ts';
import type { Blobs, ReviewRecords, StoredSuggestion } from '../records/records.ts';
import { notesByHunk } from '../showing/author-notes.ts';
import { countHunks } from '../showing/counts.ts';
import { describeSuggestion, fileName, summarize } from '../showing/describe-suggestion.ts';
import type { Prepared } from '../sources/check-patch.ts';
import { type ProposalSource, prepareProposal } from './prepare-proposal.ts';

export interface Proposal extends ProposalSource {
  /** Absolute, no links. */
  readonly target: string;
  readonly description: string;
  readonly source: string;
  readonly author: string | null;
  /** The author's notes, by `file:N`. */
  readonly notes: Readonly<Record<string, string>>;
  /** `accepted`: the user's own edits. */
  readonly decision: 'pending' | 'accepted';
  /** Runs in the transaction that stores the proposal. */
  readonly alongside: (suggestion: string) => void;
}

export interface OpenProposal {
  readonly stored: StoredSuggestion;
  readonly reviews: readonly FileReview[];
}

/** What the review's queue provides. */
export interface ProposalTools {
  readonly records: ReviewRecords;
  readonly blobs: Blobs;
  readonly decider: DecisionWriter;
  readonly now: () => number;
  readonly newId: () => string;
  readonly serial: <T>(work: () => Promise<Result<T>>) => Promise<Result<T>>;
  readonly load: (id: string) => Promise<Result<Loaded>>;
  readonly remember: (loaded: Loaded) => void;
  readonly log: (outcomes: readonly DecisionEntry[]) => Promise<void>;
}

const QUIET = { action: null, comment: null } as const;

export class Proposals {
  readonly #tools: ProposalTools;

  constructor(tools: ProposalTools) {
    this.#tools = tools;
  }

  add(proposal: Proposal): Promise<Result<Suggestion>> {
    return this.#tools.serial(async () => {
      const { records, blobs, remember } = this.#tools;
      const prepared = await prepareProposal(proposal, blobs);
      if (!prepared.ok) return prepared;
      const patch = await blobs.put(prepared.value.patch);
      if (!patch.ok) return patch;
      const { subjects, files } = prepared.value;
      const stored = this.#stored(proposal, prepared.value, patch.value);
      const bare: Loaded = { stored, subjects, files, changes: new Map(), reviews: new Map() };
      const loaded = { ...bare, stored: { ...stored, ...countHunks(bare) } };
      if (loaded.stored.hunkCount === 0) return fail('invalid', 'Nothing is proposed.');
      const kept = records.write((writer) => {
        writer.putSuggestion(loaded.stored);
        for (const [position, file] of files.entries()) writer.putFile(stored.id, position, file);
        proposal.alongside(stored.id);
        writer.published(summarize(loaded.stored));
        return ok(undefined);
      });
      if (!kept.ok) return kept;
      remember(loaded);
      const decided = proposal.decision === 'pending' ? ok(null) : await this.#decideAll(loaded, 'accepted');
      if (!decided.ok) return decided;
      const opened = await this.#open(decided.value?.loaded ?? loaded);
      return opened.ok
        ? ok(await describeSuggestion(decided.value?.loaded ?? loaded, opened.value.reviews))
        : opened;
    });
  }

  #stored(proposal: Proposal, prepared: Prepared, patch: string): StoredSuggestion {
    return {
      ...prepared.facts,
      id: this.#tools.newId(),
      createdAt: this.#tools.now(),
      description: proposal.description,
      target: proposal.target,
      source: proposal.source,
      patch,
      notes: prepared.notes,
      authorNotes: notesByHunk(prepared.subjects, proposal.notes),
      // The working text has a proposal at once; a rejection takes it out.
      inPlace: true,
      write: 'on-save',
      author: proposal.author,
      end: null,
      revision: 1,
      hunkCount: 0,
      decidedCount: 0,
      files: prepared.subjects.map(fileName),
    };
  }

  /** Whether this suggestion is written on a save. */
  has(id: string): boolean {
    return this.#tools.records.suggestion(id)?.write === 'on-save';
  }

  /** The proposal and its files' reviews. */
  open(id: string): Promise<Result<OpenProposal>> {
    return this.#tools.serial(async () => {
      const loaded = await this.#load(id);
      return loaded.ok ? this.#open(loaded.value) : loaded;
    });
  }

  /** The same; null if it is unchanged since this revision. */
  openSince(id: string, revision: number): Promise<Result<OpenProposal | null>> {
    if (this.#tools.records.suggestion(id)?.revision === revision) return Promise.resolve(ok(null));
    return this.open(id);
  }

  /** The current decision on every hunk. */
  async decisions(id: string): Promise<Result<ReadonlyMap<string, Decision>>> {
    const loaded = await this.#load(id);
    if (!loaded.ok) return loaded;
    return ok(new Map([...loaded.value.changes.values()].map((change) => [change.id, change.decision])));
  }

  /** Sets decisions. A finished proposal is reopened. Actions are written to the feedback log. */
  redecide(
    id: string,
    decisions: ReadonlyMap<string, Decision>,
    action: 'accept' | 'reject' | null = null,
  ): Promise<Result<void>> {
    return this.#tools.serial(async () => {
      const found = await this.#load(id);
      if (!found.ok) return found;
      const { end } = found.value.stored;
      const loaded = this.#withEnd(found.value, null);
      // What was undecided at the end has left the text, and does not return by itself.
      const wanted = end === null ? decisions : await this.#withUndecidedRejected(loaded, decisions);
      const about = { action, comment: null };
      const done = await this.#tools.decider.run(loaded, setDecisions(loaded, wanted), about);
      if (!done.ok) return done;
      this.#tools.remember(done.value.loaded);
      if (done.value.outcomes.length > 0) await this.#tools.log(done.value.outcomes);
      return ok(undefined);
    });
  }

  async #withUndecidedRejected(
    loaded: Loaded,
    wanted: ReadonlyMap<string, Decision>,
  ): Promise<ReadonlyMap<string, Decision>> {
    const opened = await this.#open(loaded);
    if (!opened.ok) return wanted;
    const all = new Map<string, Decision>();
    for (const review of opened.value.reviews) {
      for (const change of review.changes) {
        if (stateOf(review.state, change.id).decision === 'pending') all.set(change.id, 'rejected');
      }
    }
    return new Map([...all, ...wanted]);
  }

  /** Finishes a proposal (or reopens it) without changing decisions. */
  end(id: string, end: StoredSuggestion['end']): Promise<Result<void>> {
    return this.#tools.serial(async () => {
      const { records, remember } = this.#tools;
      const found = await this.#load(id);
      if (!found.ok) return found;
      if (found.value.stored.end === end) return ok(undefined);
      const loaded = this.#withEnd(found.value, end);
      const stored = { ...loaded.stored, revision: loaded.stored.revision + 1 };
      const written = records.write((writer) => {
        writer.putSuggestion(stored);
        writer.changed(summarize(stored), []);
        return ok(undefined);
      });
      if (written.ok) remember({ ...loaded, stored });
      return written;
    });
  }

  #withEnd(loaded: Loaded, end: StoredSuggestion['end']): Loaded {
    return { ...loaded, stored: { ...loaded.stored, end } };
  }

  async #load(id: string): Promise<Result<Loaded>> {
    const loaded = await this.#tools.load(id);
    if (!loaded.ok || loaded.value.stored.write === 'on-save') return loaded;
    return fail('invalid', `Suggestion ${id} is written decision by decision; it is not a proposal.`);
  }

  async #open(loaded: Loaded): Promise<Result<OpenProposal>> {
    const reviews: FileReview[] = [];
    for (const position of loaded.subjects.keys()) {
      const opened = await openFile(loaded, position, this.#tools.blobs);
      if (!opened.ok) return opened;
      reviews.push(opened.value.review);
    }
    return ok({ stored: loaded.stored, reviews });
  }

  async #decideAll(loaded: Loaded, decision: Decision): Promise<Result<Done>> {
    const opened = await this.#open(loaded);
    if (!opened.ok) return opened;
    const ids = opened.value.reviews.flatMap((review) => review.changes.map((change) => change.id));
    const wanted = new Map(ids.map((id) => [id, decision]));
    const done = await this.#tools.decider.run(loaded, setDecisions(loaded, wanted), QUIET);
    if (done.ok) this.#tools.remember(done.value.loaded);
    return done;
  }
}

/** The review with these decisions instead of its own, and which of them changed. */
export function decidedAs(
  review: FileReview,
  wanted: ReadonlyMap<string, Decision>,
): { readonly review: FileReview; readonly ids: readonly string[] } {
  const states = review.changes.flatMap((change) => {
    const state = stateOf(review.state, change.id);
    const decision = wanted.get(change.id) ?? state.decision;
    if (decision === state.decision) return [];
    // The state keeps the reviewer's replacement; without one, the proposal counts.
    const known = decision === 'modified' && state.modified === null ? 'accepted' : decision;
    const past = [...state.past, state.decision];
    return [[change.id, { ...state, decision: known, past, future: [] }] as const];
  });
  if (states.length === 0) return { review, ids: [] };
  const next = new FileReview(review.subject, withChanges(review.state, states), {
    newPathProblem: null,
    hash: sha256,
  });
  return { review: next, ids: states.map(([id]) => id) };
}

function setDecisions(loaded: Loaded, wanted: ReadonlyMap<string, Decision>): FileEdit[] {
  return [...loaded.subjects.keys()].map((position) => ({
    position,
    apply: (review) => ok(decidedAs(review, wanted)),
  }));
}
