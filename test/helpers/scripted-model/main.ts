/**
 * The scripted model as a separate process.
 *
 *   node test/helpers/scripted-model/main.ts --script FILE [--port N]
 *
 * Prints one line of JSON, `{"port":N}`, when it listens. `GET /_requests` returns all requests, `PUT /_script`
 * replaces the script. Ends with SIGTERM.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Script } from './script.ts';
import { startScriptedModel } from './server.ts';

const { values } = parseArgs({
  options: { script: { type: 'string' }, port: { type: 'string', default: '0' } },
});
if (values.script === undefined) {
  console.error('usage: main.ts --script FILE [--port N]');
  process.exit(2);
}
const script = JSON.parse(readFileSync(values.script, 'utf8')) as Script;
const model = await startScriptedModel(script, Number(values.port));
console.log(JSON.stringify({ port: model.port }));
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => void model.close().then(() => process.exit(0)));
}
