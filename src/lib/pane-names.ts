/** Names AI panes for people: by program, folder, session title and position in tmux. Pure. */

export const folderName = (cwd: string): string => cwd.split('/').findLast((part) => part !== '') ?? cwd;

/** How ESC is written where it cannot be printed, and what ends a sequence. */
const ESCAPE = String.raw`(?:\x1b|\^\[|\\(?:0?33|x1b|e)|␛)`;
const END = String.raw`(?:\x07|\^G|\\(?:0?07|a)|${ESCAPE}?\\)`;
const STOP = String.raw`(?=$|[\s\\^[?]|\x1b|␛)`;
/** Queries to a terminal and its replies, with or without what introduces them: each is no word of a human. */
const QUERIES = [
  // Graphics, which tmux takes for a title.
  String.raw`_?G[a-zA-Z]=[\w.:-]*(?:,[a-zA-Z]=[\w.:-]*)*(?:;[\w+/=:]*)?`,
  // Colours, the clipboard.
  String.raw`\]\d{1,4};(?:[\w:/;#,+=.-]|\?)*`,
  String.raw`\d{1,2};(?:\d{1,3};)?(?:\?${STOP}|rgba?:[\da-fA-F/]+)`,
  // Attributes, modes, the cursor. A lone number needs its ESC: `[3D models]` are words.
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

/** A title without the terminal queries and replies that it begins with: some programs leak them into it. */
export const withoutQueries = (title: string): string => title.replace(LEAK, '');

/** What programs add to the session's name in a pane title, with its replacement. */
const DECORATIONS: readonly RegExp[] = [
  // A spinner, a state sign.
  /^[^\p{L}\p{N}[({"'`\]?>^\\␛]+/u,
  /^\[ . \] Action Required(?: \| )?/,
  /^(?:Ready|Working…|Action Required) \(.*\)$/,
  /^OC \| /,
  /^(?:Claude Code|OpenCode)$/,
];

/** The session title in a pane title; empty when it says none. `folder`: the working folder's name, which some programs add. */
export function sessionTitle(cli: string, title: string, folder: string): string {
  // These set no title: tmux shows the host name.
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

/** Which of several panes is meant, in a sentence: program, folder and position in tmux. */
export const wordsFor = ({ cli, cwd, label }: NamedPane): string => `${cli} in ${folderName(cwd)} (${label})`;

/** What distinguishes each pane from others of the same program: nothing, its folder, or folder and position in tmux. */
export function distinguish(panes: readonly NamedPane[]): readonly string[] {
  return panes.map((pane) => {
    const alike = panes.filter(({ cli }) => cli === pane.cli);
    if (alike.length === 1) return '';
    const folder = folderName(pane.cwd);
    const isAlone = alike.filter(({ cwd }) => folderName(cwd) === folder).length === 1;
    return isAlone ? folder : `${folder} ${placeOf(pane, alike)}`;
  });
}

/** Its position in tmux, without the session name where all panes are in the same session. */
export function placeOf({ label }: NamedPane, alike: readonly NamedPane[]): string {
  const sessionOf = (text: string) => text.slice(0, text.lastIndexOf(':'));
  const isOne = alike.every((other) => sessionOf(other.label) === sessionOf(label));
  return isOne ? label.slice(label.lastIndexOf(':') + 1) : label;
}
