/** Every event of copane. `seq` grows without gaps over the life of the store, across leaders. */
import * as z from 'zod';
import { agentEventSchema, jobStatusSchema } from './agent.ts';
import { draftKeySchema } from './draft.ts';
import { outboxEntrySchema } from './outbox.ts';
import { reportSchema } from './report.ts';
import { reviewDecisionSchema, suggestionSummarySchema } from './review.ts';

export const eventBodySchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('outbox/changed'), entry: outboxEntrySchema }),
  /** Load it to see what it holds. `client` is the id of the client that wrote, so that it can ignore its own echo. */
  z.strictObject({
    type: z.literal('draft/changed'),
    key: draftKeySchema,
    revision: z.int(),
    client: z.string().nullable(),
  }),
  z.strictObject({ type: z.literal('review/published'), suggestion: suggestionSummarySchema }),
  /** Decided, undone, split or ended; `decisions` are those of this change. */
  z.strictObject({
    type: z.literal('review/changed'),
    suggestion: suggestionSummarySchema,
    decisions: z.array(reviewDecisionSchema),
    /** Decisions of the same change that are not listed. */
    moreDecisions: z.int(),
  }),
  /** A decision on another suggestion wrote files of these: hunks may fit or not fit now, and revisions have grown. */
  z.strictObject({
    type: z.literal('review/touched'),
    target: z.string(),
    files: z.array(z.string()),
    suggestions: z.array(
      z.strictObject({ id: z.string(), revision: z.int(), author: z.string().nullable() }),
    ),
  }),
  /** Hunks were marked as seen, or no longer seen. */
  z.strictObject({ type: z.literal('review/viewed'), hunks: z.array(z.string()), viewed: z.boolean() }),
  z.strictObject({ type: z.literal('review/reported'), report: reportSchema }),
  /** Progress of a job; `status` is its new state. */
  z.strictObject({
    type: z.literal('agent/event'),
    sessionId: z.string(),
    jobId: z.string(),
    root: z.string(),
    author: z.string().nullable(),
    status: jobStatusSchema,
    event: agentEventSchema,
  }),
  /** A session was created, changed or archived: load it again. */
  z.strictObject({
    type: z.literal('agent/session'),
    sessionId: z.string(),
    root: z.string(),
    author: z.string().nullable(),
  }),
]);
export type EventBody = z.infer<typeof eventBodySchema>;

export interface CopaneEvent {
  readonly seq: number;
  /** ms since the epoch. */
  readonly ts: number;
  readonly body: EventBody;
}
