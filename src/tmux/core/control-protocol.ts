/** The parser of tmux control mode, without I/O. `%output` is never decoded: it only means that a pane changed. */

import { ByteLines, concat, LF } from '../../lib/line-splitter.ts';

export type ControlEvent =
  /** The answer to one command. `ours` is false if tmux ran it by itself (the attach, hooks). */
  | { readonly kind: 'reply'; readonly ok: boolean; readonly ours: boolean; readonly body: string }
  /** The pane printed something. */
  | { readonly kind: 'output'; readonly paneId: string }
  /** tmux paused the output of a pane: we were too slow, or requested it. */
  | { readonly kind: 'pause'; readonly paneId: string }
  | { readonly kind: 'continue'; readonly paneId: string }
  | { readonly kind: 'subscription'; readonly name: string; readonly value: string }
  | { readonly kind: 'exit'; readonly reason: string }
  | { readonly kind: 'other'; readonly name: string; readonly rest: string };

/** Limit of one line of control mode, or one reply; no capture that we request comes near it. */
const MAX_CONTROL_BYTES = 64 * 1024 * 1024;

const PERCENT = 37;
const EMPTY = new Uint8Array(0);

/** `name` and the text after its first space. */
function cut(line: string): readonly [string, string] {
  const space = line.indexOf(' ');
  return space === -1 ? [line, ''] : [line.slice(0, space), line.slice(space + 1)];
}

/** A reply that has begun: `guard` is the `time number flags` that its end must repeat. */
interface OpenReply {
  readonly guard: string;
  readonly lines: Uint8Array[];
  bytes: number;
}

/** Long enough for `%extended-output %123456 ` and any notification's name. */
const HEAD_BYTES = 40;

export class ControlParser {
  readonly #decoder = new TextDecoder();
  readonly #lines = new ByteLines(MAX_CONTROL_BYTES);
  #reply: OpenReply | null = null;

  /** Takes the next bytes of the client's output; returns what they complete, in order. */
  push(bytes: Uint8Array): readonly ControlEvent[] {
    const events: ControlEvent[] = [];
    for (const line of this.#lines.push(bytes)) {
      const event = line.kind === 'line' ? this.#line(line.bytes) : null;
      if (event !== null) events.push(event);
    }
    return events;
  }

  #line(line: Uint8Array): ControlEvent | null {
    if (this.#reply !== null) return this.#replyLine(this.#reply, line);
    if (line[0] !== PERCENT) return null;
    const head = this.#decoder.decode(line.subarray(0, HEAD_BYTES));
    if (head.startsWith('%output ') || head.startsWith('%extended-output ')) {
      return { kind: 'output', paneId: head.split(' ')[1] ?? '' };
    }
    return this.#notification(this.#decoder.decode(line));
  }

  #replyLine(reply: OpenReply, line: Uint8Array): ControlEvent | null {
    if (line[0] === PERCENT) {
      const [name, guard] = cut(this.#decoder.decode(line.subarray(0, HEAD_BYTES * 2)));
      if ((name === '%end' || name === '%error') && guard === reply.guard) {
        this.#reply = null;
        const body = this.#decoder.decode(joinLines(reply.lines));
        return { kind: 'reply', ok: name === '%end', ours: guard.endsWith(' 1'), body };
      }
    }
    reply.bytes += line.length + 1;
    if (reply.bytes <= MAX_CONTROL_BYTES) reply.lines.push(line.slice());
    return null;
  }

  #notification(line: string): ControlEvent | null {
    const [name, rest] = cut(line);
    switch (name) {
      case '%begin':
        this.#reply = { guard: rest, lines: [], bytes: 0 };
        return null;
      case '%pause':
        return { kind: 'pause', paneId: rest };
      case '%continue':
        return { kind: 'continue', paneId: rest };
      case '%exit':
        return { kind: 'exit', reason: rest };
      case '%subscription-changed': {
        const colon = rest.indexOf(' : ');
        return { kind: 'subscription', name: cut(rest)[0], value: colon === -1 ? '' : rest.slice(colon + 3) };
      }
      default:
        return { kind: 'other', name, rest };
    }
  }
}

/** The lines of a reply, each ended by a newline, as a command's standard output would be. */
function joinLines(lines: readonly Uint8Array[]): Uint8Array {
  if (lines.length === 0) return EMPTY;
  const newline = Uint8Array.of(LF);
  return concat(lines.flatMap((line) => [line, newline]));
}
