/** Returns memory to the system that only a session's start needed. */
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** One full garbage collection, about 30 ms: a start leaves the young generation at 16 MB, and idle never collects. */
export function releaseMemory(): void {
  collector()();
}

type Collect = (options?: Readonly<Record<string, string>>) => void;

function collector(): Collect {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collect;
}

/** Unused memory of V8, in bytes. */
function slackBytes(): number {
  const { total_heap_size: total, used_heap_size: used } = getHeapStatistics();
  return total - used;
}

/** Freeing less is not worth the pause. */
const WORTH_BYTES = 12 * 1024 * 1024;

/**
 * Makes the function that compacts this thread's heap and returns mostly empty pages, such as reading a long history
 * leaves behind. It pauses the thread (about 400 ms for 200 MB), so call it while nobody waits. It does nothing when
 * there is little to return.
 */
export function createCompaction(): () => void {
  let usual = 0;
  return () => {
    if (slackBytes() - usual < WORTH_BYTES) return;
    collector()({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    usual = slackBytes();
  };
}
