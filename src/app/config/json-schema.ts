/** The JSON Schema of the configuration, for editors. */
import * as z from 'zod';
import { configSchema } from '../../protocol/config.ts';

/** The text of `docs/config.schema.json`. */
export function configJsonSchema(): string {
  const schema = z.toJSONSchema(configSchema, { io: 'input', target: 'draft-7' });
  return `${JSON.stringify({ title: 'copane configuration', ...schema }, null, 2)}\n`;
}
