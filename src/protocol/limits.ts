/** Bounds and constants of both ends of a message; apart from the schemas, so that a screen or a short command need not load those. */

/** Characters of a comment, which travels with every hunk that it is about, in one message. */
export const COMMENT_MAX_LENGTH = 10_000;

/** What `clarify_user` answers when the user skips the question. */
export const NO_USER_ANSWER = 'no_user_answer';

/** A line of the host's socket, in either direction, is at most this long, without its line feed. */
export const MAX_LINE_BYTES = 8 * 1024 * 1024;

/** The `pane` of a draft that was begun while no AI pane was followed. */
export const NO_PANE = '';

/** What one message may hold, so that reading it holds nobody else up: a draft of 60,000 lines is within it. */
export const MESSAGE_JSON_LIMITS = { maxDepth: 64, maxValues: 500_000, maxMembers: 100_000 } as const;
