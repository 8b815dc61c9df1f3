/** Turns `# find the ten largest files` into a question for a language model, and its answer into one command line. */
import { parseRecord } from '../../lib/parse-json.ts';
import { fail, ok, type Result } from '../../lib/result.ts';
import { hasSecret } from '../../lib/secrets/secrets.ts';
import { commandWords, tokenize } from './tokens.ts';

export interface ModelQuestion {
  readonly system: string;
  readonly text: string;
}

/** The existing commands, as far as shells have reported them. */
export interface CommandNames {
  readonly exists: (name: string) => boolean;
  readonly isUnknown: (name: string) => boolean;
}

/** A longer line is a script, and no longer readable in one look. */
const COMMAND_MAX_CHARS = 1_000;
/** How much of a model's words instead of a command is shown. */
const QUOTED_MAX_CHARS = 120;

/** The description in a line: the text after `#` and a blank. Null for any other line. */
export function descriptionIn(line: string): string | null {
  return /^#[ \t]+(\S[^\n]*)$/.exec(line)?.[1]?.trimEnd() ?? null;
}

const SECRET_WORD =
  /\b(?:pass(?:word|phrase|code|wd)?|pwd|pin|otp|(?:auth |access )?token|(?:client )?secret|(?:api|access|secret)[ -]key|credentials?)\b/
    .source;
/** In prose, secrets look different from those in commands: "password hunter2", "the token is …". */
const SPOKEN_SECRETS: readonly RegExp[] = [
  new RegExp(`${SECRET_WORD}['")]*(?:\\s+|\\s*[=:]\\s*)(?:["'\`]\\S|(?=\\S*[\\d@$!%^&*])\\S{4})`, 'i'),
  new RegExp(
    `${SECRET_WORD}['")]*\\s*(?:[=:]|\\b(?:is|be)\\b)\\s*(?!(?:an?|the|not|in|on|set|required|needed|empty|valid|wrong|correct|known|missing|stored|used|long)\\b)\\S`,
    'i',
  ),
  new RegExp(
    `${SECRET_WORD}\\b.*\\b(?:to|as)\\s+(?!(?:stdin|stdout|disk|file|clipboard|expire|it)\\b)\\S+$`,
    'i',
  ),
];

/** Whether a description may be sent to a model. One with a secret is not sent redacted: its command could not run. */
export function isTellableDescription(description: string): boolean {
  return !hasSecret(description) && !SPOKEN_SECRETS.some((pattern) => pattern.test(description));
}

/** The question for a description, with nothing else: no folder, no history. `system`: the operating system's name. */
export function questionFor(description: string, system: string): ModelQuestion {
  return {
    system: `You write command lines for zsh on ${system}. The user describes a task. Answer with one command line that does it, on one line, and with nothing else: no explanation, no Markdown, no prompt sign. Use programs that are usually installed. If no command line can do it, answer "NO: " and the reason in one short sentence.`,
    text: description,
  };
}

/** The one command in a model's answer. */
export function commandOf(answer: string, names: CommandNames): Result<string> {
  const words = answer.replace(/^[\s\S]*<\/think(?:ing)?>|<think(?:ing)?>[\s\S]*$/g, '').trim();
  if (words === '') return refused('The model gave no answer.');
  const no = /^NO\b[\s:.,]*(.*)/.exec(words);
  if (no !== null) return refused(`The model knows no command: ${quoted(no[1] || 'it gave no reason')}`);
  const block = fieldOf(blockOf(words) ?? words) ?? blockOf(words);
  const lines = commandLines(block ?? words);
  const [line] = lines;
  if (line === undefined) return refused('The model wrote no command.');
  if (lines.length === 1 && (block !== null || isCommand(line, names))) return checked(line, names);
  const spans = block === null ? codeSpans(words, names) : [];
  const [span] = spans;
  if (span !== undefined && spans.length === 1) return checked(span, names);
  if (block === null && !lines.every((one) => isCommand(one, names)))
    return refused(`The model answered in prose: ${quoted(words)}`);
  return refused('The model wrote several commands: ask for one step.');
}

/** The field `command` of a model that answers in JSON. */
function fieldOf(text: string): string | null {
  const { command } = parseRecord(text.trim()) ?? {};
  return typeof command === 'string' ? command : null;
}

