/** Bounds that both ends of a message keep to; apart from the schemas, so that a screen need not load those. */

/** Characters of a comment, which travels with every hunk that it is about, in one message. */
export const COMMENT_MAX_LENGTH = 10_000;

/** What `clarify_user` answers when the user skips the question. */
export const NO_USER_ANSWER = 'no_user_answer';
