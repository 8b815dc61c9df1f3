/** The thread that makes maps: parsing a large file takes longer than a frame may. One request at a time, in order. */
import { parentPort } from 'node:worker_threads';
import { fail } from '../lib/result.ts';
import { Grammars } from './grammars.ts';
import { mapFile } from './map-file.ts';
import type { MapAnswer, MapRequest } from './map-thread.ts';

const grammars = new Grammars();

parentPort?.on('message', async ({ id, file }: MapRequest) => {
  const result = await mapFile(file, grammars).catch((thrown: unknown) =>
    fail('internal', `${file} could not be mapped: ${String(thrown)}`),
  );
  const answer: MapAnswer = { id, result };
  parentPort?.postMessage(answer);
});
