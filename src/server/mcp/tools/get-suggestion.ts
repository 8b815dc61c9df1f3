/** `get_suggestion`: one of this author's suggestions with its hunks and what was decided on them. */
import * as z from 'zod';
import { ok } from '../../../lib/result.ts';
import { stackFor, visible } from '../../suggestions/operations.ts';
import { describeBrief, describedFullSchema, describeHunks } from '../describe.ts';
import { defineTool } from '../tool.ts';

export const getSuggestion = defineTool({
  name: 'get_suggestion',
  title: 'Look at a suggestion',
  description:
    'One of your suggestions: every hunk with its diff, its status and the comments of the user. A hunk without "diff" was too long for one answer.',
  input: { suggestion_id: z.string().min(1).max(200) },
  output: describedFullSchema,
  effect: 'reads',
  run: async ({ suggestion_id: id }, { access }) => {
    const shown = await visible(access.host, access.who, id);
    if (!shown.ok) return shown;
    const { hunks, notes } = shown.value;
    const stack = stackFor(access.who, shown.value);
    return ok({
      ...describeBrief(shown.value),
      hunks: describeHunks(hunks, () => true),
      ...(notes.length === 0 ? {} : { notes }),
      ...(stack.length < 2 ? {} : { stack }),
    });
  },
});
