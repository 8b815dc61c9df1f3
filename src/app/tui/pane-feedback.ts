/** Types decisions into the pane of the AI that made the suggestion: if enabled, while idle, through the sender. */
import { errorMessage } from '../../lib/result.ts';
import type { Timers } from '../../lib/scheduler.ts';
import type { CliId } from '../../protocol/cli-id.ts';
import { AI_CLIS } from '../../protocol/cli-ids.ts';
import type { Client } from '../../protocol/client.ts';
import type { CopaneEvent } from '../../protocol/event.ts';
import type { SuggestionSummary } from '../../protocol/review.ts';
import { feedbackSentence } from '../../server/suggestions/feedback.ts';
import type { ResponsesPort } from '../../ui/responses/port.ts';

/** How long to wait for another decision during a review. */
const QUIET_MS = 10_000;
/** How long to wait after the review has ended. */
const OVER_MS = 1_000;
/** The retry interval while the composer holds a draft or a dialog is open. */
const RETRY_MS = 5_000;
/** The most messages that wait for one pane; the oldest are dropped. */
const WAITING_MAX = 200;

export interface FollowedAi {
  readonly key: string;
  readonly cli: CliId;
  readonly project: string;
}

export interface PaneFeedbackOptions {
  readonly client: Client;
  readonly responses: Pick<ResponsesPort, 'getSnapshot' | 'subscribe' | 'send'>;
  readonly pane: () => FollowedAi | null;
  readonly timers: Timers;
  readonly onProblem: (message: string) => void;
}

interface Waiting {
  readonly sentences: string[];
  /** The earliest time to send. */
  due: number;
}

export class PaneFeedback {
  readonly #options: PaneFeedbackOptions;
  readonly #waiting = new Map<string, Waiting>();
  readonly #ends: (() => void)[] = [];
  #timer: unknown = null;
  #sending = false;

  constructor(options: PaneFeedbackOptions) {
    this.#options = options;
  }

  start(): void {
    const { client, responses } = this.#options;
    this.#ends.push(
      client.subscribe((event) => void this.#hear(event).catch((thrown) => this.#defect(thrown))),
      responses.subscribe(() => this.#look()),
    );
  }

  close(): void {
    for (const end of this.#ends.splice(0)) end();
    this.#options.timers.clear(this.#timer);
  }

  async #hear({ seq, body }: CopaneEvent): Promise<void> {
    const pane = this.#options.pane();
    if (body.type !== 'review/changed' || body.decisions.length === 0 || pane === null) return;
    const { suggestion, decisions } = body;
    if (!isAbout(suggestion, pane)) return;
    // Several companions may follow the same pane: only one of them sends.
    const claimed = await this.#options.client.request('review/claim-feedback', { pane: pane.key, seq });
    if (!claimed.ok || !claimed.value.mine) return;
    const remaining = suggestion.hunkCount - suggestion.decidedCount;
    const sentences = decisions.map((decision) => feedbackSentence({ ...decision, remaining }));
    const before = this.#waiting.get(pane.key)?.sentences ?? [];
    const quietMs = remaining === 0 ? OVER_MS : QUIET_MS;
    this.#waiting.set(pane.key, {
      sentences: [...before, ...sentences].slice(-WAITING_MAX),
      due: this.#options.timers.now() + quietMs,
    });
    this.#look();
  }

  /** Sends messages that are due, or schedules the next attempt. */
  #look(): void {
    const { timers, responses, pane } = this.#options;
    timers.clear(this.#timer);
    const key = pane()?.key ?? null;
    const waiting = key === null ? undefined : this.#waiting.get(key);
    if (key === null || waiting === undefined || this.#sending) return;
    const { selected, status } = responses.getSnapshot();
    const waitMs = waiting.due - timers.now();
    if (waitMs > 0) this.#timer = timers.set(() => this.#look(), waitMs);
    else if (selected === key && status.state === 'idle' && status.dialog === null) {
      void this.#send(key, waiting).catch((thrown) => this.#defect(thrown));
    }
  }

  async #send(key: string, waiting: Waiting): Promise<void> {
    const { responses, timers } = this.#options;
    this.#sending = true;
    const sentCount = waiting.sentences.length;
    const sent = await responses.send(waiting.sentences.join('\n'));
    this.#sending = false;
    const now = this.#waiting.get(key);
    if (now !== undefined) {
      // Only a refusal means that nothing was typed; typed text is never typed again.
      const isRefused = !sent.ok && (sent.error.code === 'refused' || sent.error.code === 'not_found');
      if (isRefused) now.due = Math.max(now.due, timers.now() + RETRY_MS);
      else this.#forget(key, sentCount);
    }
    this.#look();
  }

  #forget(key: string, count: number): void {
    const waiting = this.#waiting.get(key);
    waiting?.sentences.splice(0, count);
    if (waiting?.sentences.length === 0) this.#waiting.delete(key);
  }

  #defect(thrown: unknown): void {
    this.#sending = false;
    this.#options.onProblem(errorMessage(thrown));
  }
}

/** Whether an AI in that project offered it; an author named after another CLI is not the one in this pane. */
function isAbout({ author, target, source }: SuggestionSummary, { cli, project }: FollowedAi): boolean {
  if (author === null || (target !== project && source !== project)) return false;
  const words = author.split(/[^a-z0-9]+/);
  const named = AI_CLIS.filter((one) => words.includes(one));
  return named.length === 0 || cli === 'generic' || named.some((one) => one === cli);
}
