/** Follows records that name their parent, newest first. Pure. Skips unreadable parents; ends at unread ones. */

/** Stands for the parent when it is the previous record in the file. */
export const RECORD_BEFORE = '<record before>';

export interface Linked {
  readonly uuid: string;
  /** Null: the first record of its session. */
  readonly parent: string | null;
}

export interface Chain<T> {
  /** Oldest first. */
  readonly chain: readonly T[];
  /** The chain goes back to the session's first record. */
  readonly reachesStart: boolean;
  /** Number of missing parents replaced by the record before in the file. */
  readonly bridged: number;
}

/** `records` are in file order; `link` is null for records outside of chains; `isGap` tells where a line is missing. */
export function followChain<R, T extends R & Linked>(
  records: readonly R[],
  complete: boolean,
  is: { readonly link: (record: R) => record is T; readonly gap: (record: R) => boolean },
): Chain<T> {
  const place = new Map<string, number>();
  const parents = new Set<string>();
  records.forEach((record, index) => {
    if (!is.link(record)) return;
    place.set(record.uuid, index);
    if (record.parent !== null) parents.add(record.parent);
  });
  const chain: T[] = [];
  const seen = new Set<number>();
  let bridged = 0;
  // Programs write concurrently: a record may precede its parent, and the last one may have children.
  let at = records.findLastIndex((record) => is.link(record) && !parents.has(record.uuid));
  while (at >= 0 && !seen.has(at)) {
    seen.add(at);
    const record = records[at];
    if (record === undefined || !is.link(record)) break;
    chain.push(record);
    if (record.parent === null) return { chain: chain.reverse(), reachesStart: true, bridged };
    const isNamed = record.parent !== RECORD_BEFORE;
    const parent = place.get(record.parent);
    at = parent ?? before(records, at, complete || !isNamed);
    if (parent === undefined && isNamed && at >= 0) bridged += 1;
  }
  return { chain: chain.reverse(), reachesStart: complete, bridged };

  /** The link before `from`, only across an unreadable line, or if the parent is surely not in the file. */
  function before(list: readonly R[], from: number, isSure: boolean): number {
    let mayCross = isSure;
    for (let index = from - 1; index >= 0; index -= 1) {
      const record = list[index];
      if (record === undefined) continue;
      if (is.gap(record)) mayCross = true;
      else if (is.link(record)) return mayCross ? index : -1;
    }
    return -1;
  }
}
