/** Names AI panes for people: by program, folder, session title and position in tmux. Pure. */

export const folderName = (cwd: string): string => cwd.split('/').findLast((part) => part !== '') ?? cwd;

/** How programs write ESC when they cannot print it, and how sequences end. */
const ESCAPE = String.raw`(?:\x1b|\^\[|\\(?:0?33|x1b|e)|␛)`;
const END = String.raw`(?:\x07|\^G|\\(?:0?07|a)|${ESCAPE}?\\)`;
const STOP = String.raw`(?=$|[\s\\^[?]|\x1b|␛)`;
/** Terminal queries and replies, with or without their introducer: nobody writes these as words. */
const QUERIES = [
  // Graphics, which tmux takes for a title.
  String.raw`_?G[a-zA-Z]=[\w.:-]*(?:,[a-zA-Z]=[\w.:-]*)*(?:;[\w+/=:]*)?`,
  // Colours, the clipboard.
  String.raw`\]\d{1,4};(?:[\w:/;#,+=.-]|\?)*`,
  String.raw`\d{1,2};(?:\d{1,3};)?(?:\?${STOP}|rgba?:[\da-fA-F/]+)`,
  // Attributes, modes, the cursor. A single number needs its ESC: `[3D models]` is text.
  String.raw`\[(?:[?>=<][\d;:]*|\d+(?:;\d+)+)(?:\$[py]|[a-zA-Z])${STOP}`,
  String.raw`\[\d+\$[py]${STOP}`,
  String.raw`(?<=${ESCAPE})\[\d+[a-zA-Z]${STOP}`,
  String.raw`[?>]\d+(?:;\d+)*(?:\$y|[cnRu])${STOP}`,
  String.raw`\d+(?:;\d+)+(?:\$y|[cR])${STOP}`,
  // Capabilities, settings, the terminal's name.
  String.raw`P?(?:[01][+$]r|(?<=P)[+$]q)[\da-fA-F;"=]+${STOP}`,
  String.raw`P?>\|[\w.-]+(?:[ (][\w.]+\)?)?`,
];
const LEAK = new RegExp(`^(?:(?:${ESCAPE}*Ptmux;)?${ESCAPE}*(?:${QUERIES.join('|')})${END}?\\s*)+`, 'u');

/** A title without the terminal queries and replies that some programs leak into its beginning. */
export const withoutQueries = (title: string): string => title.replace(LEAK, '');

/** What programs add to the session's name in a pane title, as patterns to remove. */
const DECORATIONS: readonly RegExp[] = [
  // A spinner, a state sign.
  /^[^\p{L}\p{N}[({"'`\]?>^\\␛]+/u,
  /^\[ . \] Action Required(?: \| )?/,
  /^(?:Ready|Working…|Action Required) \(.*\)$/,
  /^OC \| /,
  /^(?:Claude Code|OpenCode)$/,
];

/** The session title in a pane title; empty if it has none. Some programs add `folder`, the working folder's name. */
export function sessionTitle(cli: string, title: string, folder: string): string {
  // These set no title, so tmux shows the host name.
  if (cli === 'generic' || cli === 'aider' || cli === 'pi') return '';
  const bare = DECORATIONS.reduce((left, pattern) => left.replace(pattern, ''), withoutQueries(title)).trim();
  const own = withoutQueries(bare.endsWith(` | ${folder}`) ? bare.slice(0, -folder.length - 3) : bare);
  return own === folder ? '' : own;
}

interface NamedPane {
  readonly cli: string;
  readonly cwd: string;
  /** `session:window.pane` */
  readonly label: string;
}

/** Identifies one of several panes in a sentence: program, folder and position in tmux. */
export const wordsFor = ({ cli, cwd, label }: NamedPane): string => `${cli} in ${folderName(cwd)} (${label})`;

/** What tells each pane from others of the same program: nothing, its folder, or folder and position in tmux. */
export function distinguish(panes: readonly NamedPane[]): readonly string[] {
  return panes.map((pane) => {
    const alike = panes.filter(({ cli }) => cli === pane.cli);
    if (alike.length === 1) return '';
    const folder = folderName(pane.cwd);
    const isAlone = alike.filter(({ cwd }) => folderName(cwd) === folder).length === 1;
    return isAlone ? folder : `${folder} ${placeOf(pane, alike)}`;
  });
}

/** Its position in tmux, without the session name if all panes are in the same session. */
export function placeOf({ label }: NamedPane, alike: readonly NamedPane[]): string {
  const sessionOf = (text: string) => text.slice(0, text.lastIndexOf(':'));
  const isOne = alike.every((other) => sessionOf(other.label) === sessionOf(label));
  return isOne ? label.slice(label.lastIndexOf(':') + 1) : label;
}
