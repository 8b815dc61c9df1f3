/** The name of an author, from what a program calls itself. Pure. */
import { AUTHOR_NAME } from '../suggestions/who.ts';

const NAME_MAX_CHARACTERS = 63;
/** The author name of a program without a name. */
const UNNAMED = 'ai';

/** What AI CLIs call themselves as clients of MCP: their authors have the name that their shells have. */
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
