/** File names as git writes them: plain, or in double quotes with C escapes. */
import { wordList } from '../../lib/word-list.ts';
import type { ByteString } from './bytes.ts';

const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '"': '"',
  '\\': '\\',
};

/** Reads a quoted name at `at` (the opening quote); null if the quotes or an escape are broken. */
export function readQuoted(text: ByteString, at: number): { name: ByteString; end: number } | null {
  let name = '';
  for (let i = at + 1; i < text.length; i += 1) {
    const character = text.charAt(i);
    if (character === '"') return { name, end: i + 1 };
    if (character !== '\\') {
      name += character;
      continue;
    }
    const octal = /^[0-3][0-7]{2}/.exec(text.slice(i + 1, i + 4));
    const simple = SIMPLE_ESCAPES[text.charAt(i + 1)];
    if (octal !== null) {
      name += String.fromCharCode(Number.parseInt(octal[0], 8));
      i += 3;
    } else if (simple !== undefined) {
      name += simple;
      i += 1;
    } else return null;
  }
  return null;
}

const NEEDS_QUOTES = /[\u0000-\u001f"\\\u007f]/;

/** `name` for a header: quoted if one of its bytes would break the line. */
export function quoteName(name: ByteString): ByteString {
  if (!NEEDS_QUOTES.test(name)) return name;
  const body = name.replace(/[\u0000-\u001f"\\\u007f]/g, (character) => {
    for (const [letter, meaning] of Object.entries(SIMPLE_ESCAPES)) {
      if (meaning === character) return `\\${letter}`;
    }
    return `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`;
  });
  return `"${body}"`;
}

/** `diff -u` adds the file's time after its name; mail may have turned the TAB between into a blank. */
const TIME_STAMP = /[\t ]+(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.\d+)? ([-+]\d\d):?(\d\d)$/;

/** The unquoted name in a `---`/`+++` line. Null for `/dev/null`, or the epoch unless `absentByTime` is off. */
export function headerName(text: ByteString, options = { absentByTime: true }): ByteString | null {
  if (text.startsWith('"')) return readQuoted(text, 0)?.name ?? text;
  const stamp = TIME_STAMP.exec(text);
  if (stamp !== null) {
    const [, day, time, hours, minutes] = stamp;
    if (options.absentByTime && Date.parse(`${day}T${time}${hours}:${minutes}`) === 0) return null;
    return text.slice(0, stamp.index);
  }
  const tab = text.indexOf('\t');
  // Subversion marks added and deleted files like this.
  if (tab >= 0 && /\t\(nonexistent\)$/.test(text)) return null;
  const name = tab < 0 ? text : text.slice(0, tab);
  return name === '/dev/null' ? null : name;
}

/** The two names of a `diff --git` line with prefixes; null if no split makes sense. */
export function gitHeaderNames(text: ByteString): readonly [ByteString, ByteString] | null {
  if (text.startsWith('"')) {
    const first = readQuoted(text, 0);
    if (first === null || text.charAt(first.end) !== ' ') return null;
    const rest = text.slice(first.end + 1);
    const second = rest.startsWith('"') ? readQuoted(rest, 0)?.name : rest;
    return second === undefined ? null : [first.name, second];
  }
  const quote = text.indexOf(' "');
  if (quote >= 0) {
    const second = readQuoted(text, quote + 1);
    if (second !== null && second.end === text.length) return [text.slice(0, quote), second.name];
  }
  // Names may contain blanks: the right one has the same name on both sides.
  for (let blank = text.indexOf(' '); blank >= 0; blank = text.indexOf(' ', blank + 1)) {
    const left = text.slice(0, blank);
    const right = text.slice(blank + 1);
    if (left === right || withoutPrefix(left) === withoutPrefix(right)) return [left, right];
  }
  const blank = text.indexOf(' ');
  return blank > 0 && text.indexOf(' ', blank + 1) < 0 ? [text.slice(0, blank), text.slice(blank + 1)] : null;
}

/** `name` without its first component. */
function withoutPrefix(name: ByteString): ByteString {
  const slash = name.indexOf('/');
  return slash < 0 ? name : name.slice(slash + 1);
}

const KNOWN_PREFIX_PAIRS = wordList('ab ba iw ci cw ow wi ic wc wo 12 21 co oc');

/** Both names without git's prefixes (`a/ b/`, `c/ i/ o/ w/`, or one differing folder). Equal names have none. */
export function stripPrefixes(
  oldName: ByteString | null,
  newName: ByteString | null,
  gitNames: readonly [ByteString, ByteString] | null,
): readonly [ByteString | null, ByteString | null] {
  const old = oldName ?? gitNames?.[0] ?? null;
  const updated = newName ?? gitNames?.[1] ?? null;
  const strip = hasPrefixes(old, updated);
  const cut = (name: ByteString | null) => (name === null || !strip ? name : withoutPrefix(name));
  return [cut(oldName), cut(newName)];
}

function hasPrefixes(old: ByteString | null, updated: ByteString | null): boolean {
  if (old === null || updated === null) return /^[ab]\//.test(old ?? updated ?? '');
  if (old === updated) return false;
  if (KNOWN_PREFIX_PAIRS.includes(prefixLetter(old) + prefixLetter(updated))) return true;
  return old.includes('/') && updated.includes('/') && withoutPrefix(old) === withoutPrefix(updated);
}

const prefixLetter = (name: ByteString): string => (name.charAt(1) === '/' ? name.charAt(0) : '?');
