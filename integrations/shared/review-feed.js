/**
 * Follows the suggestions that a session has published and tells each decision of the user once, as a sentence. What
 * the session hears by a tool of its own is not told again.
 */

/** How long one call waits for news. */
const WAIT_S = 40;
/** Suggestions that one session may have under review. */
const FOLLOWED_MAX = 16;
const RETRY_MS = 5_000;
const DECIDED = new Set(['accepted', 'rejected', 'modified']);

export class ReviewFeed {
  /**
   * @param {{ child: import('./mcp-child.js').McpChild, tell: (session: string, text: string) => Promise<unknown> }} options
   */
  constructor({ child, tell }) {
    this.child = child;
    this.tell = tell;
    /** By suggestion: what was told of it already. */
    this.told = new Map();
    this.listening = new Map();
    this.ended = new AbortController();
  }

  /** A call of a tool begins; while one waits for the review, its session needs no messages. */
  begins(session, tool) {
    if (isTool(tool, 'await_review')) this.listening.set(session, (this.listening.get(session) ?? 0) + 1);
  }

  /** A call of a tool is over, with this answer. */
  ends(session, tool, answer) {
    const body = bodyOf(answer);
    if (isTool(tool, 'await_review')) {
      this.listening.set(session, Math.max(0, (this.listening.get(session) ?? 1) - 1));
      if (body !== null) this.note(body);
    }
    if (isTool(tool, 'publish_suggestion') && body?.suggestion_id) this.follow(session, body);
  }

  /** Tells what the user decides on a suggestion from the revision that was published on, until the review is over. */
  follow(session, { suggestion_id: id, revision }) {
    if (this.told.has(id) || this.told.size >= FOLLOWED_MAX) return;
    this.told.set(id, new Map());
    void this.run(session, id, revision).finally(() => this.told.delete(id));
  }

  close() {
    this.ended.abort();
  }

  async run(session, id, published) {
    let revision = published;
    while (!this.ended.signal.aborted) {
      const answer = await this.ask(id, revision);
      if (answer === null) {
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref?.());
        continue;
      }
      // Discarded, or of another author: nobody will decide on it.
      if (answer.isError) return;
      // What is decided between two calls is told by the second, at once.
      revision = answer.body.revision;
      const fresh = this.note(answer.body);
      const hears = (this.listening.get(session) ?? 0) > 0;
      if (fresh.length > 0 && !hears) await this.tell(session, fresh.join('\n')).catch(() => undefined);
      if (answer.body.done) return;
    }
  }

  async ask(id, revision) {
    try {
      const args = { suggestion_id: id, wait_s: WAIT_S, return_on: 'any_change', since_revision: revision };
      return await this.child.call('await_review', args, this.ended.signal);
    } catch {
      // copane was restarted, or is being updated: asked again in a moment.
      return null;
    }
  }

  /** The sentences about decisions and comments that were not told yet; from now on they count as told. */
  note({ suggestion_id: id, hunks = [], feedback = [], remaining_count: remaining = 0 }) {
    const told = this.told.get(id);
    if (told === undefined) return [];
    const decisions = feedback[Symbol.iterator]();
    return hunks.flatMap((hunk) => {
      const isDecided = DECIDED.has(hunk.status);
      // One sentence for each hunk that is decided, in the order of the hunks.
      const sentence = isDecided ? decisions.next().value : commentSentence(hunk, remaining);
      const state = `${isDecided ? hunk.status : ''} ${hunk.comments?.length ?? 0}`;
      if ((told.get(hunk.id) ?? ' 0') === state) return [];
      told.set(hunk.id, state);
      return sentence === undefined ? [] : [sentence];
    });
  }
}

/** What was said about a hunk on which nothing is decided; undefined for nothing. */
function commentSentence({ file, comments = [] }, remaining) {
  const words = comments
    .at(-1)
    ?.text?.trim()
    .replace(/\s*\n\s*/g, ' ');
  if (!words) return undefined;
  const left = `${remaining} ${remaining === 1 ? 'hunk' : 'hunks'} remaining.`;
  return `[Suggestion Feedback] User commented on hunk in ${file}. ${left} Comment: "${words}"`;
}

/** Clients put the server's name before a tool's own. */
function isTool(name, tool) {
  return name === tool || name.endsWith(`_${tool}`);
}

function bodyOf(answer) {
  if (typeof answer !== 'string') return answer ?? null;
  try {
    return JSON.parse(answer);
  } catch {
    return null;
  }
}
