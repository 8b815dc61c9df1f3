/** Asks a language model in the background, one question at a time, after a pause. Its answers serve later keys. */
import type { Timers } from '../../lib/scheduler.ts';
import type { ModelStatus } from '../../protocol/shell.ts';
import { buildPrompt, isTellable, lineOfAnswer, type PromptFacts } from '../core/model-prompt.ts';
import type { Candidate, Query, Suggestion } from '../core/suggestion.ts';
import type { Source } from '../sources/source.ts';

import type { CompletionModel, ModelProblem } from './model.ts';

/** Pause in typing before the model is asked. */
const QUIET_MS = 150;
/** With a candidate this likely the model is not asked. */
const SURE = 0.9;
const KEPT_MAX = 128;
/** After this many failures in a row the model is not asked for this long. */
const STRIKES_MAX = 3;
const REST_MS = 30_000;
/** Probability of an answer of an unmeasured model: like a good guess of the engine. */
const TRUST = 0.4;

interface Kept {
  readonly cwd: string;
  readonly left: string;
  readonly right: string;
  /** Null: the model had no answer. */
  readonly line: string | null;
}

export interface AskedModelOptions {
  readonly model: CompletionModel;
  readonly factsFor: (query: Query) => PromptFacts;
  readonly timers: Timers;
}

export class AskedModel {
  readonly source: Source;
  readonly #options: AskedModelOptions;
  readonly #kept: Kept[] = [];
  #timer: unknown = null;
  #question: AbortController | null = null;
  /** The query to ask about, from the pause before the question to its answer. */
  #subject: Query | null = null;
  #strikes = 0;
  #restUntil = 0;
  #problem: ModelProblem | null = null;
  readonly #counts = { asked: 0, answered: 0, failed: 0, lastMs: null as number | null };

  constructor(options: AskedModelOptions) {
    this.#options = options;
    this.source = { name: 'model', suggest: (query) => this.#suggest(query) };
  }

  /** Why the model does not answer; null while it answers or was not asked. */
  get problem(): ModelProblem | null {
    return this.#problem;
  }

  status(): ModelStatus {
    const { name, isRemote } = this.#options.model;
    const { code, message } = this.#problem ?? { code: null, message: null };
    return { name, isRemote, ...this.#counts, problem: code === null ? null : { code, message } };
  }

  /** Asks the model about an answered query if that is worthwhile. */
  consider(query: Query, candidates: readonly Candidate[]): void {
    const { timers } = this.#options;
    const isOpen =
      isTellable(query) &&
      (candidates[0]?.confidence ?? 0) < SURE &&
      this.#find(query) === undefined &&
      timers.now() >= this.#restUntil;
    // A shell repeats requests for an unchanged line: a slow model would never finish.
    if (isOpen && this.#subject !== null && isSamePlace(this.#subject, query)) return;
    this.#drop();
    if (!isOpen) return;
    this.#subject = query;
    this.#timer = timers.set(() => void this.#ask(query), QUIET_MS);
  }

  close(): void {
    this.#drop();
    this.#options.model.close();
  }

  /** Cancels the current question. */
  #drop(): void {
    this.#options.timers.clear(this.#timer);
    this.#question?.abort();
    this.#question = null;
    this.#subject = null;
  }

  #suggest(query: Query): readonly Suggestion[] {
    const line = this.#find(query)?.line;
    if (line === null || line === undefined || line === query.line) return [];
    const right = query.line.slice(query.cursor);
    return [
      {
        line,
        cursor: right === '' ? null : line.length - right.length,
        source: 'model',
        probability: TRUST,
        partial: false,
        why: `suggested by ${this.#options.model.name}`,
      },
    ];
  }

  /** An answer that is still valid: to this query, or to one that the user has continued as it predicted. */
  #find(query: Query): Kept | undefined {
    const left = query.line.slice(0, query.cursor);
    const right = query.line.slice(query.cursor);
    return this.#kept.findLast(
      (kept) =>
        kept.cwd === query.cwd &&
        kept.right === right &&
        (kept.left === left ||
          (kept.line !== null && left.startsWith(kept.left) && kept.line.startsWith(left))),
    );
  }

  async #ask(query: Query): Promise<void> {
    const { model, factsFor, timers } = this.#options;
    const question = new AbortController();
    this.#question = question;
    const prompt = buildPrompt(query, factsFor(query));
    const started = timers.now();
    this.#counts.asked += 1;
    const answer = await model.ask(prompt, question.signal);
    if (question.signal.aborted) return;
    this.#subject = null;
    this.#counts.lastMs = timers.now() - started;
    if (!answer.ok) {
      this.#fail(answer.problem);
      return;
    }
    this.#strikes = 0;
    this.#problem = null;
    this.#counts.answered += 1;
    const { left, right } = prompt;
    this.#kept.push({ cwd: query.cwd, left, right, line: lineOfAnswer(answer.text, answer.form, prompt) });
    if (this.#kept.length > KEPT_MAX) this.#kept.shift();
  }

  #fail(problem: ModelProblem): void {
    this.#problem = problem;
    this.#counts.failed += 1;
    this.#strikes += 1;
    if (this.#strikes < STRIKES_MAX) return;
    // After the pause a single failure starts the next one.
    this.#strikes = STRIKES_MAX - 1;
    this.#restUntil = this.#options.timers.now() + REST_MS;
  }
}

const isSamePlace = (a: Query, b: Query): boolean =>
  a.line === b.line && a.cursor === b.cursor && a.cwd === b.cwd;
