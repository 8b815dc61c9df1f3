/** `list_suggestions`: what this author has published and nobody has ended. */
import * as z from 'zod';
import { ok } from '../../../lib/result.ts';
import { listFor } from '../../suggestions/operations.ts';
import { describeBrief, describedSchema } from '../describe.ts';
import { defineTool } from '../tool.ts';

export const listSuggestions = defineTool({
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
