/** `file_map`: the outline of a long file of the project, to find the right lines to read. */
import * as z from 'zod';
import { fail, ok } from '../../../lib/result.ts';
import { defineTool } from '../tool.ts';

export const fileMap = defineTool({
  name: 'file_map',
  title: 'Outline a file',
  description:
    'The outline of a long file of the project: its symbols (classes, functions, headings, keys, prompts) with their ' +
    'line ranges. Use it before you read parts of a file of more than some hundred lines.',
  input: {
    path: z.string().min(1).max(4096).describe('From the project folder.'),
    level: z
      .enum(['full', 'compact', 'minimal', 'outline'])
      .optional()
      .describe('How much of each symbol; default: what fits.'),
    max_bytes: z.int().min(500).max(102_400).default(25_600),
  },
  output: z.object({
    path: z.string(),
    language: z.string(),
    total_lines: z.int(),
    symbol_count: z.int(),
    level: z.string(),
    map: z.string(),
  }),
  effect: 'reads',
  run: async ({ path, level, max_bytes: maxBytes }, { access }) => {
    if (access.mapFile === null) {
      return fail(
        'refused',
        'Files of this machine cannot be read over HTTP.',
        'Use "copane mcp" in the project, over stdio.',
      );
    }
    const mapped = await access.mapFile(path, { maxBytes, ...(level === undefined ? {} : { level }) });
    if (!mapped.ok) return mapped;
    const { text, details } = mapped.value;
    return ok({
      path,
      language: details.language,
      total_lines: details.totalLines,
      symbol_count: details.symbolCount,
      level: mapped.value.level,
      map: text,
    });
  },
});
