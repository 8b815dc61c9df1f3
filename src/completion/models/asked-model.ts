/**
 * Asks a language model beside the engine: no answer ever waits for it. What it says is kept and serves the next
 * keys. One question at a time, only after a quiet moment, only where the engine itself is not sure; a model that
 * fails is left alone for a while.
 */
import type { Timers } from '../../lib/scheduler.ts';
import type { ModelStatus } from '../../protocol/shell.ts';
import { buildPrompt, isTellable, lineOfAnswer, type PromptFacts } from '../core/model-prompt.ts';
import type { Candidate, Query, Suggestion } from '../core/suggestion.ts';
import type { Source } from '../sources/source.ts';

import type { CompletionModel, ModelProblem } from './model.ts';

/** A person who types on needs no model; who halts for this long may. */
const QUIET_MS = 150;
/** With a candidate this likely the model could only agree. */
const SURE = 0.9;
const KEPT_MAX = 128;
/** So many failures in a row, and the model is left alone for so long. */
const STRIKES_MAX = 3;
const REST_MS = 30_000;
/** What an answer is worth before anyone has measured the model: as a good guess of the engine. */
const TRUST = 0.4;

interface Kept {
  readonly cwd: string;
  readonly left: string;
  readonly right: string;
  /** Null: the model had nothing to say here. */
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
  /** What the question is about, from the quiet moment before it is put until its answer. */
  #subject: Query | null = null;
  #strikes = 0;
  #restUntil = 0;
  #problem: ModelProblem | null = null;
  readonly #counts = { asked: 0, answered: 0, failed: 0, lastMs: null as number | null };

  constructor(options: AskedModelOptions) {
    this.#options = options;
    this.source = { name: 'model', suggest: (query) => this.#suggest(query) };
  }

  /** What keeps the model from answering; null while it answers or was not asked yet. */
  get problem(): ModelProblem | null {
    return this.#problem;
  }

  status(): ModelStatus {
    const { name, isRemote } = this.#options.model;
    const { code, message } = this.#problem ?? { code: null, message: null };
    return { name, isRemote, ...this.#counts, problem: code === null ? null : { code, message } };
  }

  /** The engine has answered `query`: is the model worth asking? */
  consider(query: Query, candidates: readonly Candidate[]): void {
    const { timers } = this.#options;
    const isOpen =
      isTellable(query) &&
      (candidates[0]?.confidence ?? 0) < SURE &&
      this.#find(query) === undefined &&
      timers.now() >= this.#restUntil;
    // A shell asks again for the line that stands there: a slow model would never come to its answer.
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

  /** What was about to be asked, or is being asked, is no longer of interest. */
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

  /** An answer that still holds: asked here, or where the user has typed along it since. */
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
    // One more try after the rest: a single failure then is enough for the next one.
    this.#strikes = STRIKES_MAX - 1;
    this.#restUntil = this.#options.timers.now() + REST_MS;
  }
}

const isSamePlace = (a: Query, b: Query): boolean =>
  a.line === b.line && a.cursor === b.cursor && a.cwd === b.cwd;
