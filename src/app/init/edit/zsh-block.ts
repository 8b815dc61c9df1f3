/**
 * What `copane init zsh` prints and writes. Printed for `eval "$(copane init zsh)"`; written as one marked block at
 * the end of .zshrc, which can be taken out again byte for byte.
 */

const BEGIN = '# >>> copane >>>';
const END = '# <<< copane <<<';
/** Stands on the first line of a block that had to end the line before it first. */
const JOINED = ' (the line above had no end)';

/** A word that zsh reads as it is. */
function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The code that loads the client from `shellFolder`. Silent when copane was moved away. */
export function zshInitScript(shellFolder: string): string {
  const file = quote(`${shellFolder}/ashlet.zsh`);
  return `[[ -r ${file} ]] && source ${file}\n`;
}

/** The block of a .zshrc. Loads the client itself: to ask copane for the code would cost every shell its start. */
function block(shellFolder: string, joined: boolean): string {
  return `${BEGIN}${joined ? JOINED : ''}\n# Completions below the prompt. "copane init zsh --remove" takes these lines out.\n${zshInitScript(shellFolder)}${END}\n`;
}

/** `text` of a .zshrc with the block, once; a block of another copane gives way to ours. */
export function addZshBlock(text: string, shellFolder: string): string {
  const found = findBlock(text);
  if (found !== null) {
    if (text.slice(found.start, found.end) === block(shellFolder, found.joined)) return text;
    return addZshBlock(removeZshBlock(text), shellFolder);
  }
  const joined = text !== '' && !text.endsWith('\n');
  return `${text}${joined ? '\n' : ''}${block(shellFolder, joined)}`;
}

/** Whether a block of ours is in the text. */
export function hasZshBlock(text: string): boolean {
  return findBlock(text) !== null;
}

/** `text` as it was before the block came. */
export function removeZshBlock(text: string): string {
  const found = findBlock(text);
  if (found === null) return text;
  const { start, end, joined } = found;
  // Lines that came later must not join the line before.
  const undoJoin = joined && end === text.length;
  return text.slice(0, undoJoin ? start - 1 : start) + text.slice(end);
}

function findBlock(text: string): { start: number; end: number; joined: boolean } | null {
  const start = text.startsWith(BEGIN) ? 0 : text.indexOf(`\n${BEGIN}`) + 1;
  if (start === 0 && !text.startsWith(BEGIN)) return null;
  const last = text.indexOf(`${END}\n`, start);
  if (last === -1) return null;
  return { start, end: last + END.length + 1, joined: text.startsWith(BEGIN + JOINED, start) };
}
