/** Limits and constants of both ends, apart from the schemas, so that a screen or a short command need not load those. */

/** Characters of a comment, which is sent with each of its hunks in one message. */
export const COMMENT_MAX_LENGTH = 10_000;

/** What `clarify_user` answers when the user skips the question. */
export const NO_USER_ANSWER = 'no_user_answer';

/** Maximum length of a line on the host's socket, in either direction, without its line feed. */
export const MAX_LINE_BYTES = 8 * 1024 * 1024;

/** The `pane` of a draft that was started while no AI pane was followed. */
export const NO_PANE = '';

/** Maximum size of one message, so that parsing it delays nobody; a draft of 60,000 lines fits. */
export const MESSAGE_JSON_LIMITS = { maxDepth: 64, maxValues: 500_000, maxMembers: 100_000 } as const;
