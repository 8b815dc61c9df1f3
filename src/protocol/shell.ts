/** The completions' state for the Shell screen: whether they run, how fast, their sources, and why a candidate won. */
import * as z from 'zod';

export const answeredRequestSchema = z.strictObject({
  /** Grows by one with each request to this daemon. */
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
      sources: z.array(z.string()),
      why: z.string(),
      kind: z.literal('fix').optional(),
      /** The line probably continues after this candidate. */
      partial: z.boolean(),
    }),
  ),
  /** The accepted candidate; null if there is none. */
  taken: z.string().nullable(),
});
export type AnsweredRequest = z.infer<typeof answeredRequestSchema>;

const counts = z.record(z.string(), z.int());

/** The state of the configured language model. */
const modelStatusSchema = z.strictObject({
  name: z.string(),
  /** It runs on another machine. */
  isRemote: z.boolean(),
  asked: z.int(),
  answered: z.int(),
  failed: z.int(),
  /** Duration of the last request; null before the first. */
  lastMs: z.number().nullable(),
  problem: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
});
export type ModelStatus = z.infer<typeof modelStatusSchema>;

export const completionStatusSchema = z.strictObject({
  socketFile: z.string(),
  /** Shells connected now. A shell connects while the user types a line. */
  connections: z.int(),
  /** Sessions seen since the start. */
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
  /** Nothing is completed, learned or sent to a model. */
  isPrivate: z.boolean(),
  warnings: z.array(z.string()),
  /** Null if none is configured. */
  model: modelStatusSchema.nullable(),
});
export type CompletionStatus = z.infer<typeof completionStatusSchema>;

export const shellStatusSchema = z.discriminatedUnion('state', [
  z.strictObject({ state: z.literal('running'), status: completionStatusSchema }),
  /** Another user or another daemon has the socket. */
  z.strictObject({ state: z.literal('refused'), message: z.string(), hint: z.string().nullable() }),
  /** A short command leads at the moment; it runs no completions. */
  z.strictObject({ state: z.literal('none') }),
]);
export type ShellStatus = z.infer<typeof shellStatusSchema>;
