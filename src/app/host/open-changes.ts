/** Creates the service for the changes of turns, over the host's store and blobs. */

import path from 'node:path';
import { type ChangeRecords, ChangesService } from '../../changes/changes-service.ts';
import { Observer } from '../../changes/snapshots/observer.ts';
import { bound } from '../../lib/bound.ts';
import { ok } from '../../lib/result.ts';
import { BlobStore } from '../../store/blobs.ts';
import type { HostParts } from './handler.ts';

interface ChangesHome {
  readonly stateDir: string;
  readonly now: () => number;
}

/** The service of this host. */
export function openChanges(host: HostParts, { stateDir, now }: ChangesHome): ChangesService {
  const blobs = new BlobStore(stateDir);
  return new ChangesService({
    observer: new Observer({ root: path.join(stateDir, 'snapshots'), blobs }),
    blobs,
    now,
    onTurn: (turn) => host.reviews.renew(turn),
    records: changeRecords(host, now),
  });
}

/** The stored observations and turns. */
export function changeRecords(host: Pick<HostParts, 'store' | 'write'>, now: () => number): ChangeRecords {
  const { observations } = host.store;
  return {
    ...bound(observations, 'head', 'turns', 'turnsIn', 'between', 'isWhole'),
    keepLook: (root, seen) =>
      host.write((writer) => ok(writer.observations.put(root, now(), seen)), 'ordered'),
    keepTurn: (session, turn, mark) =>
      host.write((writer) => ok(writer.observations.putTurn(session, turn, now(), mark)), 'ordered'),
  };
}
