/** The worker thread's entry: runs the daemon, answers the main thread. A busy UI delays no keystroke. */
import { parentPort, workerData } from 'node:worker_threads';
import { errorMessage, fail, type Result } from '../lib/result.ts';
import type { AskModel, ModelWords } from './command-writer.ts';
import { type Daemon, startDaemon } from './daemon.ts';
import type { FromWorker, ToWorker, WorkerSettings } from './worker-protocol.ts';

const port = parentPort;
if (port === null) throw new Error('the completion worker was started outside a worker thread');
const tell = (message: FromWorker) => port.postMessage(message);

const asked = new Map<number, (said: Result<ModelWords>) => void>();
let lastQuestion = 0;

const askModel: AskModel = (question, signal) => {
  lastQuestion += 1;
  const id = lastQuestion;
  return new Promise((resolve) => {
    asked.set(id, resolve);
    tell({ kind: 'ask-model', id, question });
    const drop = () => {
      tell({ kind: 'drop-question', id });
      settleQuestion(id, fail('refused', 'Nobody waits for the answer any more.'));
    };
    if (signal.aborted) drop();
    else signal.addEventListener('abort', drop, { once: true });
  });
};

function settleQuestion(id: number, said: Result<ModelWords>): void {
  asked.get(id)?.(said);
  asked.delete(id);
}

const started = await startDaemon(workerData as WorkerSettings, {
  onDefect: (where, error) => tell({ kind: 'defect', where, message: errorMessage(error) }),
  askModel,
});
if (started.ok) {
  serve(started.value);
  tell({ kind: 'listening' });
} else {
  tell({
    kind: 'refused',
    message: started.error.message,
    ...(started.error.hint ? { hint: started.error.hint } : {}),
  });
}

function serve(daemon: Daemon): void {
  port?.on('message', (message: ToWorker) => {
    switch (message.kind) {
      case 'status':
        tell({ kind: 'status', id: message.id, status: daemon.status() });
        break;
      case 'private':
        daemon.setPrivate(message.on);
        break;
      case 'forget':
        daemon.forget(message.line);
        break;
      case 'model-said':
        settleQuestion(message.id, message.said);
        break;
      case 'stop':
        void daemon.stop().finally(() => {
          tell({ kind: 'stopped' });
          port?.close();
        });
    }
  });
}
