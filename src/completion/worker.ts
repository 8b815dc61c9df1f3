/** The worker thread's entry: runs the daemon, answers the main thread. Has no other contact with it, so a busy UI delays no keystroke. */
import { parentPort, workerData } from 'node:worker_threads';
import { errorMessage } from '../lib/result.ts';
import { type Daemon, startDaemon } from './daemon.ts';
import type { FromWorker, ToWorker, WorkerSettings } from './worker-protocol.ts';

const port = parentPort;
if (port === null) throw new Error('the completion worker was started outside a worker thread');
const tell = (message: FromWorker) => port.postMessage(message);

const started = await startDaemon(workerData as WorkerSettings, (where, error) =>
  tell({ kind: 'defect', where, message: errorMessage(error) }),
);
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
      case 'stop':
        void daemon.stop().finally(() => {
          tell({ kind: 'stopped' });
          port?.close();
        });
    }
  });
}
