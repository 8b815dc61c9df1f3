/** One reader of the feed: gets the events from its place on, in order, at its own pace, until it ends. */
import type { EventFeed, FeedEvent } from './feed.ts';
import { maySee, type Who } from './who.ts';

export interface Follower {
  readonly signal: AbortSignal;
  wants(event: FeedEvent): boolean;
  /** Resolves when there is room for more. */
  write(event: { readonly seq: number; readonly json: string }): Promise<void>;
}

/** Passes on every event after `since`. */
export async function follow(feed: EventFeed, since: number, follower: Follower): Promise<void> {
  const { signal } = follower;
  let wake: () => void = () => undefined;
  const stopNews = feed.onNews(() => wake());
  const onAbort = () => wake();
  signal.addEventListener('abort', onAbort, { once: true });
  let place = since;
  try {
    while (!signal.aborted) {
      const head = feed.head();
      const step = await feed.next(place);
      if (step === null) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          // Only what came while we looked: whatever is odd about a place, it is looked at once an event.
          if (signal.aborted || feed.head() !== head) resolve();
        });
        continue;
      }
      if (step.gap) await follower.write(gapMessage(step.next - 1));
      // What is kept in memory is read without a wait, and a hundred readers may be told of one event.
      await feed.slices.pause();
      for (const event of step.events) {
        if (signal.aborted) return;
        if (follower.wants(event)) await follower.write(event);
      }
      place = step.next;
    }
  } finally {
    stopNews();
    signal.removeEventListener('abort', onAbort);
  }
}

/** Says that events before this place are not kept, or that the numbers began again: load the list again. */
export function gapMessage(seq: number): { readonly seq: number; readonly json: string } {
  return { seq, json: JSON.stringify({ type: 'gap', seq }) };
}

/** Which events concern a client: those of its folder, and for an author those of its own suggestions. */
export function concerns(who: Who, folder: string | null): (event: FeedEvent) => boolean {
  return ({ target, author }) => {
    if (!maySee(who, author)) return false;
    return target === null || folder === null || target === folder || target.startsWith(`${folder}/`);
  };
}
