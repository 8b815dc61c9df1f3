/** The agent in a separate process, which starts on command: `agent-child.ts HOME SESSION save|run`. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { RunLoop } from '../../src/agent/loop/port.ts';
import { connectHost } from '../../src/app/client/connect.ts';
import { openAgent } from '../../src/app/host/open-agent.ts';
import { ok } from '../../src/lib/result.ts';
import { copanePaths } from '../../src/platform/paths.ts';
import { agentLimitsSchema } from '../../src/protocol/agent.ts';
import { sha256 } from '../../src/review/files/hash.ts';

const [home = '', session = '', what = 'save'] = process.argv.slice(2);

/** Proposes a new text for all of `a.md`. */
const runLoop: RunLoop = async ({ root }) => {
  const bytes = readFileSync(path.join(root, 'a.md'));
  const edit = {
    edit_id: 'e1',
    file_path: 'a.md',
    operation: 'replace' as const,
    start_line: 1,
    end_line: bytes.toString().split('\n').length - 1,
    new_text: 'proposed\n',
    expected_hash: `sha256:${sha256([bytes])}`,
  };
  return ok({ edits: [edit], message: 'done' });
};

const connected = await connectHost({
  paths: copanePaths({ HOME: home }),
  version: 'test',
  openAgent: (host, at) =>
    openAgent(host, at, { limits: agentLimitsSchema.parse({}), mode: () => 'remote', runLoop }),
});
if (!connected.ok) throw new Error(connected.error.message);
const client = connected.value;
// Loads every lazy module now, so that only the action's calls are counted.
await client.request('agent/working', { session_id: session });
process.stdout.write('ready\n');
await once(process.stdin, 'data');
if (what === 'save') {
  const saved = await client.request('agent/save', { session_id: session });
  process.stdout.write(`${saved.ok ? saved.value.status : saved.error.message}\n`);
} else {
  const started = await client.request('agent/run', { session_id: session, instruction: 'do it' });
  for (let status = 'queued'; started.ok && (status === 'queued' || status === 'running'); ) {
    const job = await client.request('agent/job', { job_id: started.value.job_id });
    status = job.ok ? job.value.status : 'gone';
  }
}
process.exit(0);
