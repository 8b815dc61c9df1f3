/**
 * A sender in a separate process, made to be killed: it writes its outbox to a file as a host would, reports on stdout
 * when it reaches the chosen moment, and hangs there. `doomed-sender.ts SOCKET PANE OUTBOX MOMENT`.
 */
import { appendFileSync } from 'node:fs';
import { ok } from '../../src/lib/result.ts';
import { createTmuxCommand } from '../../src/tmux/command.ts';
import type { TmuxPort } from '../../src/tmux/port.ts';
import { SendBench } from './tmux-sender.ts';

/** `recorded`: the record is written, nothing else · `pasting`: about to paste · `pasted` · `entered`. */
export type Moment = 'recorded' | 'pasting' | 'pasted' | 'entered';

const [, , socketName = '', paneId = '', outboxFile = '', moment = ''] = process.argv;

function hang(): Promise<never> {
  process.stdout.write('here\n');
  return new Promise(() => setInterval(() => undefined, 1000));
}

const tmux = createTmuxCommand({ server: { kind: 'name', name: socketName }, env: process.env });
const stopping: TmuxPort = {
  async run(commands, options) {
    const words = commands.flat().join(' ');
    const pastes = words.includes('paste-buffer');
    if (moment === 'pasting' && pastes) return hang();
    const answer = await tmux.run(commands, options);
    if ((moment === 'pasted' && pastes) || (moment === 'entered' && words.includes('Enter'))) return hang();
    return answer;
  },
};

const bench = new SendBench({ socketName });
const pane = await bench.choose(paneId);
const write = (line: unknown) => appendFileSync(outboxFile, `${JSON.stringify(line)}\n`, { flush: true });
bench.outbox.record = async (entry) => {
  write({ ...entry, state: 'recorded', reason: null, proof: null, createdAt: 0, updatedAt: 0 });
  return moment === 'recorded' ? hang() : ok(true);
};
bench.outbox.update = async (change) => {
  write(change);
  return ok(true);
};
await bench
  .senderOn(stopping)
  .send({ pane, text: 'do not lose me\nnor double me', mode: 'prompt', markers: false, submit: true });
