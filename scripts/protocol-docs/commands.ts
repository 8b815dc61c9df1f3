/** The JSON Schema of the commands on the Unix socket, sent as JSON lines, and of its events. */
import { commands } from '../../src/protocol/command.ts';
import { eventBodySchema } from '../../src/protocol/event.ts';
import { SchemaBook } from './schemas.ts';

/** The `params` and answer `value` of each command, and the `body` of each event. */
export function commandsJsonSchema(): string {
  const book = new SchemaBook('#/$defs/');
  const parts = Object.entries(commands).flatMap(([name, { params, result }]) => [
    [`${name} params`, book.add(params, 'input')],
    [`${name} value`, book.add(result, 'output')],
  ]);
  const $defs = { ...Object.fromEntries(parts), 'event body': book.add(eventBodySchema, 'output') };
  const document = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'The JSON lines of the Unix socket of copane',
    $defs: { ...$defs, ...book.named },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
