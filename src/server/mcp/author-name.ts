/** The name of an author, from what a program calls itself. Pure. */
import { AUTHOR_NAME } from '../suggestions/who.ts';

const NAME_MAX_CHARACTERS = 63;
/** The author name of a program without a name. */
const UNNAMED = 'ai';

/** `Claude Code` → `claude-code`. */
export function authorName(programName: string | null): string {
  const name = (programName ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, NAME_MAX_CHARACTERS)
    .replace(/-+$/, '');
  return AUTHOR_NAME.test(name) ? name : UNNAMED;
}
