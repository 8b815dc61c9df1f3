/** One text with every class of hidden characters, for tests that show it everywhere and look for what came out raw. */
import { findHidden } from '../../src/lib/hidden-text.ts';

/** OSC, CSI, C1, bidi, tags, fillers, zero-width characters, overprinting; each unfinished or undone by no other. */
export const HOSTILE_LINE =
  'a\u001b]0;t\u0007b\u001b[2Jc\u009b31md\u202ee\u2066f\u{e0041}\u{e007f}g\u3164\uffa0h\u200b\u00adi\u2800j\u007f\r\bk\u001b]8;;';

/** What a second line of a name must not become: a line of its own. */
export const FORGED = 'FORGED';

/** A name of a file, branch or session. */
export const HOSTILE_NAME = `x${HOSTILE_LINE}\n${FORGED} y`;

/** The hidden characters in `text`, by code point; empty if it is safe to show. */
export const rawIn = (text: string): readonly string[] =>
  findHidden(text).map(({ codePoint }) => `U+${codePoint.toString(16).toUpperCase()}`);

/** These are read by programs, which would take another value for another thing. */
const READ_BY_PROGRAMS =
  /(?:^|_)(?:id|ids|key|kind|status|state|type|role|cli|action|source|progress|code|mode|trust|proof|hash|folded|keys|change|stage)$|Id$|^(?:identity|event|selected|viewed|seq|origin|tokens?|revision|range|statuses|needs|parent|stack|side)$/;

/**
 * `value` with hostile text in every text that a person reads: a name gets a line end, too. Functions give hostile
 * answers. A diff stays a diff.
 */
export function poisoned<T>(value: T, known = new Map<unknown, unknown>()): T {
  return poison(value, '', known) as T;
}

function poison(value: unknown, key: string, known: Map<unknown, unknown>): unknown {
  if (READ_BY_PROGRAMS.test(key)) return value;
  if (typeof value === 'string') return poisonText(value, key);
  if (typeof value !== 'object' || value === null) return value;
  const before = known.get(value);
  if (before !== undefined) return before;
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    known.set(value, list);
    for (const one of value) list.push(poison(one, key, known));
    return list;
  }
  if (value instanceof Map) return new Map([...value].map(([name, one]) => [name, poison(one, '', known)]));
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  const record: Record<string, unknown> = {};
  known.set(value, record);
  for (const [name, one] of Object.entries(value)) record[name] = poison(one, name, known);
  return record;
}

const LINES = /^(?:diff|patch|suggested|result|content|text|response|parts|prompt|question|message|output)$/;

function poisonText(text: string, key: string): string {
  if (LINES.test(key))
    return text.replace(/^(?!@@|diff |--- |\+\+\+ |rename |old |new |index |$)(.*)$/gm, `$1${HOSTILE_LINE}`);
  return `${text}${HOSTILE_NAME}`;
}

/** A port whose answers are poisoned; the same object gives the same answer, so that nothing seems to change. */
export function poisonedPort<T extends object>(port: T): T {
  const known = new Map<unknown, unknown>();
  const answer = (value: unknown): unknown =>
    value instanceof Promise ? value.then(answer) : poisoned(value, known);
  return new Proxy(port, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: readonly unknown[]) => answer(Reflect.apply(value, target, args));
    },
  });
}
