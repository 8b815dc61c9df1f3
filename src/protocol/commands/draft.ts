/** Commands of the draft. */
import * as z from 'zod';
import { draftKeySchema, draftSchema } from '../draft.ts';

/** A stored draft with its revision: a save that names an older revision is refused, so two companions cannot overwrite each other. */
export const storedDraftSchema = z.strictObject({
  key: draftKeySchema,
  draft: draftSchema,
  revision: z.int(),
  updatedAt: z.number(),
});
export type StoredDraft = z.infer<typeof storedDraftSchema>;

export const draftCommands = {
  /** The stored draft, or an empty one at revision 0. */
  'draft/load': { params: z.strictObject({ key: draftKeySchema }), result: storedDraftSchema },
  'draft/save': {
    params: z.strictObject({ key: draftKeySchema, draft: draftSchema, baseRevision: z.int() }),
    result: storedDraftSchema,
  },
  /** Adds text at the end as notes (`copane append`). */
  'draft/append': {
    params: z.strictObject({ key: draftKeySchema, text: z.string() }),
    result: storedDraftSchema,
  },
} as const;
