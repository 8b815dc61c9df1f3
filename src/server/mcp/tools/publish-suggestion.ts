/** `publish_suggestion`: offers a change for review and returns at once, without waiting for the review. */
import path from 'node:path';
import * as z from 'zod';
import { fail, ok, type Result } from '../../../lib/result.ts';
import type { SuggestionSource } from '../../../protocol/commands/review.ts';
import { suggestionMessages } from '../../../protocol/suggestion-messages.ts';
import { filterOf } from '../../suggestions/operations.ts';
import { ask } from '../../suggestions/port.ts';
import type { AuthorAccess } from '../author.ts';
import { describeBrief, describedFullSchema, describeHunks } from '../describe.ts';
import { defineTool } from '../tool.ts';

const { suggestion_id, files, exclude_files, line_ranges, hunk_descriptions } =
  suggestionMessages.publish.fields.shape;

const input = {
  description: z.string().min(1).max(10_000).describe('What the change does, for the user.'),
  working_directory: z
    .string()
    .max(4096)
    .optional()
    .describe(
      'The folder whose changes are published: a git worktree or clone, or the working copy itself. Left out: the ' +
        'folder that you were started in.',
    ),
  target_directory: z
    .string()
    .max(4096)
    .optional()
    .describe(
      'The working copy of the user that the change is for. Left out: the one that your worktree belongs to.',
    ),
  patch: z
    .string()
    .min(1)
    .optional()
    .describe('A unified diff to publish instead of the changes in working_directory.'),
  suggestion_id,
  files,
  exclude_files,
  line_ranges,
  hunk_descriptions,
  change_id: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe('In a jj repository: this change alone, by its change id, instead of all of your workspace.'),
};

const output = describedFullSchema.extend({ next_step: z.string() });

type Fields = z.output<z.ZodObject<typeof input>>;

export const publishSuggestion = defineTool({
  name: 'publish_suggestion',
  title: 'Offer a change for review',
  description:
    'Offers the changes that you made to the user, who reviews them hunk by hunk in copane. Publishes everything that ' +
    'your git worktree has beyond the working copy of the user, new files too; when you work right in the working copy ' +
    'of the user, name your files in "files". Answers at once. Then call await_review to hear the decisions. ' +
    'Publishing the same change again gives the same suggestion; with its suggestion_id, a changed one becomes its next ' +
    'version, and what was decided on hunks that stay is kept.',
  input,
  output,
  effect: 'adds',
  run: async (fields, { access }) => {
    const place = await placeOf(fields, access);
    if (!place.ok) return place;
    const published = await ask(access.host, 'review/publish', {
      ...place.value,
      description: fields.description,
      filter: filterOf(fields),
      author: access.who.name,
      updates: fields.suggestion_id ?? null,
    });
    if (!published.ok) return published;
    const { hunks, notes } = published.value;
    return ok({
      ...describeBrief(published.value),
      hunks: describeHunks(hunks, () => false),
      ...(notes.length === 0 ? {} : { notes }),
      next_step:
        'The user reviews it in copane. Call await_review with this suggestion_id to hear the decisions.',
    });
  },
});

/** The change to publish, and its working copy. */
async function placeOf(
  { working_directory: folder, target_directory: target, patch, change_id: change }: Fields,
  access: AuthorAccess,
): Promise<Result<{ readonly source: SuggestionSource; readonly target: string }>> {
  const at = (name: string) => path.resolve(access.folder, name);
  const asPatch = (text: string): SuggestionSource => ({
    kind: 'patch',
    patch: Buffer.from(text.endsWith('\n') ? text : `${text}\n`).toString('base64'),
    foreign: access.findPlace === null,
  });
  if (access.findPlace === null) {
    const wanted = target ?? folder;
    if (patch === undefined || wanted === undefined) {
      return fail(
        'invalid',
        'Folders cannot be read over this connection: send the change as a patch.',
        'Give "patch", a unified diff, and "target_directory", the working copy of the user.',
      );
    }
    return ok({ source: asPatch(patch), target: at(wanted) });
  }
  if (patch !== undefined && target !== undefined) return ok({ source: asPatch(patch), target: at(target) });
  const found = await access.findPlace(at(folder ?? '.'));
  if (!found.ok) return found;
  const wanted = target === undefined ? found.value.target : at(target);
  if (patch !== undefined) return ok({ source: asPatch(patch), target: wanted });
  const { source } = found.value;
  return ok({
    source:
      wanted === source && change === undefined
        ? { kind: 'working_tree', against: 'head' }
        : { kind: 'sandbox', folder: source, change },
    target: wanted,
  });
}
