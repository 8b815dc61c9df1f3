/** `suggestion_feedback`: always refuses. An author does not decide on its own changes. */
import * as z from 'zod';
import { fail } from '../../../lib/result.ts';
import { defineTool } from '../tool.ts';

export const suggestionFeedback = defineTool({
  name: 'suggestion_feedback',
  title: 'Decide on a hunk (the user does)',
  description:
    'Always refused: the user decides on every hunk, in copane. To hear the decision, call await_review.',
  input: {
    suggestion_id: z.string().optional(),
    hunk_id: z.string().optional(),
    action: z.string().optional(),
    modified_diff: z.string().optional(),
    comment: z.string().optional(),
  },
  output: null,
  effect: 'reads',
  run: async () =>
    fail(
      'refused',
      'The reviewer decides: the user, in copane. Nothing was changed.',
      'Call await_review to hear it.',
    ),
});
