/** Carries out decisions as commands: makes room first, joins neighbours, and does consequences before the answer. */
import { type Failure, fail, ok, type Result } from '../../lib/result.ts';
import type { CommandInput, CommandResult } from '../../protocol/command.ts';
import type { DecisionEntry, LineRange } from '../../protocol/review.ts';
import { type FileReview, UNDO_BY_HAND } from '../core/file-review.ts';
import { bodyLines, commentedLines, linesOfFile, runAt } from '../core/shown-lines.ts';
import { joinParts, leavesOf, rootOf, splitLines } from '../core/split.ts';
import { sha256 } from '../files/hash.ts';
import { hunkOf, type Loaded, positionOf, positionsOf } from '../records/load-suggestion.ts';
import type { ReviewRecords } from '../records/records.ts';
import { changesOf } from '../records/stored-file.ts';
import { quoteAround } from '../showing/describe-comment.ts';
import { describeHunks, fileName, summarize } from '../showing/describe-suggestion.ts';
import { byFile, DecisionQueue, together } from './decision-queue.ts';
import type { About, DecisionWriter, Done, FileEdit } from './decision-writer.ts';
import {
  bringsIn,
  decideAll,
  decideHunk,
  inOrder,
  isMany,
  leftOpen,
  stepAll,
  stepSome,
  takeBack,
} from './plan-decision.ts';

type Decide = CommandInput<'review/decide'>;
export type Decided = CommandResult<'review/decide'>;

/** Most skipped files to name. */
const LEFT_MAX_NAMED = 5;

/** Carries out a decision's consequences; returns the failures in words. */
export interface FollowUp {
  run(done: Done): Promise<string[]>;
}

export interface DecisionsOptions {
  readonly records: ReviewRecords;
  readonly decider: DecisionWriter;
  /** A decision's consequences beyond the target's files. */
  readonly after: FollowUp;
  readonly log: (outcomes: readonly DecisionEntry[]) => Promise<void>;
  /** Runs a command in its turn. */
  readonly serial: <T>(work: () => Promise<Result<T>>) => Promise<Result<T>>;
  readonly shelf: Shelf;
}

/** Access to stored suggestions. */
interface Shelf {
  load(id: string): Promise<Result<Loaded>>;
  /** The suggestion, if it can be decided on. */
  open(id: string): Promise<Result<Loaded>>;
  remember(loaded: Loaded): void;
}

interface ChangeOptions {
  readonly open?: Shelf['open'];
  /** Whether consequences follow. */
  readonly decides?: boolean;
}

const NO_DECISION = { decides: false } as const;

type Ref = { readonly suggestion: string; readonly hunk: string };

export class Decisions {
  readonly #options: DecisionsOptions;
  readonly #queue: DecisionQueue<Decided>;

  constructor(options: DecisionsOptions) {
    this.#options = options;
    this.#queue = new DecisionQueue(options.serial, (inputs) => this.#decideBatch(inputs));
  }

  /** Something else was requested: later decisions come after it. */
  close(): void {
    this.#queue.close();
  }

  /** Makes all of a decision, or none of it. */
  decide(input: Decide): Promise<Result<Decided>> {
    return this.#queue.decide(input);
  }

