/** Files whose text is run by tools without being asked for: an edit of one says so where it is reviewed. */

const NAMES: ReadonlySet<string> = new Set([
  '.envrc',
  '.mcp.json',
  '.npmrc',
  '.pre-commit-config.yaml',
  '.gitattributes',
  '.gitmodules',
  '.tmux.conf',
  '.nvimrc',
  '.exrc',
  '.nvim.lua',
  '.zshrc',
  '.bashrc',
  '.profile',
]);

const FOLDERS: ReadonlySet<string> = new Set([
  '.husky',
  '.githooks',
  '.vscode',
  '.idea',
  '.claude',
  '.codex',
  '.gemini',
  '.opencode',
  '.pi',
  '.cursor',
  '.github',
  '.devcontainer',
]);

/** What a reviewer is told about an edit of this file; null for an ordinary one. */
export function selfRunningNote(path: string): string | null {
  const parts = path.toLowerCase().split('/');
  const name = parts.at(-1) ?? '';
  if (!NAMES.has(name) && !parts.slice(0, -1).some((folder) => FOLDERS.has(folder))) return null;
  return 'Careful: what stands in this file may be run by your tools without being asked for.';
}
