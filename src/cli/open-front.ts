/** The commands that a host runs for `bin/copane`, loaded only once this process leads. */
import type { OpenFront } from '../app/services.ts';

export const openFront: OpenFront = async (live) => (await import('./front.ts')).createFront(live);
