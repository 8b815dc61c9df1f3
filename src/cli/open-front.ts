/** The commands that a host runs for `bin/copane`, loaded when a process begins to lead. */
import type { OpenFront } from '../app/services.ts';

/** See `front.ts`. */
export const openFront: OpenFront = async (live) => (await import('./front.ts')).createFront(live);