  /** Undoes or redoes these hunks' last decision, except those others changed since; null: every decision. */
  step(
    suggestion: string,
    hunks: readonly string[] | null,
    direction: 'undo' | 'redo',
  ): Promise<Result<Decided>> {
    return this.#change(suggestion, async (loaded) => {
      const [only, ...more] = hunks ?? [];
      const isOne = only !== undefined && more.length === 0;
      const found = hunks === null ? null : positionsOf(loaded, hunks).filter((position) => position >= 0);
      if (isOne && found?.length === 0) return fail('not_found', `Hunk not found: ${only}`);
      const ids = new Set(hunks);
      const apply = (review: FileReview) =>
        hunks === null || isOne ? stepAll(review, only ?? null, direction) : stepSome(review, ids, direction);
      const positions = new Set(found ?? loaded.subjects.keys());
      const changes = [...positions].map((position) => ({ position, apply }));
      const done = await this.#inPhases(loaded, changes, { action: direction, comment: null });
      if (!done.ok || isOne) return done;
      const left = frozenOf(done.value.loaded, hunks);
      if (done.value.touched.length > 0) return ok({ ...done.value, left });
      const [why = `There is nothing to ${direction}.`] = left;
      return fail('refused', why, left.length === 0 ? undefined : UNDO_BY_HAND);
    });
  }

  /** Converts lines shown in the diff of a hunk (or part) to body lines; without lines, the change at `at`. */
  async linesOf({ suggestion, hunk }: Ref, lines: LineRange | null, at: number): Promise<Result<LineRange>> {
    const loaded = await this.#options.shelf.load(suggestion);
    if (!loaded.ok) return loaded;
    const found = hunkOf(loaded.value, hunk);
    if (!found.ok) return found;
    const { change } = found.value;
    const shown = lines === null ? runAt(change, at) : ok(lines);
    return shown.ok ? bodyLines(change, shown.value) : shown;
  }

  /** Splits a hunk at these lines, or joins its parts. Decides nothing. */
  cut({ suggestion, hunk }: Ref, range: LineRange | null): Promise<Result<Decided>> {
    return this.#change(
      suggestion,
      async (loaded) => {
        const position = positionOf(loaded, hunk);
        if (position < 0) return fail('not_found', `Hunk not found: ${hunk}`);
        const apply: FileEdit['apply'] = (review) => {
          const next = range === null ? joinParts(review, hunk) : splitLines(review, hunk, range, sha256);
          if (!next.ok) return next;
          const value = 'review' in next.value ? next.value.review : next.value;
          // Refers to the hunks before the change: a joined part no longer exists.
          const root = rootOf(review, hunk)?.id ?? hunk;
          return ok({ review: value, ids: leavesOf(value, root).map((leaf) => leaf.id) });
        };
        return this.#options.decider.run(loaded, [{ position, apply }], { action: null, comment: null });
      },
      NO_DECISION,
    );
  }

  comment({ suggestion, hunk, comment, lines }: CommandInput<'review/comment'>): Promise<Result<Decided>> {
    const open = (id: string) => this.#options.shelf.load(id);
    return this.#change(
      suggestion,
      async (loaded) => {
        const found = hunkOf(loaded, hunk);
        if (!found.ok) return found;
        const { position, change } = found.value;
        const linesFor = lines?.ofFile === true ? linesOfFile : commentedLines;
        const about = lines === null ? ok(null) : linesFor(change, lines);
        if (!about.ok) return about;
        const apply: FileEdit['apply'] = (review) =>
          about.value !== null && quoteAround(review, change, about.value) === null
            ? fail('invalid', 'The file has no such lines between this hunk and its neighbours.')
            : ok({ review, ids: [hunk] });
        const decision = { action: 'comment', comment, lines: about.value } as const;
        return this.#options.decider.run(loaded, [{ position, apply }], decision);
      },
      { ...NO_DECISION, open },
    );
  }

  /** Changes a suggestion in its turn and reports the result. */
  #change(
    suggestion: string,
    work: (loaded: Loaded) => Promise<Result<Done>>,
    { open = (id: string) => this.#options.shelf.open(id), decides = true }: ChangeOptions = {},
  ): Promise<Result<Decided>> {
    return this.#options.serial(async () => {
      const loaded = await open(suggestion);
      if (!loaded.ok) return loaded;
      const done = await work(loaded.value);
      return done.ok ? this.#answer(done.value, decides) : done;
    });
  }

  async #decideEach(inputs: readonly Decide[]): Promise<Result<Decided>[]> {
    const answers: Result<Decided>[] = [];
    for (const input of inputs) answers.push(await this.#decideOne(input));
    return answers;
  }

  async #decideOne(input: Decide): Promise<Result<Decided>> {
    const loaded = await this.#options.shelf.open(input.suggestion);
    if (!loaded.ok) return loaded;
    const { stored } = loaded.value;
    if (input.revision !== null && input.revision !== stored.revision) {
      return fail(
        'refused',
        'Someone decided on this suggestion since you looked; nothing was done.',
        'Look at it again.',
      );
    }
    const changes = isMany(input.hunk)
      ? await decideAll(loaded.value, input)
      : decideHunk(loaded.value, input);
    if (!changes.ok) return changes;
    const decided = await this.#inPhases(loaded.value, changes.value, input);
    const isSplit =
      !decided.ok && decided.error.code === 'refused' && isMany(input.hunk) && input.onlyFitting;
    const done = isSplit ? await this.#fitting(loaded.value, changes.value, input) : decided;
    if (!done.ok) return done;
    const answer = await this.#answer(done.value);
    const left =
      input.onlyFitting && input.action === 'accept' ? leftOpen(done.value.loaded, input.file) : null;
    if (!answer.ok || left === null) return answer;
    return ok({ ...answer.value, notes: [...answer.value.notes, left] });
  }

  /** Writes adjacent decisions on one file together; if that fails, each reports its own failure. */
  async #decideBatch(inputs: readonly Decide[]): Promise<Result<Decided>[]> {
    const [first] = inputs;
    const loaded =
      first === undefined || inputs.length === 1 ? null : await this.#options.shelf.open(first.suggestion);
    if (loaded === null || !loaded.ok) return this.#decideEach(inputs);
    const answers: Result<Decided>[] = [];
    for (const some of byFile(inputs, (hunk) => positionOf(loaded.value, hunk)))
      answers.push(...((await this.#decideTogether(some)) ?? (await this.#decideEach(some))));
    return answers;
  }

  async #decideTogether(inputs: readonly Decide[]): Promise<Result<Decided>[] | null> {
    const loaded = inputs.length < 2 ? null : await this.#options.shelf.open(inputs[0]?.suggestion ?? '');
    if (loaded === null || !loaded.ok) return null;
    const all = together(loaded.value, inputs);
    if (all === null) return null;
    const decided = await this.#inPhases(loaded.value, [all.change], all);
    if (!decided.ok) return null;
    const answer = await this.#answer(decided.value);
    return all.became.map((ids): Result<Decided> => {
      if (!ids.ok || !answer.ok) return ids.ok ? answer : ids;
      const own = new Set(ids.value);
      return ok({ ...answer.value, hunks: answer.value.hunks.filter(({ id }) => own.has(id)) });
    });
  }

  /** Files that make room for others go first. If a later phase is refused, earlier ones are undone. */
  async #inPhases(loaded: Loaded, changes: readonly FileEdit[], about: About): Promise<Result<Done>> {
    let done: Done = { loaded, outcomes: [], touched: [] };
    const isForward = bringsIn(about.action, loaded.stored);
    for (const phase of inOrder(loaded.subjects, changes, isForward)) {
      const next = await this.#more(done, phase, about);
      if (next.ok) {
        done = next.value;
        continue;
      }
      await this.#takeBack(loaded, done);
      return next;
    }
    return ok(done);
  }

  async #takeBack(before: Loaded, { loaded, outcomes }: Done): Promise<void> {
    let current = loaded;
    for (const phase of takeBack(before, loaded, outcomes)) {
      const back = await this.#options.decider.run(current, phase, { action: null, comment: null });
      if (back.ok) current = back.value.loaded;
    }
    this.#options.shelf.remember(current);
  }

  /** Goes file by file after a joint refusal, so that unwritable files do not block the others. */
  async #fitting(loaded: Loaded, changes: readonly FileEdit[], about: About): Promise<Result<Done>> {
    let done: Done = { loaded, outcomes: [], touched: [] };
    const left: Failure[] = [];
    const isForward = bringsIn(about.action, loaded.stored);
    for (const change of inOrder(loaded.subjects, changes, isForward).flat()) {
      const next = await this.#more(done, [change], about);
      if (next.ok) done = next.value;
      else if (next.error.code === 'refused') left.push(next.error);
      else return next;
    }
    const [first] = left;
    if (first !== undefined && done.outcomes.length === 0) return { ok: false, error: first };
    return ok({ ...done, left: left.map(({ message }) => message) });
  }

  async #more(done: Done, changes: readonly FileEdit[], about: About): Promise<Result<Done>> {
    const next = await this.#options.decider.run(done.loaded, changes, about);
    if (!next.ok) return next;
    this.#options.shelf.remember(next.value.loaded);
    const { outcomes, touched } = done;
    return ok({
      loaded: next.value.loaded,
      outcomes: [...outcomes, ...next.value.outcomes],
      touched: [...touched, ...next.value.touched],
    });
  }

  /** Announces the decision and carries out its consequences. */
  async #answer(done: Done, decides = true): Promise<Result<Decided>> {
    const { loaded, outcomes, touched } = done;
    this.#options.shelf.remember(loaded);
    if (outcomes.length > 0) await this.#options.log(outcomes);
    const followed = decides && touched.length > 0 ? await this.#options.after.run(done) : [];
    const notes = [...leftNotes(done.left ?? []), ...followed];
    const files = touched.map(({ after: review, ids }) => ({ review, ids }));
    const hunks = await describeHunks(loaded, files);
    const stored = this.#options.records.suggestion(loaded.stored.id) ?? loaded.stored;
    return ok({ suggestion: summarize(stored), hunks, notes });
  }
}

/** Hunks that cannot be undone or redone, with the reason. `ids` null: all of the suggestion. */
function frozenOf({ subjects, files, changes }: Loaded, ids: readonly string[] | null): string[] {
  const names = subjects.flatMap((subject, at) => {
    const file = files[at];
    return file === undefined
      ? []
      : changesOf(subject, file).map(({ id }) => [id, fileName(subject)] as const);
  });
  return names.flatMap(([id, name]) => {
    const { frozen = null } = changes.get(id) ?? {};
    const isAsked = ids === null || ids.includes(id);
    return isAsked && frozen !== null ? [`Hunk ${id} of ${name}: ${frozen}`] : [];
  });
}

/** The files left unchanged and why; beyond a limit, only their number. */
function leftNotes(left: readonly string[]): string[] {
  const shown = left.slice(0, LEFT_MAX_NAMED).map((reason) => `Left as it is: ${reason}`);
  const more = left.length - shown.length;
  return more === 0 ? shown : [...shown, `${more} more were left as they were.`];
}
