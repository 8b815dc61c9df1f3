/** Derives an author's name from the name of a program. Pure. */
import { AUTHOR_NAME } from '../suggestions/who.ts';

const NAME_MAX_CHARACTERS = 63;
/** The author name of a program without a name. */
const UNNAMED = 'ai';

/** Names of AI CLIs as MCP clients: their authors have the same name as in the shell. */
const CLIENT_OF_CLI = /^(claude)-code$|^(codex|gemini)(?:-cli)?-mcp-client(?:-|$)/;

/** `Claude Code` → `claude`, `Some Tool` → `some-tool`. */
export function authorName(programName: string | null): string {
  const name = (programName ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, NAME_MAX_CHARACTERS)
    .replace(/-+$/, '');
  const [, claude, other] = CLIENT_OF_CLI.exec(name) ?? [];
  return claude ?? other ?? (AUTHOR_NAME.test(name) ? name : UNNAMED);
}
