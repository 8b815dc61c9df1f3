/** One reader of the feed: gets the events after its position, in order, at its own pace. */
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
          // Continue only after new events, so that an invalid position is checked once per event.
          if (signal.aborted || feed.head() !== head) resolve();
        });
        continue;
      }
      if (step.gap) await follower.write(gapMessage(step.next - 1));
      // Cached entries are read without waiting, and a hundred readers may be notified of one event.
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

/** Says that events before this position are no longer stored, or that the numbers restarted: reload the list. */
export function gapMessage(seq: number): { readonly seq: number; readonly json: string } {
  return { seq, json: JSON.stringify({ type: 'gap', seq }) };
}

/** Selects a client's events: those of its folder, and for an author those of its own suggestions. */
export function concerns(who: Who, folder: string | null): (event: FeedEvent) => boolean {
  return ({ target, author }) => {
    if (!maySee(who, author)) return false;
    return target === null || folder === null || target === folder || target.startsWith(`${folder}/`);
  };
}
