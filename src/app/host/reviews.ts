/** Creates the review service over the store, its blobs and the feedback log. */

import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { AgentService } from '../../agent/agent-service.ts';
import { bound } from '../../lib/bound.ts';
import { ok, type Result } from '../../lib/result.ts';
import type { IsSecret } from '../../review/core/secret-files.ts';
import type { OnWritten } from '../../review/deciding/decision-writer.ts';
import { FeedbackLog } from '../../review/deciding/feedback-log.ts';
import { DeskService } from '../../review/desk-service.ts';
import type { ReviewSettings } from '../../review/finishing/settings.ts';
import type { TurnSource } from '../../review/publishing/turn-review.ts';
import type { ReviewRecords } from '../../review/records/records.ts';
import { ReviewService } from '../../review/review-service.ts';
import { BlobStore } from '../../store/blobs.ts';
import type { Commit } from '../../store/sqlite.ts';
import type { Store, StoreWriter } from '../../store/store.ts';
import type { Log } from '../log/log.ts';
import { markViewed } from './handlers/index.ts';

/** Bounds an event, even if every decision has a long comment. */
const EVENT_MAX_DECISIONS = 64;

export interface ReviewsOptions {
  readonly store: Store;
  readonly stateDir: string;
  readonly now: () => number;
  readonly log: Log;
  readonly feedbackLog?: () => string | null;
  /** Called after each write of the feedback log; null for success. */
  readonly onFeedbackLog?: (failure: string | null) => void;
  /** Default: the built-in settings. */
  readonly settings?: () => ReviewSettings;
  readonly turns?: TurnSource;
  /** Which files hold secrets; omitted: by the built-in list. */
  readonly isSecret?: () => IsSecret;
  readonly onWritten?: OnWritten;
}

type Write = <T>(change: (writer: StoreWriter) => Result<T>, commit?: Commit) => Result<T>;

/** The review service of a host; `write` runs a transaction under its epoch. */
export function createReviews(options: ReviewsOptions, write: Write): ReviewService {
  const feedback = createFeedbackLog(options);
  return new ReviewService({
    records: recordsOf(options.store, write),
    blobs: new BlobStore(options.stateDir),
    now: options.now,
    newId: randomUUID,
    sandboxes: path.join(options.stateDir, 'sandboxes'),
    settings: options.settings,
    ...(options.isSecret === undefined ? {} : { isSecret: options.isSecret }),
    ...(options.turns === undefined ? {} : { turns: options.turns }),
    ...(options.onWritten === undefined ? {} : { onWritten: options.onWritten }),
    log: async (entries) => {
      const written = await feedback().append(entries);
      if (!written.ok) options.log.warn(written.error.message);
      options.onFeedbackLog?.(written.ok ? null : written.error.message);
    },
  });
}

export interface DeskParts {
  readonly reviews: ReviewService;
  readonly store: Store;
  /** The agent's proposals may conflict with later edits of the user. */
  readonly agent: () => Promise<Pick<AgentService, 'withConflicts' | 'sides'>>;
}

export function createDesk({ reviews, store, agent }: DeskParts, write: Write): DeskService {
  return new DeskService({
    reviews,
    newId: randomUUID,
    view: (hunks, { hunk, viewed }) => {
      const marked = markViewed(write, { hunks: [hunk], viewed });
      return marked.ok ? ok(new Set(store.viewed.of(hunks))) : marked;
    },
    show: async (input) => {
      const shown = await reviews.show(input);
      const isLater = shown.ok && shown.value.write === 'on-save';
      return isLater ? (await agent()).withConflicts(shown.value) : shown;
    },
    sides: async (input) =>
      reviews.proposals.has(input.suggestion)
        ? (await agent()).sides(input.suggestion, input.hunk)
        : reviews.conflict(input),
    steps: {
      steps: (suggestion) => store.reviews.steps(suggestion),
      // The decisions themselves are on disk; a power cut may lose the newest of these records.
      answered: (name) => store.answered(`intend ${name}`),
      write: (suggestion, put, drop, answer) =>
        void write((writer) => {
          writer.reviews.putSteps(suggestion, put);
          writer.reviews.dropSteps(suggestion, drop);
          if (answer !== null) writer.once(`intend ${answer.name}`, () => ok(answer.result));
          return ok(undefined);
        }, 'ordered'),
    },
  });
}

/** The log at the configured path; a change of it applies from the next decision. */
function createFeedbackLog({ stateDir, feedbackLog }: ReviewsOptions): () => FeedbackLog {
  let file = '';
  let log: FeedbackLog | null = null;
  return () => {
    const wanted = feedbackLog?.() ?? path.join(stateDir, 'feedback.jsonl');
    if (log === null || wanted !== file) log = new FeedbackLog(wanted);
    file = wanted;
    return log;
  };
}

function recordsOf({ reviews }: Store, write: Write): ReviewRecords {
  return {
    ...bound(reviews, 'suggestion', 'suggestions', 'openSuggestions', 'files', 'changes', 'acceptedFiles'),
    ...bound(reviews, 'intents'),
    write: (change, commit) =>
      write(
        (writer) =>
          change({
            ...bound(writer.reviews, 'putSuggestion', 'putFile', 'putChanges', 'putIntent'),
            ...bound(writer.reviews, 'dropChanges', 'dropContent', 'dropIntent'),
            reported: (report) => writer.emit({ type: 'review/reported', report }),
            published: (suggestion) => writer.emit({ type: 'review/published', suggestion }),
            touched: (target, files, suggestions) =>
              writer.emit({
                type: 'review/touched',
                target,
                files: [...files],
                suggestions: suggestions.map(({ id, revision, author = null }) => ({ id, revision, author })),
              }),
            changed: (suggestion, decisions) =>
              writer.emit({
                type: 'review/changed',
                suggestion,
                decisions: decisions
                  .slice(0, EVENT_MAX_DECISIONS)
                  .map(({ originalDiff: _, modifiedDiff: __, ...decision }) => decision),
                moreDecisions: Math.max(0, decisions.length - EVENT_MAX_DECISIONS),
              }),
          }),
        commit,
      ),
  };
}
