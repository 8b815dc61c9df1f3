/** The terminal as input: raw mode, bracketed paste, bytes to key events, and restoring. Draws nothing. */

import type { Timers } from '../../lib/scheduler.ts';
import { Decoder } from '../kit/keys/decoder.ts';
import type { KeyEvent } from '../kit/keys/key.ts';
import { isMouseReport, MOUSE_OFF, MOUSE_ON } from '../kit/mouse/mouse-event.ts';

/** A lone ESC is the Esc key if nothing follows in this time; an escape sequence arrives much faster. */
export const ESCAPE_TIMEOUT_MS = 40;
/** A paste without an end is accepted as it is after this silence. */
export const PASTE_TIMEOUT_MS = 2000;

const PASTE_ON = '\u001b[?2004h';
const PASTE_OFF = '\u001b[?2004l';
/** Attributes off, bracketed paste off, cursor shown. */
const RESTORE = `\u001b[0m${PASTE_OFF}\u001b[?25h`;
const LEAVE_ALTERNATE = '\u001b[?1049l';

/** The part of a TTY's read side that we use. */
export interface InputStream {
  readonly isTTY?: boolean | undefined;
  setRawMode?: (raw: boolean) => unknown;
  on: (event: 'data', listener: (chunk: Uint8Array | string) => void) => unknown;
  off: (event: 'data', listener: (chunk: Uint8Array | string) => void) => unknown;
  resume: () => unknown;
  pause: () => unknown;
}

/** The part of a TTY's write side that we use. */
export interface OutputStream {
  readonly isTTY?: boolean | undefined;
  write: (text: string) => unknown;
}

export interface TerminalInput {
  /** Takes over the terminal. */
  readonly start: () => void;
  /** Releases the terminal, for an editor, say. */
  readonly stop: () => void;
  /** Turns the terminal's mouse reports on or off. */
  readonly setMouse: (isWanted: boolean) => void;
  /** Like `stop`, and returns the screen to the shell. Safe at any time, repeatedly. */
  readonly restore: () => void;
}

export interface TerminalInputOptions {
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly clock: Timers;
  /** The surface uses the alternate screen. */
  readonly isAlternate: boolean;
  /** The terminal reports the mouse; otherwise it keeps it for selecting text. */
  readonly hasMouse?: boolean;
  /** All keys of a chunk at once, so that a burst makes one frame. */
  readonly onKeys: (events: readonly KeyEvent[]) => void;
}

/** Reads keys from chunks; a lone Escape or an unfinished paste becomes a key after a timeout. */
function createKeyReader(clock: Timers, emit: (events: readonly KeyEvent[]) => void) {
  let decoder: Decoder = new Decoder();
  let timer: unknown = null;
  const disarm = (): void => {
    if (timer !== null) clock.clear(timer);
    timer = null;
  };
  const arm = (): void => {
    if (decoder.pending === 'none') return;
    const delay = decoder.pending === 'paste' ? PASTE_TIMEOUT_MS : ESCAPE_TIMEOUT_MS;
    timer = clock.set(() => {
      timer = null;
      emit(decoder.flush());
    }, delay);
  };
  return {
    push: (chunk: Uint8Array | string): void => {
      disarm();
      emit(decoder.push(chunk));
      arm();
    },
    reset: (): void => {
      disarm();
      decoder = new Decoder();
    },
  };
}

/** Makes the input; nothing happens before `start`. */
export function createTerminalInput(options: TerminalInputOptions): TerminalInput {
  const { stdin, stdout, clock, isAlternate, onKeys } = options;
  let hasMouse = options.hasMouse ?? false;
  let isOn = false;
  let isRestored = true;

  const reader = createKeyReader(clock, (events) => {
    const wanted = hasMouse ? events : events.filter((event) => !isReport(event));
    if (wanted.length > 0) onKeys(wanted);
  });
  const stop = (): void => {
    if (!isOn) return;
    isOn = false;
    reader.reset();
    stdin.off('data', reader.push);
    if (stdout.isTTY === true) stdout.write(hasMouse ? MOUSE_OFF + PASTE_OFF : PASTE_OFF);
    if (stdin.isTTY === true) stdin.setRawMode?.(false);
    // Otherwise the process would keep reading and take keys from the editor that it started.
    stdin.pause();
  };

  return {
    start: () => {
      if (isOn) return;
      isOn = true;
      isRestored = false;
      if (stdin.isTTY === true) stdin.setRawMode?.(true);
      if (stdout.isTTY === true) stdout.write(hasMouse ? PASTE_ON + MOUSE_ON : PASTE_ON);
      stdin.on('data', reader.push);
      stdin.resume();
    },
    stop,
    setMouse: (isWanted) => {
      if (isWanted === hasMouse) return;
      hasMouse = isWanted;
      if (isOn && stdout.isTTY === true) stdout.write(hasMouse ? MOUSE_ON : MOUSE_OFF);
    },
    restore: () => {
      stop();
      if (isRestored) return;
      isRestored = true;
      // Leaving a screen that was never entered would move the cursor to the top left corner.
      if (stdout.isTTY === true) stdout.write(isAlternate ? RESTORE + LEAVE_ALTERNATE : RESTORE);
    },
  };
}

/** A mouse report, which may come unrequested if an earlier program left the mode on. */
const isReport = (event: KeyEvent): boolean => event.kind === 'reply' && isMouseReport(event.sequence);
