/**
 * The extension of copane for pi. Each part is a file of its own; a further part is one file and one line here.
 */
import type { ExtensionAPI } from '@mariozechner/pi-coding-agent';
import fileMap from './file-map.ts';
import type { Place } from './place.ts';
import { addReviews } from './reviews.ts';
import { addStates } from './states.ts';

/** pi calls this. */
export default function copane(pi: ExtensionAPI, place: Place): void {
  fileMap(pi);
  addReviews(pi, place);
  addStates(pi, place);
}
