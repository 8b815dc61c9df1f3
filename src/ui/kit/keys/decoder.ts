/**
 * Decodes a terminal's bytes into key events: a burst is split into keys, a bracketed paste is one event, terminal
 * replies never count as typing. Sans-IO: the caller owns the stream and the timer for a lone ESC (`pending`, `flush`).
 */
import { type KeyEvent, keyName, type Modifiers, NO_MODIFIERS } from './key.ts';

const ESC = '\u001b';
const PASTE_START = `${ESC}[200~`;
const PASTE_END = `${ESC}[201~`;

/** A longer paste is delivered in pieces, so that an endless one cannot exhaust memory. */
export const PASTE_MAX_CHARACTERS = 8 * 1024 * 1024;
/** A longer escape sequence is not one of ours and is dropped. */
export const SEQUENCE_MAX_CHARACTERS = 4096;

const FINAL_KEYS: Readonly<Record<string, string>> = {
  A: 'Up',
  B: 'Down',
  C: 'Right',
  D: 'Left',
  H: 'Home',
  F: 'End',
  P: 'F1',
  Q: 'F2',
  R: 'F3',
  S: 'F4',
};

const TILDE_KEYS: Readonly<Record<number, string>> = {
  1: 'Home',
  2: 'Insert',
  3: 'Delete',
  4: 'End',
  5: 'PageUp',
  6: 'PageDown',
  7: 'Home',
  8: 'End',
  11: 'F1',
  12: 'F2',
  13: 'F3',
  14: 'F4',
  15: 'F5',
  17: 'F6',
  18: 'F7',
  19: 'F8',
  20: 'F9',
  21: 'F10',
  23: 'F11',
  24: 'F12',
};

/** Key codes of CSI-u and modifyOtherKeys other than plain characters. */
const CODE_KEYS: Readonly<Record<number, string>> = {
  8: 'Backspace',
  9: 'Tab',
  13: 'Enter',
  27: 'Esc',
  32: 'Space',
  127: 'Backspace',
  57414: 'Enter',
};

/** What the decoder is waiting for: the caller sets a short timer for `escape`, a long one for `paste`. */
type Pending = 'none' | 'escape' | 'paste';

export class Decoder {
  readonly #utf8 = new TextDecoder('utf-8');
  /** Text that does not form a whole key yet. */
  #held = '';
  /** The pieces of the current paste; null outside one. */
  #paste: string[] | null = null;
  #pasteLength = 0;

