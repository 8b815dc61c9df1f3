/** `suggestion_status`: one line for the user about what the author is doing, or that something went wrong. */
import * as z from 'zod';
import { ok } from '../../../lib/result.ts';
import { progressSchema, reportErrorSchema } from '../../../protocol/report.ts';
import { visible } from '../../suggestions/operations.ts';
import { ask } from '../../suggestions/port.ts';
import { defineTool } from '../tool.ts';

export const suggestionStatus = defineTool({
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
    const told = await ask(access.host, 'review/report', { ...report, error });
    return told.ok ? ok({ sent: true as const, error_code: error }) : told;
  },
});
