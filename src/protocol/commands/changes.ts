/** Commands about the file changes of turns. */
import * as z from 'zod';
import { seenSpanSchema } from '../changes.ts';
import { sessionRefSchema } from '../turn-range.ts';

/** Most turns in a request. */
const SEEN_MAX_TURNS = 10_000;
/** Most turns in an answer. */
const LISTED_MAX_TURNS = 200;

export const turnFiguresSchema = z.strictObject({
  turn: z.string(),
  files: z.int(),
  added: z.int(),
  removed: z.int(),
  /** Why some or all changes are unknown, as a sentence; null if they are known. */
  gap: z.string().nullable(),
});

export type TurnFigures = z.infer<typeof turnFiguresSchema>;

export const changesCommands = {
  'changes/mark': {
    params: z.strictObject({
      /** A folder in the working tree; absolute. */
      folder: z.string().startsWith('/'),
      /** Null before the AI CLI has one. */
      session: sessionRefSchema.nullable(),
      /** The turn; null if it has no id yet. */
      turn: z.string().nullable(),
      moment: z.enum(['begin', 'end']),
      /** The look at which the turn began, if that was marked before it had an id. */
      since: z.int().nullable().default(null),
      /** It was already running or finished when first seen. */
      late: z.boolean().default(false),
      /** When the turn began, ms since the epoch; null if unknown. */
      startedAt: z.number().nullable().default(null),
    }),
    /** The look; null if the folder is in no git repository and too large without one. */
    result: z.strictObject({ look: z.int().nullable() }),
  },
  'changes/seen': {
    params: z.strictObject({
      session: sessionRefSchema,
      /** Consecutive turns, oldest first. */
      turns: z.array(z.string()).min(1).max(SEEN_MAX_TURNS),
    }),
    result: seenSpanSchema,
  },
  /** The newest turns of a session, oldest first. */
  'changes/list': {
    params: z.strictObject({
      session: sessionRefSchema,
      turns: z.int().min(1).max(LISTED_MAX_TURNS).default(20),
    }),
    result: z.strictObject({ turns: z.array(turnFiguresSchema) }),
  },
} as const;
