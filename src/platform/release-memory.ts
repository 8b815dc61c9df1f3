/** Gives back the memory that a start needed and the rest of a session does not. */
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * One full garbage collection of this thread, some 30 ms. A start leaves the young generation at its largest, 16 MB, and V8
 * makes it smaller only in a collection, which an idle program does not come to.
 */
export function releaseMemory(): void {
  collector()();
}

type Collect = (options?: Readonly<Record<string, string>>) => void;

function collector(): Collect {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collect;
}

/** Memory of V8 that holds nothing, in bytes. */
function slackBytes(): number {
  const { total_heap_size: total, used_heap_size: used } = getHeapStatistics();
  return total - used;
}

/** Less is not worth a stop. */
const WORTH_BYTES = 12 * 1024 * 1024;

/**
 * Makes the function that gives back pages of this thread that are mostly empty, as reading a long history leaves them:
 * it moves together what is in them. That stops the thread, some 400 ms for 200 MB, so it is called while nobody waits;
 * without much to give back it does nothing.
 */
export function createCompaction(): () => void {
  let usual = 0;
  return () => {
    if (slackBytes() - usual < WORTH_BYTES) return;
    collector()({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    usual = slackBytes();
  };
}
