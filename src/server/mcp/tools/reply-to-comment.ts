/** `reply_to_comment`: answers what the user said about a hunk. The reply is shown below the comment. */
import { ok } from '../../../lib/result.ts';
import { encodeHunk } from '../../../protocol/encode-suggestion.ts';
import { suggestionMessages } from '../../../protocol/suggestion-messages.ts';
import { replyTo } from '../../suggestions/operations.ts';
import { defineTool } from '../tool.ts';

const { suggestion_id, hunk_id, text, comment } = suggestionMessages.reply.fields.shape;

export const replyToComment = defineTool({
  name: 'reply_to_comment',
  title: 'Reply to a comment',
  description:
    'Replies to a comment of the user on a hunk of your suggestion, for example to answer a question; the user sees it ' +
    'below the comment. Changes no file: for another change, publish it with the suggestion_id of this one.',
  input: { suggestion_id, hunk_id, text, comment },
  output: suggestionMessages.reply.answer.omit({ success: true }),
  effect: 'adds',
  run: async (fields, { access }) => {
    const { suggestion_id: suggestion, hunk_id: hunk, comment: to = null } = fields;
    const replied = await replyTo(access.host, access.who, { suggestion, hunk, text: fields.text, to });
    if (!replied.ok) return replied;
    const { revision } = replied.value;
    return ok({ suggestion_id: suggestion, revision, hunk: encodeHunk(replied.value.hunk) });
  },
});