  get pending(): Pending {
    if (this.#paste !== null) return 'paste';
    return this.#held === '' ? 'none' : 'escape';
  }

  /** Accepts the next bytes (or decoded text) and returns every complete key. */
  push(chunk: Uint8Array | string): KeyEvent[] {
    this.#held += typeof chunk === 'string' ? chunk : this.#utf8.decode(chunk, { stream: true });
    return this.#drain();
  }

  /** The time is up: no more bytes will complete the held ones. */
  flush(): KeyEvent[] {
    if (this.#paste !== null) {
      const text = lineEnds(this.#paste.join('') + this.#held);
      this.#paste = null;
      this.#held = '';
      return text === '' ? [] : [{ kind: 'paste', text }];
    }
    const events: KeyEvent[] = [];
    while (this.#held !== '') {
      const { length, event } = forcedKey(this.#held);
      this.#held = this.#held.slice(length);
      events.push(event, ...this.#drain());
    }
    return events;
  }

  #drain(): KeyEvent[] {
    const events: KeyEvent[] = [];
    while (this.#held !== '') {
      if (this.#paste !== null) {
        if (!this.#takePaste(this.#paste, events)) break;
        continue;
      }
      const step = nextKey(this.#held);
      if (step === null) break;
      this.#held = this.#held.slice(step.length);
      if (step.event === 'paste') {
        this.#paste = [];
        this.#pasteLength = 0;
      } else if (step.event !== null) events.push(step.event);
    }
    return events;
  }

  /** Moves pasted text out of the held text. Returns true if it found the end marker. */
  #takePaste(pieces: string[], events: KeyEvent[]): boolean {
    const end = this.#held.indexOf(PASTE_END);
    // A marker may be cut in two, so its first characters stay held.
    const take = end === -1 ? Math.max(0, this.#held.length - (PASTE_END.length - 1)) : end;
    pieces.push(this.#held.slice(0, take));
    this.#pasteLength += take;
    this.#held = this.#held.slice(end === -1 ? take : take + PASTE_END.length);
    if (end === -1 && this.#pasteLength < PASTE_MAX_CHARACTERS) return false;
    events.push({ kind: 'paste', text: lineEnds(pieces.join('')) });
    this.#paste = end === -1 ? [] : null;
    this.#pasteLength = 0;
    return end !== -1;
  }
}

const lineEnds = (text: string): string => text.replace(/\r\n?/g, '\n');

/** `length` characters are consumed; `paste` starts a paste; null ignores them (a key release). */
interface Step {
  readonly length: number;
  readonly event: KeyEvent | 'paste' | null;
}

/** The first key of `input`; null if more bytes are needed. */
function nextKey(input: string): Step | null {
  if (input[0] !== ESC) return plainKey(input);
  if (input.length === 1) return null;
  const second = input[1] ?? '';
  if (second === '[') return csi(input, 0);
  if (second === 'O') return ss3(input, 0);
  if (second === ']' || second === 'P' || second === '_' || second === '^' || second === 'X') {
    return stringSequence(input);
  }
  if (second === ESC) {
    // ESC before a complete sequence is Alt with that key; before anything else it is the Esc key.
    if (input.length === 2) return null;
    if (input[2] === '[') return csi(input, 1);
    if (input[2] === 'O') return ss3(input, 1);
    return { length: 1, event: named('Esc', NO_MODIFIERS) };
  }
  const inner = plainKey(input.slice(1));
  return inner === null ? null : { length: inner.length + 1, event: withAlt(inner.event) };
}

/** The first key if no more bytes come: Esc, or Alt with the next character. */
function forcedKey(input: string): { readonly length: number; readonly event: KeyEvent } {
  if (input[0] === ESC && input.length === 2 && input[1] !== ESC) {
    return {
      length: 2,
      event: { kind: 'key', key: keyName(input[1] ?? '', { ...NO_MODIFIERS, alt: true }), text: null },
    };
  }
  if (input[0] === ESC && input.length > 2)
    return { length: input.length, event: { kind: 'reply', sequence: input } };
  return { length: 1, event: named('Esc', NO_MODIFIERS) };
}

function named(base: string, modifiers: Modifiers): KeyEvent {
  const plain = !modifiers.ctrl && !modifiers.alt;
  const text = plain && base === 'Space' ? ' ' : null;
  return { kind: 'key', key: keyName(base, modifiers), text };
}

function withAlt(event: Step['event']): Step['event'] {
  if (event === null || event === 'paste' || event.kind !== 'key') return event;
  const key = event.key.startsWith('Ctrl+') ? `Ctrl+Alt+${event.key.slice(5)}` : `Alt+${event.key}`;
  return { kind: 'key', key, text: null };
}

/** A character or control byte; null for half a surrogate pair. */
function plainKey(input: string): Step | null {
  const code = input.codePointAt(0) ?? 0;
  if (code >= 0xd800 && code <= 0xdbff && input.length === 1) return null;
  const character = String.fromCodePoint(code);
  const length = character.length;
  if (code === 0x0d) return { length, event: named('Enter', NO_MODIFIERS) };
  if (code === 0x09) return { length, event: named('Tab', NO_MODIFIERS) };
  if (code === 0x7f || code === 0x08) return { length, event: named('Backspace', NO_MODIFIERS) };
  if (code === 0x20) return { length, event: named('Space', NO_MODIFIERS) };
  if (code === 0x00) return { length, event: named('Space', { ...NO_MODIFIERS, ctrl: true }) };
  if (code === 0x1b) return { length, event: named('Esc', NO_MODIFIERS) };
  if (code < 0x20) {
    const base = String.fromCharCode(code + 0x40);
    return {
      length,
      event: { kind: 'key', key: keyName(base, { ...NO_MODIFIERS, ctrl: true }), text: null },
    };
  }
  // C1 controls are not typed text: a terminal's 8-bit reply must not become text.
  if (code >= 0x80 && code < 0xa0) return { length, event: { kind: 'reply', sequence: character } };
  return { length, event: { kind: 'key', key: character, text: character } };
}

/** `ESC ] … BEL|ST` and similar: replies of the terminal. */
function stringSequence(input: string): Step | null {
  for (let index = 2; index < input.length; index += 1) {
    const character = input[index];
    if (character === '\u0007' || character === '\u009c') {
      return { length: index + 1, event: { kind: 'reply', sequence: input.slice(0, index + 1) } };
    }
    if (character === ESC && input[index + 1] === '\\') {
      return { length: index + 2, event: { kind: 'reply', sequence: input.slice(0, index + 2) } };
    }
  }
  return tooLong(input);
}

function tooLong(input: string): Step | null {
  if (input.length <= SEQUENCE_MAX_CHARACTERS) return null;
  return {
    length: input.length,
    event: { kind: 'reply', sequence: input.slice(0, SEQUENCE_MAX_CHARACTERS) },
  };
}

function ss3(input: string, prefix: number): Step | null {
  const final = input[prefix + 2];
  if (final === undefined) return null;
  const key = final === 'M' ? 'Enter' : FINAL_KEYS[final];
  const length = prefix + 3;
  if (key === undefined) return { length, event: { kind: 'reply', sequence: input.slice(0, length) } };
  return { length, event: named(key, { ...NO_MODIFIERS, alt: prefix === 1 }) };
}

const CSI = /^\u001b\[([<=>?[]?[0-9;:]*)([ -/]*)([@-~])/;
const CSI_PREFIX = /^\u001b\[[<=>?[]?[0-9;:]*[ -/]*$/;

function csi(input: string, prefix: number): Step | null {
  const body = input.slice(prefix);
  const match = CSI.exec(
    body.length > SEQUENCE_MAX_CHARACTERS ? body.slice(0, SEQUENCE_MAX_CHARACTERS) : body,
  );
  if (match === null) {
    if (CSI_PREFIX.test(body)) return tooLong(input);
    // Not a sequence: Alt+[ followed by something else.
    return { length: prefix + 2, event: { kind: 'key', key: 'Alt+[', text: null } };
  }
  const sequence = match[0];
  const length = prefix + sequence.length;
  if (sequence === PASTE_START) return { length, event: 'paste' };
  if (sequence === `${ESC}[M`) {
    // The old mouse report: three more bytes that would otherwise be typed.
    if (input.length < length + 3) return null;
    return { length: length + 3, event: { kind: 'reply', sequence: input.slice(0, length + 3) } };
  }
  const event = csiKey(match[1] ?? '', match[3] ?? '', prefix === 1);
  return { length, event: event === undefined ? { kind: 'reply', sequence: input.slice(0, length) } : event };
}

/** The key of a CSI sequence; undefined if it is not one, null if it is a release. */
function csiKey(parameters: string, final: string, alt: boolean): KeyEvent | null | undefined {
  if (/^[<=>?]/.test(parameters)) return undefined;
  const fields = parameters
    .replace(/^\[/, '')
    .split(';')
    .map((field) => field.split(':').map(Number));
  const first = fields[0]?.[0] ?? 0;
  const modifiers = modifiersOf(fields[1]?.[0] ?? 1, alt);
  if (fields[1]?.[1] === 3) return null;
  if (final === 'u') return codeKey(first, fields[0]?.[1], modifiers, fields[2]);
  if (final === '~') {
    if (first === 27 && fields.length >= 3)
      return codeKey(fields[2]?.[0] ?? 0, undefined, modifiers, undefined);
    const key = TILDE_KEYS[first];
    return key === undefined ? undefined : named(key, modifiers);
  }
  if (final === 'Z') return named('Tab', { ...modifiers, shift: true });
  const key = FINAL_KEYS[final];
  // `CSI row ; column R` answers a position query; a modified F3 looks the same only in row 1.
  if (key === undefined || (final === 'R' && first !== 1 && parameters !== '')) return undefined;
  return named(key, modifiers);
}

function modifiersOf(parameter: number, alt: boolean): Modifiers {
  const bits = Math.max(0, parameter - 1);
  return {
    shift: (bits & 1) !== 0,
    alt: alt || (bits & 2) !== 0 || (bits & 32) !== 0,
    ctrl: (bits & 4) !== 0,
  };
}

function codeKey(
  code: number,
  shifted: number | undefined,
  modifiers: Modifiers,
  text: readonly number[] | undefined,
): KeyEvent | null | undefined {
  const special = CODE_KEYS[code];
  if (special !== undefined) return named(special, modifiers);
  // The kitty protocol puts lone modifiers and media keys in a private area.
  if (code < 0x20 || (code >= 57344 && code <= 63743) || code > 0x10ffff) return undefined;
  const character = String.fromCodePoint(shifted ?? code);
  const upper = modifiers.shift && shifted === undefined ? character.toUpperCase() : character;
  const typed =
    text === undefined || text.some((point) => !(point >= 0x20)) ? upper : String.fromCodePoint(...text);
  const types = !modifiers.ctrl && !modifiers.alt;
  return { kind: 'key', key: keyName(types ? upper : character, modifiers), text: types ? typed : null };
}
