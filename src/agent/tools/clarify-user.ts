/** `clarify_user`: asks the user one question; the job waits for the answer without limit. */
import * as z from 'zod';
import { ok } from '../../lib/result.ts';
import { NO_USER_ANSWER } from '../../protocol/agent.ts';
import { QUESTION_MAX_CHARS } from './limits.ts';
import { defineTool } from './tool.ts';

const input = z.strictObject({ question: z.string().min(1).max(QUESTION_MAX_CHARS) });

export const clarifyOutputSchema = z.strictObject({ answer: z.string() });

export const clarifyUser = defineTool<z.output<typeof input>, z.output<typeof clarifyOutputSchema>>({
  name: 'clarify_user',
  description: `Asks the user one question and waits for the answer. "${NO_USER_ANSWER}" means that the user skipped it: go on by your own judgement, or stop.`,
  input,
  run: async ({ question }, context) => {
    const answer = await context.askUser(question);
    const isSkipped = answer === NO_USER_ANSWER;
    return ok({
      output: { answer },
      blocks: [isSkipped ? NO_USER_ANSWER : `The user answers:\n${answer}`],
      shown: [],
      summary: isSkipped ? 'skipped' : 'answered',
      count: 1,
    });
  },
});
