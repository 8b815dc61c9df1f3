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

interface RecordKinds<R, T extends R> {
  readonly link: (record: R) => record is T;
  readonly gap: (record: R) => boolean;
}

/** The records without children, newest first: the end of the conversation, and of each branch. */
export function chainEnds<R, T extends R & Linked>(
  records: readonly R[],
  { link }: RecordKinds<R, T>,
): readonly string[] {
  const links = records.filter(link);
  const parents = new Set(links.map(({ parent }) => parent));
  return [...new Set(links.map(({ uuid }) => uuid).filter((uuid) => !parents.has(uuid)))].reverse();
}

/**
 * `records` are in file order; `link` is null for records outside of chains; `isGap` tells where a line is missing.
 * `end`: the record to follow; omitted: the newest.
 */
export function followChain<R, T extends R & Linked>(
  records: readonly R[],
  complete: boolean,
  is: RecordKinds<R, T>,
  end?: string,
): Chain<T> {
  const place = new Map<string, number>();
  records.forEach((record, index) => {
    if (is.link(record)) place.set(record.uuid, index);
  });
  const chain: T[] = [];
  const seen = new Set<number>();
  let bridged = 0;
  // Programs write concurrently: a record may precede its parent, and the last one may have children.
  let at = place.get(end ?? chainEnds(records, is)[0] ?? '') ?? -1;
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
