/** Decides what an external agent may do without asking, and words the questions. Pure. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isRecord } from '../../lib/is-record.ts';

/** The part of a call that is judged and shown (ToolCall of the Agent Client Protocol). */
export interface AskedCall {
  readonly kind: string | null;
  readonly title: string;
  /** The files that it touches, as far as it reports them. */
  readonly locations: readonly string[];
  readonly input: unknown;
  /** The last known command line, whatever its input is now; null: none. */
  readonly command: string | null;
  readonly texts: readonly string[];
  readonly diffs: readonly AskedDiff[];
}

/** A call without any reported details. */
export const NOTHING_KNOWN: AskedCall = {
  kind: null,
  title: '',
  locations: [],
  input: undefined,
  command: null,
  texts: [],
  diffs: [],
};

export interface AskedDiff {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** The answers a user can give. */
export const ALLOW = 'Allow';
export const ALLOW_ALL = 'Allow everything until the job ends';
export const REJECT = 'Reject';
export const ANSWERS: readonly string[] = [ALLOW, ALLOW_ALL, REJECT];

const READING = new Set(['read', 'search', 'think']);
const WRITING = new Set(['edit', 'delete', 'move']);

/** Replaces input that is too deep or too large to be judged: a call with it always asks. */
export const LEFT_OUT = { left_out: 'arguments that are nested too deep, or too many' };

/** Whether the call stays within `folder`. A writing call must name its files; one that runs a command never counts. */
export function staysInside({ kind, locations, diffs, input, command }: AskedCall, folder: string): boolean {
  // The agent itself states the kind.
  const isWriting = kind !== null && WRITING.has(kind);
  if (command !== null || input === LEFT_OUT || kind === null || !(isWriting || READING.has(kind))) {
    return false;
  }
  const files = [...locations, ...diffs.map((diff) => diff.path)];
  const given = [...argumentsOf(input)];
  return (
    (!isWriting || files.length > 0 || given.some(({ name, isPath }) => isPath && PATH_NAME.test(name))) &&
    files.every((file) => isInside(file, folder)) &&
    given.every((argument) => argumentStays(argument, folder, kind === 'edit'))
  );
}

/** Names of arguments that hold the path of a file or folder. */
const PATH_NAME = /path|file|folder|dir|cwd|ur[il]/i;
/** Names of arguments that may hold several paths. */
const GLOB_NAME = /root|glob|pattern|include/i;
/** In edits: text to write into a file, or text about it. */
const TEXT_NAME =
  /^((old|new|file|insert)_?)?(content|text|str|string)s?$|^(old|new)_?source$|^(code_?edit|description|explanation|instructions?|title|patch(_?text)?|(unified_?)?diff)$/i;
/** In snake_case, as the whole name or its last word. */
const COMMAND_NAME =
  /(^|[_-])(command|cmd|script|argv|exec|executable|program|shell|interpreter|preprocessor)s?([_-]?line)?$/;
/** An option of a program: one such as ripgrep's `--pre` runs another program. */
const OPTION = /^["'`]?--?[a-z]/i;
const SWITCH = /^-[a-z]$/i;
const OPTIONS_NAME = /arg|option|flag|param/i;
/** A longer argument is not a file name, and is not searched for one. */
const PATH_MAX_CHARS = 10_000;
/** The lines of a patch that name a file. */
const PATCHED_FILE =
  /^(?:\*\*\* (?:(?:Add|Update|Delete) File|Move to):|---|\+\+\+|rename (?:from|to)) +([^\t\r\n]+)/gm;

interface Argument {
  readonly name: string;
  readonly text: string;
  readonly isPath: boolean;
}

/** Every string in the input, keys included: some agents use paths as keys. */
function* argumentsOf(value: unknown, name = '', isPath = true): Generator<Argument> {
  if (typeof value === 'string') yield { name, text: value, isPath };
  else if (Array.isArray(value)) for (const part of value) yield* argumentsOf(part, name, isPath);
  else if (isRecord(value)) {
    for (const [key, part] of Object.entries(value)) {
      // Claude's search uses switches such as `-n` as keys.
      if (!SWITCH.test(key)) yield { name: '', text: key, isPath: false };
      const isNamed = (isPath && name !== '') || PATH_NAME.test(key) || GLOB_NAME.test(key);
      const kept = isCommandName(name) ? name : key;
      yield* argumentsOf(part, kept, isNamed && !TEXT_NAME.test(key));
    }
  }
}

const isCommandName = (name: string) =>
  COMMAND_NAME.test(name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase());

function argumentStays({ name, text, isPath }: Argument, folder: string, isEdit: boolean): boolean {
  if (isCommandName(name) && !EDITOR_COMMANDS.has(text)) return false;
  const patched = [...text.matchAll(PATCHED_FILE)].map(([, file = '']) => file.trim());
  if (!patched.every((file) => file === '/dev/null' || isInside(file, folder))) return false;
  if (isEdit && TEXT_NAME.test(name)) return true;
  const words = OPTIONS_NAME.test(name) ? text.split(/\s+/) : [text];
  if (words.some((word) => OPTION.test(word))) return false;
  if (text.length > PATH_MAX_CHARS) return false;
  if (!isInside(text, folder) || !isPath || text === folder) return isInside(text, folder);
  // A list in one string, or braces in a glob. The folder's own name may have blanks.
  const parts = (plainName(text) ?? '').replaceAll(`${folder}/`, './').split(/[\s,;:|=@"'`{([<]+/);
  // After a closing bracket the name continues: `[id]/page.tsx`, `{a,..}/b`.
  return parts.every((part) => isInside(part.replace(/[\])}>]/g, '/'), folder));
}

/** A home, a variable, an address, or `..` after a wildcard, which may match no folder. */
const UNCLEAR = /^(~|\$[{A-Z_]|[A-Za-z][A-Za-z\d+.-]*:\/\/)|^[^*]*\*.*\.\./s;

/** An ambiguous name does not count as inside. */
function isInside(name: string, folder: string): boolean {
  const file = plainName(name);
  if (file === null || UNCLEAR.test(file)) return false;
  const relative = path.relative(folder, path.resolve(folder, file));
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

/** The name without surrounding quotes, or the path of a `file:` URL; null if that has none. */
function plainName(name: string): string | null {
  const bare = name.replace(/^[\s"'`<({[@]+/, '');
  return /^file:/i.test(bare) ? fileOf(bare) : bare;
}

function fileOf(url: string): string | null {
  try {
    return fileURLToPath(url);
  } catch {
    return null;
  }
}

/** How much of a call is shown before the decision, in characters. */
const SHOWN_MAX_CHARS = 20_000;
/** A long title must not push the rest out of view. */
const TITLE_MAX_CHARS = 300;

/** The whole call: its kind, and its command, diffs or input. */
export function callWords(call: AskedCall): string {
  const { texts, diffs, command } = call;
  const body = [
    ...(command === null ? [] : [command]),
    ...diffs.map(diffWords),
    ...texts,
    ...(command === null ? inputWords(call) : []),
  ].filter((part) => part.trim() !== '' && part !== call.title);
  const title = body.length === 0 ? call.title : cutTitle(call.title);
  const words = [title || 'a call without a name', ...body].join('\n\n');
  const more = words.length - SHOWN_MAX_CHARS;
  return more > 0 ? `${words.slice(0, SHOWN_MAX_CHARS)}\n… ${more} more characters` : words;
}

function cutTitle(title: string): string {
  const line = title.replace(/\s+/g, ' ').trim();
  return line.length > TITLE_MAX_CHARS ? `${line.slice(0, TITLE_MAX_CHARS)}…` : line;
}

/** The values of `command` in the input of Anthropic's text editor tool, beside the `path` of the file. */
const EDITOR_COMMANDS = new Set(['view', 'create', 'write', 'insert', 'str_replace', 'undo_edit']);

/** The command line that a call runs; null if it runs none. */
export function commandOf(input: unknown): string | null {
  if (!isRecord(input)) return null;
  const { command, path: file } = input;
  if (typeof command === 'string' && EDITOR_COMMANDS.has(command) && typeof file === 'string') return null;
  if (Array.isArray(command)) return command.map((word) => JSON.stringify(word)).join(' ');
  return typeof command === 'string' ? command : null;
}

function diffWords({ path: file, before, after }: AskedDiff): string {
  const lines = (text: string, sign: string) =>
    text === ''
      ? []
      : text
          .replace(/\n$/, '')
          .split('\n')
          .map((line) => sign + line);
  return [file, ...lines(before, '-'), ...lines(after, '+')].join('\n');
}

/** The rest of the input beside the diffs and texts: it may be the reason for the question. */
function inputWords({ input, diffs, texts }: AskedCall): readonly string[] {
  if (input === undefined || input === null) return [];
  const isShown = (name: string, value: unknown) =>
    typeof value === 'string' && (texts.includes(value) || (diffs.length > 0 && TEXT_NAME.test(name)));
  const words = JSON.stringify(input, (name, value) => (isShown(name, value) ? undefined : value), 2);
  return words === undefined || words === '{}' ? [] : [words];
}
