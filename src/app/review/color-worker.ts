/** The thread that finds syntax: a text in, its colours out, one by one. A key is never kept waiting by it. */
import { parentPort } from 'node:worker_threads';
import { createColorText } from './colored-text.ts';
import type { FromColorWorker, ToColorWorker } from './colors.ts';

const colorText = createColorText();

parentPort?.on('message', ({ id, file, texts }: ToColorWorker) => {
  const answer: FromColorWorker = { id, texts: texts.map((text) => colorText(file, text)) };
  parentPort?.postMessage(answer);
});
