/** The completion socket's messages, one JSON line each. Unknown fields are ignored, for clients of other versions. */
import * as z from 'zod';

/** A longer line is refused and dropped. */
export const MAX_REQUEST_BYTES = 64 * 1024;
/** A longer command line is answered with no candidates. */
export const MAX_INPUT_CHARS = 8 * 1024;
export const DEFAULT_CANDIDATES = 4;
export const MAX_CANDIDATES = 16;
/** The longest quiet time that a client may ask the daemon to keep. */
export const MAX_DELAY_MS = 2_000;

/** A request for candidates. It carries neither `type` nor `action`. */
export const completionRequestSchema = z.object({
  request_id: z.int(),
  input: z.string(),
  /** Cursor offset in `input`, clamped to it. Omitted: the end. */
  cursor_pos: z.int().optional(),
  cwd: z.string().default(''),
  /** A newer request of the same session cancels an older one. Empty: never cancels. */
  session_id: z.string().default(''),
  max_candidates: z.int().default(DEFAULT_CANDIDATES),
  /** Quiet time that the daemon keeps for the client before it starts to work. */
  delay_ms: z.number().nonnegative().optional(),
  /** `sep1` asks for a reply with separators (see `completion/core/reply.ts`). */
  format: z.string().optional(),
  /** The unit of `cursor_pos` in both directions: UTF-8 bytes, or code points as in zsh. */
  cursor_unit: z.enum(['byte', 'char']).optional(),
  /** Adds `why` to each candidate. */
  explain: z.boolean().optional(),
  /** On an empty line: only repairs for this session's last failed command. */
  repair: z.boolean().optional(),
  /** `input` is `# ` and a description, from which a language model writes the command. May take a minute. */
  to_command: z.boolean().optional(),
});
export type CompletionRequest = z.output<typeof completionRequestSchema>;

/** A shell reports its folder, so that the daemon can prepare its sources. */
const contextMessageSchema = z.object({
  type: z.literal('context'),
  cwd: z.string(),
  session_id: z.string().default(''),
  /** The shell's history file and PATH, which may differ from the daemon's. */
  histfile: z.string().optional(),
  path: z.string().optional(),
  /** Names of aliases and functions, separated by blanks. They are commands too. */
  names: z.string().optional(),
  /** Aliases as `name=value`, separated by US (0x1f). */
  aliases: z.string().optional(),
  /** Some names are missing. */
  names_cut: z.boolean().default(false),
  reply: z.boolean().default(true),
});

export type ContextMessage = z.output<typeof contextMessageSchema>;

/** What became of a line, for the ranking to learn from. */
const eventMessageSchema = z.object({
  type: z.literal('event'),
  event: z.enum(['executed', 'accepted', 'dismissed']),
  session_id: z.string().default(''),
  cwd: z.string().default(''),
  /** The command line that ran, or the accepted candidate. */
  line: z.string().default(''),
  exit: z.int().optional(),
  duration_ms: z.number().nonnegative().optional(),
  request_id: z.int().optional(),
  /** Commands that an AI runs in its pane do not affect the ranking. */
  agent: z.boolean().optional(),
  /** False: the shell does not save the line, so we do not either. */
  store: z.boolean().default(true),
  reply: z.boolean().default(true),
});

export type EventMessage = z.output<typeof eventMessageSchema>;

/** Never suggest this line again. */
const forgetMessageSchema = z.object({
  type: z.literal('forget'),
  line: z.string().min(1),
  reply: z.boolean().default(true),
});

export const typedMessageSchema = z.discriminatedUnion('type', [
  contextMessageSchema,
  eventMessageSchema,
  forgetMessageSchema,
]);
export type TypedMessage = z.output<typeof typedMessageSchema>;

export const actionMessageSchema = z.object({ action: z.string() });

const COMPLETION_ERROR_CODES = [
  'invalid_request',
  'unknown_action',
  'model_not_found',
  'inference_unavailable',
  'not_configured',
] as const;
type CompletionErrorCode = (typeof COMPLETION_ERROR_CODES)[number];

interface MissingModel {
  readonly name: string;
  readonly url: string;
  readonly file: string;
  readonly dir: string;
  /** SHA-256 of the whole file, in hex. */
  readonly sha256?: string;
}

export interface CompletionError {
  readonly code: CompletionErrorCode;
  readonly message: string;
  readonly models?: readonly MissingModel[];
}

export const completionCandidateSchema = z.object({
  /** The whole command line. */
  completion: z.string(),
  /** Probability that it is right: it is the wanted line or a prefix of it, and no longer candidate is. */
  confidence: z.number(),
  /** Where to put the cursor. Omitted: the end. */
  cursor_pos: z.int().optional(),
  source: z.string().optional(),
  /** `fix`: a correction of the typed line. `command`: written by a model from a description. */
  kind: z.enum(['fix', 'command']).optional(),
  partial: z.literal(true).optional(),
  /** It destroys something, overwrites an existing file, or runs something the line does not show. */
  risk: z.enum(['destroys', 'overwrites', 'unseen']).optional(),
  /** A description of the last word, from its file or its command's completion. */
  description: z.string().optional(),
  why: z.array(z.string()).optional(),
});
export type CompletionCandidate = z.output<typeof completionCandidateSchema>;

export interface CompletionReply {
  readonly request_id: number;
  /** Highest confidence first, without duplicates or the unchanged input. */
  readonly candidates: readonly CompletionCandidate[];
  /** Only when there are no candidates. */
  readonly error?: CompletionError;
  /** A message for the user beside the candidates. */
  readonly notice?: string;
}
