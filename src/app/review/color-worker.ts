/** The worker thread for syntax highlighting, which keeps the main thread responsive to keys. */
import { parentPort } from 'node:worker_threads';
import { createColorText } from './colored-text.ts';
import type { FromColorWorker, ToColorWorker } from './colors.ts';

const colorText = createColorText();

parentPort?.on('message', ({ id, file, texts }: ToColorWorker) => {
  const answer: FromColorWorker = { id, texts: texts.map((text) => colorText(file, text)) };
  parentPort?.postMessage(answer);
});
