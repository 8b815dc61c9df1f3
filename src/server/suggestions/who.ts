/** The caller: the reviewer, who may do everything, or an author, by name. */
export type Who = { readonly role: 'reviewer' } | { readonly role: 'author'; readonly name: string };

export const REVIEWER: Who = { role: 'reviewer' };

/** The author for a token without a name. */
export const DEFAULT_AUTHOR = 'author';

export const AUTHOR_NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/;

/** The name of an author; null for the reviewer. */
export const authorOf = (who: Who): string | null => (who.role === 'author' ? who.name : null);

export function isSame(one: Who, other: Who): boolean {
  return one.role === other.role && authorOf(one) === authorOf(other);
}

/** An author sees suggestions with its name; a reviewer sees everything. */
export function maySee(who: Who, author: string | null): boolean {
  return who.role === 'reviewer' || author === who.name;
}
