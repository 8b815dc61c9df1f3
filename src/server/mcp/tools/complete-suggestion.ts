/** `complete_suggestion`: takes one of this author's suggestions back. To finalize is the user's to do. */
import * as z from 'zod';
import { fail, ok } from '../../../lib/result.ts';
import { suggestionStatusSchema } from '../../../protocol/review.ts';
import { visible } from '../../suggestions/operations.ts';
import { ask } from '../../suggestions/port.ts';
import { defineTool } from '../tool.ts';

export const completeSuggestion = defineTool({
  name: 'complete_suggestion',
  title: 'Take a suggestion back',
  description:
    'Discards one of your suggestions, for example because a better one takes its place. What the user has accepted ' +
    'of it stays. Only the user finalizes.',
  input: {
    suggestion_id: z.string().min(1).max(200),
    action: z.enum(['discard', 'finalize']).default('discard').describe('"finalize" is refused.'),
  },
  output: z.object({ suggestion_id: z.string(), status: suggestionStatusSchema }),
  effect: 'ends',
  run: async ({ suggestion_id: id, action }, { access }) => {
    if (action === 'finalize') {
      return fail(
        'refused',
        'Only the user finalizes a suggestion.',
        'Call await_review and wait for the user.',
      );
    }
    const shown = await visible(access.host, access.who, id);
    if (!shown.ok) return shown;
    const ended = await ask(access.host, 'review/finish', { suggestion: id, how: 'discard' });
    return ended.ok ? ok({ suggestion_id: id, status: ended.value.status }) : ended;
  },
});
