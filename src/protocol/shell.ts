/** What the Shell screen shows of the completions: whether they run, how fast, their sources, and why a candidate won. */
import * as z from 'zod';

/** One request that was answered. */
export const answeredRequestSchema = z.strictObject({
  /** Grows by one with every request of this daemon. */
  id: z.int(),
  atMs: z.number(),
  input: z.string(),
  cwd: z.string(),
  ms: z.number(),
  candidates: z.array(
    z.strictObject({
      line: z.string(),
      confidence: z.number(),
      source: z.string(),
      /** Every source that proposed it, the strongest first. */
      sources: z.array(z.string()),
      why: z.string(),
      kind: z.literal('fix').optional(),
      /** More is expected behind it. */
      partial: z.boolean(),
    }),
  ),
  /** The candidate that was taken; null while none was. */
  taken: z.string().nullable(),
});
export type AnsweredRequest = z.infer<typeof answeredRequestSchema>;

const counts = z.record(z.string(), z.int());

/** How the configured language model fares. */
const modelStatusSchema = z.strictObject({
  name: z.string(),
  /** What is told to it leaves this machine. */
  isRemote: z.boolean(),
  asked: z.int(),
  answered: z.int(),
  failed: z.int(),
  /** How long it took the last time; null before. */
  lastMs: z.number().nullable(),
  problem: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
});
export type ModelStatus = z.infer<typeof modelStatusSchema>;

export const completionStatusSchema = z.strictObject({
  socketFile: z.string(),
  /** Shells that are connected now. A shell connects while a line is being typed. */
  connections: z.int(),
  /** Sessions that were heard of since the start. */
  shells: z.int(),
  requests: z.int(),
  cancelled: z.int(),
  accepted: z.int(),
  latencyP50Ms: z.number(),
  latencyP99Ms: z.number(),
  historyLines: z.int(),
  /** Newest first. */
  recent: z.array(answeredRequestSchema),
  /** Candidates shown, by their strongest source. */
  shownBySource: counts,
  acceptedBySource: counts,
  /** Nothing is answered, learned or told to a model. */
  isPrivate: z.boolean(),
  warnings: z.array(z.string()),
  /** Null when none is configured. */
  model: modelStatusSchema.nullable(),
});
export type CompletionStatus = z.infer<typeof completionStatusSchema>;

export const shellStatusSchema = z.discriminatedUnion('state', [
  z.strictObject({ state: z.literal('running'), status: completionStatusSchema }),
  /** The socket is not to be had: someone else's, or another daemon's. */
  z.strictObject({ state: z.literal('refused'), message: z.string(), hint: z.string().nullable() }),
  /** A short command leads for the moment; it runs no completions. */
  z.strictObject({ state: z.literal('none') }),
]);
export type ShellStatus = z.infer<typeof shellStatusSchema>;
