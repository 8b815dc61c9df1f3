/** `await_review`: waits for the user in steps shorter than clients' timeouts, and returns decisions and comments. */
import * as z from 'zod';
import { fail, ok, type Result } from '../../../lib/result.ts';
import type { Inspection, Suggestion } from '../../../protocol/review.ts';
import { bareHunkSchema } from '../../../protocol/suggestion-wire.ts';
import { visible } from '../../suggestions/operations.ts';
import { ask } from '../../suggestions/port.ts';
import type { AuthorAccess } from '../author.ts';
import { decisionSentences, describeBrief, describedSchema, describeHunks } from '../describe.ts';
import { defineTool, type ToolContext } from '../tool.ts';

/** Some clients give up after 60 seconds, despite progress reports. */
const WAIT_MAX_S = 45;
/** Limit of modified hunks whose new text is in the answer; get_suggestion has the rest. */
const MODIFIED_MAX = 20;
/** How often progress is reported while waiting. */
const PROGRESS_MS = 5_000;

const input = {
  suggestion_id: z.string().min(1).max(200).optional().describe('Default: the one that you published last.'),
  wait_s: z
    .number()
    .min(0)
    .max(WAIT_MAX_S)
    .default(WAIT_MAX_S)
    .describe('How long to wait at most, in seconds.'),
  return_on: z
    .enum(['complete', 'any_change'])
    .default('complete')
    .describe('complete: when every hunk is decided. any_change: at the first decision or comment as well.'),
  since_revision: z
    .int()
    .min(0)
    .optional()
    .describe(
      'With any_change: the "revision" that you know; what was decided since then counts. Left out: from now on.',
    ),
};

const output = describedSchema.extend({
  done: z.boolean().describe('Every hunk is decided, or the suggestion has ended.'),
  feedback: z.array(z.string()).describe('A sentence for each hunk that is decided.'),
  hunks: z.array(
    bareHunkSchema.extend({
      modified: z
        .object({ suggested: z.string(), result: z.string() })
        .optional()
        .describe('Of a modified hunk: the text that you suggested, and what the user made of it.'),
    }),
  ),
  next_step: z.string(),
});
type Reviewed = z.input<typeof output>;

export const awaitReview = defineTool({
  name: 'await_review',
  title: 'Wait for the review',
  description:
    'Waits until the user has decided on every hunk of your suggestion, at most 45 seconds, and gives the decisions ' +
    'and comments. If "done" is false, call it again: the review is not over. Rejected hunks come with their diffs: ' +
    'do what the comments ask for and publish again, with the suggestion_id while the review is open.',
  input,
  output,
  effect: 'reads',
  run: async ({ suggestion_id, wait_s, return_on, since_revision: since = null }, context) => {
    const id = suggestion_id ?? (await newestOf(context.access));
    if (id === null)
      return fail('not_found', 'You have not published anything yet.', 'Call publish_suggestion first.');
    const deadline = performance.now() + wait_s * 1000;
    return waitFor(id, { deadline, isEager: return_on === 'any_change', since }, context);
  },
});

/** This author's last published suggestion, even if it has ended. */
async function newestOf({ host, who }: AuthorAccess): Promise<string | null> {
  const listed = await ask(host, 'review/list', { ended: true });
  if (!listed.ok) return null;
  return listed.value.find(({ author }) => author === who.name)?.id ?? null;
}

async function waitFor(
  id: string,
  {
    deadline,
    isEager,
    since,
  }: { readonly deadline: number; readonly isEager: boolean; readonly since: number | null },
  { access, signal, progress }: ToolContext,
): Promise<Result<Reviewed>> {
  const news = new News(access, signal);
  const begin = performance.now();
  const beat = setInterval(() => {
    const done = Math.round((performance.now() - begin) / 1000);
    progress({ done, total: Math.round((deadline - begin) / 1000), message: 'The user is reviewing.' });
  }, PROGRESS_MS);
  try {
    let first = since;
    for (;;) {
      const shown = await visible(access.host, access.who, id);
      if (!shown.ok) return shown;
      first ??= shown.value.revision;
      const isNews = isEager && shown.value.revision !== first;
      const leftMs = deadline - performance.now();
      if (isOver(shown.value) || isNews || leftMs <= 0 || signal.aborted) {
        return ok(answerOf(shown.value, await modificationsOf(access, shown.value)));
      }
      await news.next(leftMs);
    }
  } finally {
    clearInterval(beat);
    news.close();
  }
}

const OVER: ReadonlySet<Suggestion['status']> = new Set(['complete', 'finalized', 'discarded']);

const isOver = ({ status }: Suggestion) => OVER.has(status);

const OVER_WORDS = 'The review is over. Answer rejected hunks and comments with a new change, or go on.';
const OPEN_WORDS =
  'The review is not over. Call await_review again, or go on with other work and call it later.';
const REREAD_WORDS =
  'Read the files of rejected and modified hunks again before you edit them: the decisions were brought to your worktree.';

/** A rejected hunk is removed from where it came from; a modified one gets the user's text there. */
function isChangedForUs({ hunks }: Suggestion): boolean {
  return hunks.some(({ status }) => status === 'rejected' || status === 'modified');
}

type Modified = NonNullable<Inspection['modified']>;

/** The reviewer's versions of modified hunks, by hunk. */
async function modificationsOf(
  { host }: AuthorAccess,
  { id, hunks }: Suggestion,
): Promise<Map<string, Modified>> {
  const modified = hunks.filter(({ status }) => status === 'modified').slice(0, MODIFIED_MAX);
  const made = new Map<string, Modified>();
  for (const hunk of modified) {
    const seen = await ask(host, 'review/inspect', { suggestion: id, hunk: hunk.id });
    if (seen.ok && seen.value.modified !== null) made.set(hunk.id, seen.value.modified);
  }
  return made;
}

function answerOf(suggestion: Suggestion, modified: ReadonlyMap<string, Modified>): Reviewed {
  const done = isOver(suggestion);
  // A hunk that was accepted unchanged need not be read again.
  const isOfInterest = ({ status }: Suggestion['hunks'][number]) =>
    status === 'rejected' || status === 'modified' || status === 'conflict';
  return {
    ...describeBrief(suggestion),
    done,
    feedback: decisionSentences(suggestion),
    hunks: describeHunks(suggestion.hunks, isOfInterest).map((hunk) => {
      const made = modified.get(hunk.id);
      return made === undefined
        ? hunk
        : { ...hunk, modified: { suggested: made.suggested, result: made.result } };
    }),
    next_step: [done ? OVER_WORDS : OPEN_WORDS, ...(isChangedForUs(suggestion) ? [REREAD_WORDS] : [])].join(
      ' ',
    ),
  };
}

/** Wakes a waiter at each change of a review; a change while nobody waited counts, too. */
class News {
  #isFresh = false;
  #wake: () => void = () => undefined;
  readonly #stop: () => void;

  constructor(access: AuthorAccess, signal: AbortSignal) {
    const onNews = () => {
      this.#isFresh = true;
      this.#wake();
    };
    const unsubscribe = access.onNews(onNews);
    signal.addEventListener('abort', onNews, { once: true });
    this.#stop = () => {
      unsubscribe();
      signal.removeEventListener('abort', onNews);
    };
  }

  /** Resolves with the next news, or after `timeoutMs`. */
  async next(timeoutMs: number): Promise<void> {
    if (!this.#isFresh) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#isFresh = false;
  }

  close(): void {
    this.#stop();
  }
}
