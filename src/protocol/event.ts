/** Every event of copane. `seq` grows without gaps for as long as the store exists, across leaders. */
import * as z from 'zod';
import { agentEventSchema, jobStatusSchema } from './agent.ts';
import { draftKeySchema } from './draft.ts';
import { outboxEntrySchema } from './outbox.ts';
import { reportSchema } from './report.ts';
import { reviewDecisionSchema, suggestionSummarySchema } from './review.ts';

export const eventBodySchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('outbox/changed'), entry: outboxEntrySchema }),
  /** Load it to get its content. `client` is the id of the writer, so that it can ignore its own echo. */
  z.strictObject({
    type: z.literal('draft/changed'),
    key: draftKeySchema,
    revision: z.int(),
    client: z.string().nullable(),
  }),
  z.strictObject({ type: z.literal('review/published'), suggestion: suggestionSummarySchema }),
  /** Decided, undone, split or finished. `decisions` are those in this change. */
  z.strictObject({
    type: z.literal('review/changed'),
    suggestion: suggestionSummarySchema,
    decisions: z.array(reviewDecisionSchema),
    /** Number of further decisions in the same change. */
    moreDecisions: z.int(),
  }),
  /** A decision on another suggestion wrote to these files: fitting may differ now, and revisions have grown. */
  z.strictObject({
    type: z.literal('review/touched'),
    target: z.string(),
    files: z.array(z.string()),
    suggestions: z.array(
      z.strictObject({ id: z.string(), revision: z.int(), author: z.string().nullable() }),
    ),
  }),
  /** Hunks were marked as seen or not seen. */
  z.strictObject({ type: z.literal('review/viewed'), hunks: z.array(z.string()), viewed: z.boolean() }),
  z.strictObject({ type: z.literal('review/reported'), report: reportSchema }),
  /** A job's progress; `status` is its new state. */
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
