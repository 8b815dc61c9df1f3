/** Limits and constants for both ends, without the schemas, so that a screen or short command need not load those. */

/** Most characters of a comment, which a message repeats for each of its hunks. */
export const COMMENT_MAX_LENGTH = 10_000;

/** The answer of `clarify_user` when the user skips the question. */
export const NO_USER_ANSWER = 'no_user_answer';

/** Longest line on the host's socket in either direction, without its line feed. */
export const MAX_LINE_BYTES = 8 * 1024 * 1024;

/** The `pane` of a draft begun when no AI pane was followed. */
export const NO_PANE = '';

/** Limits of one message, so that parsing it delays nobody. A draft of 60,000 lines fits. */
export const MESSAGE_JSON_LIMITS = { maxDepth: 64, maxValues: 500_000, maxMembers: 100_000 } as const;
