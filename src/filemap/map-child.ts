/** The process that makes maps: parsing a large file takes longer than a frame may. One request at a time, in order. */
import { fail } from '../lib/result.ts';
import { Grammars } from './grammars.ts';
import { mapFile } from './map-file.ts';
import type { MapAnswer, MapRequest } from './map-process.ts';

const grammars = new Grammars();

process.on('message', async (message) => {
  const { id, file } = message as MapRequest;
  const result = await mapFile(file, grammars).catch((thrown: unknown) =>
    fail('internal', `${file} could not be mapped: ${String(thrown)}`),
  );
  const answer: MapAnswer = { id, result };
  process.send?.(answer);
});
