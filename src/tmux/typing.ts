/** Types into a pane, each time in one call to tmux that first checks the pane's process and leaves copy mode. */
import { fail, ok, type Result } from '../lib/result.ts';
import type { PaneIdentity } from '../protocol/pane.ts';
import { formatCommandLine, type TmuxCommand } from './core/command-line.ts';
import type { TmuxFailure, TmuxPort } from './port.ts';

export interface PastedText {
  /** Names the paste buffer. */
  readonly id: string;
  readonly pane: PaneIdentity;
  readonly text: string;
}

export interface KeyClock {
  sleep(ms: number): Promise<void>;
}

/** Shortest pause between two keys; a CLI treats faster keys as a paste. */
const KEY_GAP_MS = 12;
/** Output of tmux, instead of typing, if the pane has another process. */
const PANE_CHANGED = 'copane-pane-changed';

/** Runs `commands` if the process is the same. Leaves copy mode first, which breaks pastes and swallows Enter. */
function guarded(pane: PaneIdentity, commands: readonly TmuxCommand[]): TmuxCommand {
  const same = `#{&&:#{==:#{pane_pid},${pane.panePid}},#{==:#{pane_dead},0}}`;
  const leaveMode = ['copy-mode', '-q', '-t', pane.paneId];
  return [
    'if-shell',
    '-F',
    '-t',
    pane.paneId,
    same,
    formatCommandLine([leaveMode, ...commands]),
    formatCommandLine([['display-message', '-p', PANE_CHANGED]]),
  ];
}

async function runGuarded(
  tmux: TmuxPort,
  pane: PaneIdentity,
  commands: readonly TmuxCommand[],
  load?: { readonly command: TmuxCommand; readonly input: string },
): Promise<Result<string, TmuxFailure>> {
  const before = load === undefined ? [] : [load.command];
  const options = load === undefined ? {} : { input: load.input };
  const answer = await tmux.run([...before, guarded(pane, commands)], options);
  if (!answer.ok || !answer.value.includes(PANE_CHANGED)) return answer;
  const { error } = fail('not_found', `pane ${pane.paneId} was replaced: another program runs there now`);
  return { ok: false, error: { ...error, certain: true } };
}

/** Pastes the text as one framed piece. */
export async function paste(tmux: TmuxPort, text: PastedText): Promise<Result<string, TmuxFailure>> {
  const { paneId } = text.pane;
  // A separate name: the user's newest buffer stays the newest.
  const buffer = `copane-${text.id}`;
  const pasteIt = ['paste-buffer', '-p', '-r', '-d', '-b', buffer, '-t', paneId];
  const load = { command: ['load-buffer', '-b', buffer, '-'], input: text.text };
  const pasted = await runGuarded(tmux, text.pane, [pasteIt], load);
  // The prompt must not stay in the user's paste buffers.
  if (!pasted.ok) await tmux.run([['delete-buffer', '-b', buffer]]);
  return pasted;
}

const utf8 = new TextEncoder();

/** Types the text key by key, as hex bytes, so that tmux reads no key names in it. */
export async function typeKeys(
  tmux: TmuxPort,
  text: PastedText,
  clock: KeyClock,
): Promise<Result<string, TmuxFailure>> {
  let last: Result<string, TmuxFailure> = ok('');
  let typed = 0;
  for (const character of text.text) {
    const bytes = Array.from(utf8.encode(character), (byte) => byte.toString(16).padStart(2, '0'));
    last = await runGuarded(tmux, text.pane, [['send-keys', '-t', text.pane.paneId, '-H', ...bytes]]);
    if (!last.ok) {
      const certain = last.error.certain && typed === 0;
      return { ok: false, error: { ...last.error, certain } };
    }
    typed += 1;
    await clock.sleep(KEY_GAP_MS);
  }
  return last;
}

/** Presses keys by their tmux names; a single character is typed as it is. */
export function pressKeys(
  tmux: TmuxPort,
  pane: PaneIdentity,
  keys: readonly string[],
): Promise<Result<string, TmuxFailure>> {
  const commands = keys.map((key) => [
    'send-keys',
    '-t',
    pane.paneId,
    ...(key.length === 1 ? ['-l', key] : [key]),
  ]);
  return runGuarded(tmux, pane, commands);
}