/** The first code block; null if there is none. An unclosed one ends with the answer. */
function blockOf(words: string): string | null {
  const found = /(?:^|\n)[ \t]*(```|~~~)[^\n`]*(?=\n)((?:\n(?![ \t]*\1)[^\n]*)*)/.exec(words);
  if (found !== null) return found[2] ?? '';
  const inline = /```(?:(?:bash|sh|zsh|shell|console|fish|text)\s)?([^`]+)```/.exec(words);
  return inline?.[1] ?? null;
}

const PROMPT = /^(?:[$%❯>]|\w+@[\w.-]+:\S*[$#])\s+/;

/** Lines with one command each: joins continued lines and constructs, and removes comments and prompt signs. */
function commandLines(text: string): readonly string[] {
  const all = text.replace(/\\\r?\n[ \t]*/g, '').split(/\r?\n/);
  const kept = all.map((line) => line.trim()).filter((line) => line !== '' && !/^#(?:\s|!|$)/.test(line));
  const prompted = kept.filter((line) => PROMPT.test(line));
  // If there are prompt signs, only the lines with one are commands; the others are output.
  const lines = (prompted.length > 0 ? prompted : kept).map((line) => unquoted(line.replace(PROMPT, '')));
  const joined: string[] = [];
  for (const line of lines) {
    const before = joined.at(-1);
    if (before === undefined || !(/(?:\||&&)$/.test(before) || /^(?:\||&&)/.test(line))) joined.push(line);
    else joined[joined.length - 1] = `${before} ${line}`;
  }
  return asOneConstruct(joined) ?? joined;
}

const unquoted = (line: string): string => /^`([^`]+)`$/.exec(line)?.[1]?.trim() ?? line;

const CONSTRUCTS: ReadonlyMap<string, RegExp> = new Map([
  ['for', /\bdone\b[^;]*$/],
  ['while', /\bdone\b[^;]*$/],
  ['until', /\bdone\b[^;]*$/],
  ['if', /\bfi\b[^;]*$/],
  ['{', /\}[^;]*$/],
  ['(', /\)[^;]*$/],
]);

/** A loop over several lines as one line; null if the lines are no such construct. */
function asOneConstruct(lines: readonly string[]): readonly string[] | null {
  const [first = '', ...rest] = lines;
  const end = CONSTRUCTS.get(/^(?:[a-z]+\b|[{(])/.exec(first)?.[0] ?? '');
  if (end === undefined || rest.length === 0 || !end.test(rest.at(-1) ?? '')) return null;
  return [
    rest.reduce(
      (line, next) => line + (/(?:\b(?:do|then|else)|[{(;|])$/.test(line) ? ' ' : '; ') + next,
      first,
    ),
  ];
}

/** Inline code in prose that is a command with arguments, without duplicates. */
function codeSpans(words: string, names: CommandNames): readonly string[] {
  const spans = [...words.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span.trim().replace(PROMPT, ''));
  return [...new Set(spans.filter((span) => /\s/.test(span) && isCommand(span, names)))];
}

const SYNTAX = /^(?:for|while|until|if|case|repeat|select|function|\[\[|\{|\(|!|[./~$])/;

/** Words that begin sentences as well as command lines. */
const ENGLISH =
  /^(?:which|who|when|where|find|make|look|time|test|open|install|write|cut|split|join|link|let)$/;
const SENTENCE = /^[\w',;:?! ]+(?: [\w',;:?!]+){3,}[.?!]/;

/** Whether a line looks like a command and not like a sentence. */
function isCommand(line: string, names: CommandNames): boolean {
  const [name = ''] = commandWords(line.split(/\s+/));
  if (ENGLISH.test(name) && SENTENCE.test(line)) return false;
  if (names.exists(name) || SYNTAX.test(name)) return true;
  const isName =
    /^[a-z0-9][\w.+-]*$/.test(name) && !/^(?:to|you|here|this|use|run|sorry|sure|the)$/.test(name);
  return isName && !/[a-z][.!?:]$/.test(line);
}

function checked(line: string, names: CommandNames): Result<string> {
  if (line.length > COMMAND_MAX_CHARS)
    return refused('The model wrote a line that is too long for one command.');
  if (/[\u0000-\u001f\u007f-\u009f█]/.test(line))
    return refused('The model wrote control characters into the command.');
  if (!isCommand(line, names)) return refused(`The model answered in prose: ${quoted(line)}`);
  if (tokenize(line).some(({ open }) => open))
    return refused(`The model wrote an unfinished command: ${quoted(line)}`);
  const [name = ''] = commandWords(line.split(/\s+/));
  if (names.isUnknown(name)) return refused(`${name} is not installed; the model wrote: ${quoted(line)}`);
  return ok(line);
}

const refused = (message: string) => fail('refused', message);

function quoted(text: string): string {
  const line = text.replace(/[\u0000-\u0020\u007f-\u009f]+/g, ' ').trim();
  return line.length > QUOTED_MAX_CHARS ? `${line.slice(0, QUOTED_MAX_CHARS)}…` : line;
}
