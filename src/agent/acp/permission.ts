/**
 * Decides what an external agent may do without asking, and words the questions. Work on files of its copy ends up in
 * a proposal, so it needs no permission; commands, files outside the copy and the network do. Pure.
 */
import path from 'node:path';

/** The part of a call that we judge and show (ToolCall of the Agent Client Protocol). */
export interface AskedCall {
  readonly kind: string | null;
  readonly title: string;
  /** Files that it touches, as far as it says. */
  readonly locations: readonly string[];
  readonly input: unknown;
  /** Texts that describe it. */
  readonly texts: readonly string[];
  readonly diffs: readonly AskedDiff[];
}

export interface AskedDiff {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** What a user can answer. */
export const ALLOW = 'Allow';
export const ALLOW_ALL = 'Allow everything until the job ends';
export const REJECT = 'Reject';
export const ANSWERS: readonly string[] = [ALLOW, ALLOW_ALL, REJECT];

const READING = new Set(['read', 'search', 'think']);
const WRITING = new Set(['edit', 'delete', 'move']);

/** Whether the call stays within `folder`. A call that writes must name what it writes. */
export function staysInside({ kind, locations, diffs }: AskedCall, folder: string): boolean {
  const files = [...locations, ...diffs.map((diff) => diff.path)];
  if (kind === null || !(READING.has(kind) || (WRITING.has(kind) && files.length > 0))) return false;
  return files.every((file) => {
    const relative = path.relative(folder, path.resolve(folder, file));
    return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
  });
}

/** More than this of one call is not read before it is decided on; in characters. */
const SHOWN_MAX_CHARS = 20_000;

/** The call in full: what it is, and its command, its diffs or its input. */
export function callWords(call: AskedCall): string {
  const { title, texts, diffs } = call;
  const command = commandOf(call.input);
  const body = [
    ...(command === null ? [] : [command]),
    ...diffs.map(diffWords),
    ...texts,
    ...(command === null && diffs.length === 0 && texts.length === 0 ? inputWords(call.input) : []),
  ].filter((part) => part.trim() !== '' && part !== title);
  const words = [title || 'a call without a name', ...body].join('\n\n');
  const more = words.length - SHOWN_MAX_CHARS;
  return more > 0 ? `${words.slice(0, SHOWN_MAX_CHARS)}\n… ${more} more characters` : words;
}

/** The command line that a call runs; null when it runs none. */
function commandOf(input: unknown): string | null {
  if (typeof input !== 'object' || input === null || !('command' in input)) return null;
  const { command } = input;
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

function inputWords(input: unknown): readonly string[] {
  return typeof input === 'object' && input !== null && Object.keys(input).length > 0
    ? [JSON.stringify(input, null, 2)]
    : [];
}
