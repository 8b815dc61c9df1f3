/** The tools for an AI, one file each. A new tool is a file beside these and a line here. */
import * as z from 'zod';
import { fail, ok } from '../../../lib/result.ts';
import { encodeHunk } from '../../../protocol/encode-suggestion.ts';
import { progressSchema, reportErrorSchema } from '../../../protocol/report.ts';
import { suggestionStatusSchema } from '../../../protocol/review.ts';
import { suggestionMessages } from '../../../protocol/suggestion-messages.ts';
import { listFor, replyTo, stackFor, visible } from '../../suggestions/operations.ts';
import { ask } from '../../suggestions/port.ts';
import { describeBrief, describedFullSchema, describedSchema, describeHunks } from '../describe.ts';
import { defineTool, type McpTool } from '../tool.ts';
import { awaitReview } from './await-review.ts';
import { fileMap } from './file-map.ts';
import { publishSuggestion } from './publish-suggestion.ts';

const { suggestion_id, hunk_id, text, comment } = suggestionMessages.reply.fields.shape;

const replyToComment = defineTool({
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

const suggestionStatus = defineTool({
  name: 'suggestion_status',
  title: 'Tell the user what you are doing',
  description: 'Shows the user one line about your work. With error_code it is shown as an error.',
  input: {
    message: z.string().min(1).max(2000).describe('One line.'),
    status: progressSchema.default('working'),
    error_code: reportErrorSchema.optional().describe('Set it when something went wrong.'),
    suggestion_id: z.string().min(1).max(200).optional().describe('The suggestion that it is about.'),
  },
  output: z.object({ sent: z.literal(true), error_code: reportErrorSchema.optional() }),
  effect: 'adds',
  run: async ({ message, status, error_code: error = null, suggestion_id: id }, { access }) => {
    if (id !== undefined) {
      const shown = await visible(access.host, access.who, id);
      if (!shown.ok) return shown;
    }
    const author = access.who.name;
    const report = { message, status, suggestion: id ?? null, author };
    const sent = await ask(access.host, 'review/report', report);
    if (!sent.ok) return sent;
    if (error === null) return ok({ sent: true as const });
    const reported = await ask(access.host, 'review/report', { ...report, error });
    return reported.ok ? ok({ sent: true as const, error_code: error }) : reported;
  },
});

const listSuggestions = defineTool({
  name: 'list_suggestions',
  title: 'List your suggestions',
  description: 'Lists the suggestions that you have published and that are still under review, newest first.',
  input: {},
  output: z.object({ suggestions: z.array(describedSchema) }),
  effect: 'reads',
  run: async (_, { access }) => {
    const listed = await listFor(access.host, access.who, null);
    return listed.ok ? ok({ suggestions: listed.value.map(describeBrief) }) : listed;
  },
});

const getSuggestion = defineTool({
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

const completeSuggestion = defineTool({
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

const suggestionFeedback = defineTool({
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

/** In the order of their use. */
export const TOOLS: readonly McpTool[] = [
  publishSuggestion,
  awaitReview,
  replyToComment,
  suggestionStatus,
  listSuggestions,
  getSuggestion,
  completeSuggestion,
  suggestionFeedback,
  fileMap,
];
