/** A separate process that holds a control client until it is killed: `tmux-holder.ts SOCKET-NAME SESSION`. */
import { connectControlClient } from '../../src/tmux/control-client.ts';

const [, , name = '', sessionId = ''] = process.argv;
const client = await connectControlClient({ server: { kind: 'name', name }, env: process.env, sessionId });
if (!client.ok) throw new Error(client.error.message);
process.stdout.write('attached\n');
