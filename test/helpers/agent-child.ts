/** Saves a session of the agent in a process of its own, when told to: `agent-child.ts HOME SESSION`. */
import { once } from 'node:events';
import { connectHost } from '../../src/app/client/connect.ts';
import { openAgent } from '../../src/app/host/open-agent.ts';
import { copanePaths } from '../../src/platform/paths.ts';

const [home = '', session = ''] = process.argv.slice(2);
const connected = await connectHost({
  paths: copanePaths({ HOME: home }),
  version: 'test',
  openAgent: (host, at) => openAgent(host, at),
});
if (!connected.ok) throw new Error(connected.error.message);
const client = connected.value;
// Everything that is loaded late is loaded now: only the save is to be counted.
await client.request('agent/working', { session_id: session });
process.stdout.write('ready\n');
await once(process.stdin, 'data');
const saved = await client.request('agent/save', { session_id: session });
process.stdout.write(`${saved.ok ? saved.value.status : saved.error.message}\n`);
process.exit(0);
