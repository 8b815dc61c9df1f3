/** Decides whether a pane may be typed into: a paste cancels a dialog, a digit answers it, a shell runs every line. */
import { type Failure, fail } from '../../lib/result.ts';
import { isSamePane } from './formats.ts';
import type { Look } from './send-evidence.ts';
import type { SendRequest } from './send-model.ts';

export type GuardedSend = Pick<SendRequest, 'pane' | 'cli' | 'text'>;

/** `wait`: not ready now: the CLI is starting (`start`), or we saw a half-drawn screen (`redraw`). `no`: refused. */
export type Verdict =
  | { readonly kind: 'go' }
  | { readonly kind: 'wait'; readonly for: 'redraw' | 'start'; readonly failure: Failure }
  | { readonly kind: 'no'; readonly failure: Failure };

/** Editors, pagers and monitors. */
const KEY_READERS =
  /^(?:n?vi|n?vim(?:diff)?|gvim|r?view|ex|nano|pico|micro|helix|hx|kak|joe|mg|emacs(?:client)?|less|more|most|man|h?top|btop|tig|lazygit|gitui|k9s|ranger|mc)$/;

/** How much of a draft or dialog a message shows. */
const EXCERPT_CHARS = 60;

const no = (...parts: Parameters<typeof fail>): Verdict => ({ kind: 'no', failure: fail(...parts).error });

/** Refusals that one look cannot prove: a second look must agree. */
function unlessRedrawn(...parts: Parameters<typeof fail>): Verdict {
  return { kind: 'wait', for: 'redraw', failure: fail(...parts).error };
}

/** The tabs of several questions, or the one of a single question. */
const TABS = /^(?:← +)?[☐☒□✓] /;

/** The first words, without the line ends of a narrow pane. */
function excerpt(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  const line = lines.filter((each) => each !== '' && !TABS.test(each)).join(' ');
  return line.length > EXCERPT_CHARS ? `${line.slice(0, EXCERPT_CHARS)}…` : line;
}

function checkPane(send: GuardedSend, look: Look): Verdict | null {
  const { pane } = look;
  const name = send.pane.paneId;
  if (pane === null) return no('not_found', `pane ${name} is gone`, 'Choose another AI pane');
  if (!isSamePane(pane, send.pane)) {
    return no('not_found', `pane ${name} is not the one that was chosen: another program runs there now`);
  }
  if (pane.dead) return no('not_found', `the program in pane ${name} has ended`, 'Start it again');
  if (pane.inputOff) {
    return no('refused', `pane ${name} takes no input`, `Switch it on: tmux select-pane -e -t ${name}`);
  }
  if (pane.synchronized) {
    const hint = 'Switch it off: tmux set -w synchronize-panes off';
    return no('refused', 'the window types into all its panes at once (synchronize-panes)', hint);
  }
  return null;
}

function checkForeground(send: GuardedSend, look: Look): Verdict | null {
  const { foreground } = look;
  if (foreground === null) return null;
  if (foreground.kind === 'shell') {
    const message = `a shell (${foreground.name}) is in the foreground of pane ${send.pane.paneId}: it would run the text`;
    return no('refused', message, 'Start the AI CLI there again (or bring it back with fg), then send');
  }
  if (foreground.kind === 'program' && KEY_READERS.test(foreground.name)) {
    const message = `${foreground.name} is in the foreground of pane ${send.pane.paneId}: it would read the text as commands`;
    return no('refused', message, 'Close it there, or choose another AI pane, then send');
  }
  if (send.cli === 'generic' || (foreground.kind === 'cli' && foreground.cli === send.cli)) return null;
  const name = foreground.kind === 'cli' ? foreground.cli : foreground.name;
  return no('refused', `${name} is in the foreground of pane ${send.pane.paneId}, not ${send.cli}`);
}

function checkScreen(send: GuardedSend, look: Look): Verdict | null {
  const { reading } = look;
  if (reading.dialog !== null) {
    const hint = 'Answer it in the AI pane, then send';
    return unlessRedrawn(
      'refused',
      `the AI CLI waits for you: ${excerpt(reading.choice?.question ?? reading.dialog)}`,
      hint,
    );
  }
  if (reading.vimNormal) {
    return no(
      'refused',
      'the composer is in vim NORMAL mode: the text would run as commands',
      'Press i there',
    );
  }
  if (reading.composer.kind === 'draft' || reading.composer.kind === 'pill') {
    const message = `the composer holds a draft: ${excerpt(reading.composer.text)}`;
    return unlessRedrawn('refused', message, 'Send or clear it in the AI pane first');
  }
  if (reading.composer.kind === 'absent' && send.cli !== 'generic') {
    const isBusy = reading.state === 'working';
    const message = isBusy
      ? `${send.cli} works and takes no prompt until it is done`
      : `${send.cli} shows no input box (it is starting, or a pager or menu covers it)`;
    const hint = isBusy ? 'Send it then' : 'Close it in the AI pane, then send';
    return { kind: 'wait', for: 'start', failure: fail('refused', message, hint).error };
  }
  return null;
}

const utf8 = new TextEncoder();

function checkTerminal(send: GuardedSend, look: Look): Verdict | null {
  const limit = look.lineMaxBytes;
  if (limit !== null) {
    const lines = send.text.split('\n');
    const at = lines.findIndex((line) => utf8.encode(line).length > limit);
    if (at === -1) return null;
    const bytes = utf8.encode(lines[at] ?? '').length;
    const message = `line ${at + 1} has ${bytes} bytes, and the program reads whole lines of at most ${limit}: the rest would be lost`;
    return no('refused', message, 'Break the line, or put the text in a file and send its name');
  }
  if (look.pane?.bracketedPaste === false && send.text.includes('\n')) {
    const message = 'the program does not accept a paste as one piece: each line would be sent by itself';
    return no('refused', message, 'Put the text in a file and send its name');
  }
  return null;
}

/** The first guard that objects, or `go`. */
export function checkBeforePaste(send: GuardedSend, look: Look): Verdict {
  return (
    checkPane(send, look) ??
    checkForeground(send, look) ??
    checkScreen(send, look) ??
    checkTerminal(send, look) ?? { kind: 'go' }
  );
}
