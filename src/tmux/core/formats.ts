/**
 * The one place that names tmux format variables and parses their output. The separator is printable, because a client
 * in the C locale turns control characters into `_`. No name can contain or complete a separator; the title may, and so
 * comes last.
 */
import { withoutQueries } from '../../lib/pane-names.ts';
import type { PaneIdentity } from '../../protocol/pane.ts';
import type { TmuxCommand } from './command-line.ts';

const SEPARATOR = '|~|';

const PANE_FIELDS = [
  'pid',
  'pane_id',
  'pane_pid',
  'session_id',
  'window_id',
  'window_index',
  'pane_index',
  'pane_dead',
  'pane_in_mode',
  'alternate_on',
  'pane_width',
  'pane_height',
  'cursor_y',
  'cursor_flag',
  'history_size',
  'pane_input_off',
  'pane_synchronized',
  // Empty before tmux 3.7, which introduced it.
  'bracket_paste_flag',
  'pane_active',
  '@copane_role',
  '@copane_made',
  'pane_tty',
  'socket_path',
  'host',
  'pane_current_command',
  'session_name',
  'window_name',
  'pane_current_path',
  'pane_title',
] as const;

type PaneField = (typeof PANE_FIELDS)[number];

/** A name may contain line ends (the rest would look like another pane) or the start of a separator (two fields). */
const ONE_LINE = 's/[\t-\v]|[|]~/?/:';

/** `-F` of `list-panes -a` and of `display-message -p` for one pane; read by `parsePane`. */
export const PANE_FORMAT = PANE_FIELDS.map(
  (field) => `#{${/^@|host|path|command|name/.test(field) ? ONE_LINE : ''}${field}}`,
).join(SEPARATOR);

/** The command that prints a format for a pane. */
export const printFor = (pane: string, format: string): TmuxCommand => [
  'display-message',
  '-p',
  '-t',
  pane,
  format,
];

/** The facts of tmux about a pane, from one line. */
export interface PaneFacts {
  readonly identity: PaneIdentity;
  /** `$N`. A pane of a linked window is listed once, under the first session. */
  readonly sessionId: string;
  readonly sessionName: string;
  /** `@N`. */
  readonly windowId: string;
  readonly windowIndex: number;
  readonly windowName: string;
  readonly paneIndex: number;
  readonly dead: boolean;
  /** Copy mode, a chooser or another mode covers the pane. */
  readonly inMode: boolean;
  readonly alternate: boolean;
  readonly width: number;
  readonly height: number;
  readonly cursorY: number;
  readonly cursorShown: boolean;
  readonly historySize: number;
  /** `select-pane -d`: the pane takes no input. */
  readonly inputOff: boolean;
  /** `synchronize-panes`: a key typed here goes to every pane of the window. */
  readonly synchronized: boolean;
  /** The program requested bracketed paste; null if this tmux cannot tell. */
  readonly bracketedPaste: boolean | null;
  readonly active: boolean;
  /** The pane option `@copane_role`; empty if not set. */
  readonly role: string;
  /** The pane option `@copane_made`: the role that copane opened this pane for; empty for others. */
  readonly made: string;
  readonly tty: string;
  readonly currentCommand: string;
  readonly cwd: string;
  /** Empty until a program sets one. */
  readonly title: string;
}

function parseCount(value: string): number {
  const count = Number(value);
  return Number.isInteger(count) ? count : 0;
}

/** Parses a line of `PANE_FORMAT`; null if invalid (tmux prints an empty line for a missing pane). */
export function parsePane(line: string): PaneFacts | null {
  const values = line.split(SEPARATOR);
  if (values.length < PANE_FIELDS.length) return null;
  const last = PANE_FIELDS.length - 1;
  const fields = [...values.slice(0, last), values.slice(last).join(SEPARATOR)];
  const get = (name: PaneField) => fields[PANE_FIELDS.indexOf(name)] ?? '';
  const count = (name: PaneField) => parseCount(get(name));
  const flag = (name: PaneField) => count(name) > 0;
  const paneId = get('pane_id');
  if (!/^%\d+$/.test(paneId)) return null;
  return {
    identity: {
      socketPath: get('socket_path'),
      serverPid: count('pid'),
      paneId,
      panePid: count('pane_pid'),
    },
    sessionId: get('session_id'),
    sessionName: get('session_name'),
    windowId: get('window_id'),
    windowIndex: count('window_index'),
    windowName: get('window_name'),
    paneIndex: count('pane_index'),
    dead: flag('pane_dead'),
    inMode: flag('pane_in_mode'),
    alternate: flag('alternate_on'),
    width: count('pane_width'),
    height: count('pane_height'),
    cursorY: count('cursor_y'),
    cursorShown: flag('cursor_flag'),
    historySize: count('history_size'),
    inputOff: flag('pane_input_off'),
    synchronized: flag('pane_synchronized'),
    // In copy mode tmux reports on the copy mode's screen, not on the program's.
    bracketedPaste:
      get('bracket_paste_flag') === '' || flag('pane_in_mode') ? null : flag('bracket_paste_flag'),
    active: flag('pane_active'),
    role: get('@copane_role'),
    made: get('@copane_made'),
    tty: get('pane_tty'),
    currentCommand: get('pane_current_command'),
    cwd: get('pane_current_path'),
    // tmux initializes the title with the machine's name.
    title: get('pane_title') === get('host') ? '' : withoutQueries(get('pane_title')),
  };
}

/** The lines of `list-panes -a -F PANE_FORMAT`, each pane once. */
export function parsePanes(output: string): readonly PaneFacts[] {
  const seen = new Set<string>();
  const panes: PaneFacts[] = [];
  for (const line of output.split('\n')) {
    const pane = parsePane(line);
    if (pane === null || seen.has(pane.identity.paneId)) continue;
    seen.add(pane.identity.paneId);
    panes.push(pane);
  }
  return panes;
}

/** `session:window.pane` by number: tmux names windows after their programs, so several may have the same name. */
export function formatPaneLabel(pane: PaneFacts): string {
  return `${pane.sessionName}:${pane.windowIndex}.${pane.paneIndex}`;
}

/** Whether this is really the pane of `identity`, not one that got its number from a new server or a respawn. */
export function isSamePane(pane: PaneFacts, identity: PaneIdentity): boolean {
  return (
    pane.identity.paneId === identity.paneId &&
    pane.identity.panePid === identity.panePid &&
    pane.identity.serverPid === identity.serverPid
  );
}

/** The subscription of the control client for each watched pane; a change arrives at most once a second. */
export const PANE_STATUS_FORMAT = [
  '#{pane_dead}',
  '#{pane_in_mode}',
  '#{alternate_on}',
  '#{pane_current_command}',
  '#{pane_title}',
].join(SEPARATOR);

/** The subscription of the control client for every pane of its session: an AI CLI may start in any of them. */
export const PANE_PROGRAM_FORMAT = '#{pane_current_command}';

/** `1` for a pane in the current window of its session, unless another pane is zoomed over it. */
export const PANE_SHOWN_FORMAT = '#{&&:#{window_active},#{||:#{pane_active},#{!=:#{window_zoomed_flag},1}}}';

/** `AI_PANE=%3` as `show-environment` prints it; null for a removed (`-AI_PANE`) or other variable. */
export function parseEnvironmentLine(output: string, name: string): string | null {
  const line = output.split('\n')[0] ?? '';
  return line.startsWith(`${name}=`) ? line.slice(name.length + 1) : null;
}
