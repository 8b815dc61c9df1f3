/** Writes the prompt for a language model, secrets replaced, stable parts first for its cache. Sends nothing itself. */
import { hasSecret, REDACTED, redact } from '../../lib/secrets/secrets.ts';
import type { Query } from './suggestion.ts';

/** The known context of the line. */
export interface PromptFacts {
  /** The user's commands in this folder, oldest first. */
  readonly habits: readonly string[];
  /** The shell's last commands, oldest first. */
  readonly recent: readonly string[];
}

/** The question. The model continues after `before` + `typed`; its answer starts with `typed` again. */
export interface ModelPrompt {
  /** The transcript up to the word under the cursor, without the blank before it. */
  readonly before: string;
  /** The typed part of the word: models tokenize whole words and continue half a word badly. */
  readonly typed: string;
  /** Left and right of the cursor. */
  readonly left: string;
  readonly right: string;
}

/** With fewer characters every command is still possible. */
const MIN_TYPED_CHARS = 3;
const MAX_LINE_CHARS = 300;
const MAX_HABITS = 24;
const MAX_RECENT = 8;

/** Programs that ask for a secret on the line or the terminal: their lines are not sent to models. */
const DISCREET = /\b(?:sudo\s+-S|read\s+-\w*s|ssh-keygen|gpg\s|pass\s|passwd|htpasswd|sshpass|openssl)\b/;

/** Whether this line may be sent to a model. One with a secret is not even sent redacted: no answer could be shown. */
export function isTellable(query: Query): boolean {
  const { line, cursor } = query;
  return (
    line.slice(0, cursor).trimStart().length >= MIN_TYPED_CHARS &&
    line.length <= MAX_LINE_CHARS &&
    !line.startsWith(' ') &&
    !line.includes('\n') &&
    !DISCREET.test(line) &&
    !hasSecret(line)
  );
}

/** The prompt for `query`. */
export function buildPrompt(query: Query, facts: PromptFacts): ModelPrompt {
  const left = query.line.slice(0, query.cursor);
  const lines = [
    ...facts.habits.slice(-MAX_HABITS),
    `cd ${redact(query.cwd)}`,
    ...facts.recent.slice(-MAX_RECENT),
  ].flatMap((line) => {
    const shown = redact(line);
    return line.includes('\n') || line.length > MAX_LINE_CHARS || shown === REDACTED ? [] : [`$ ${shown}`];
  });
  const whole = `$ ${left}`;
  const cut = whole.search(/[ \t]+[^ \t]*$/);
  return {
    before: [...lines, whole.slice(0, cut)].join('\n'),
    typed: whole.slice(cut),
    left,
    right: query.line.slice(query.cursor),
  };
}

/** A grammar (GBNF) that makes a model repeat `typed` and complete one line; only the line end makes it stop. */
export function grammarFor(typed: string): string {
  const literal = typed.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\t', '\\t');
  return `root ::= "${literal}" [^\\x00-\\x1f]{0,160} "\\n"\n`;
}

/** Instructions for models that chat. */
export const CHAT_RULES =
  'You complete command lines of zsh. The user shows a transcript of a shell whose last line is unfinished; ' +
  'the cursor is marked by ▮. Answer with that one line, complete, without the mark, the prompt sign, quotes or comments.';

export const chatMessage = ({ before, typed, right }: ModelPrompt): string => `${before}${typed}▮${right}`;

/** How to read an answer: it continues after the cursor, repeats the typed part of the word, or is the whole line. */
export type AnswerForm = 'rest' | 'typed' | 'line';

/** The line that a model's answer gives; null if it does not continue what is typed. */
export function lineOfAnswer(answer: string, form: AnswerForm, prompt: ModelPrompt): string | null {
  const { left, right, typed } = prompt;
  const [first = ''] = (form === 'line' ? withoutFence(answer) : answer).split(/[\r\n]/);
  if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f█▮]/.test(first)) return null;
  let grown: string;
  if (form === 'rest') grown = left + first;
  else if (form === 'typed') {
    if (!first.startsWith(typed)) return null;
    grown = left + first.slice(typed.length);
  } else {
    const line = first
      .trim()
      .replace(/^[$%❯>]\s+/, '')
      .replace(/^`(.*)`$/, '$1');
    if (!line.startsWith(left)) return null;
    grown = right !== '' && line.endsWith(right) ? line.slice(0, line.length - right.length) : line;
  }
  const added = grown.slice(left.length).trimEnd();
  if (added.trim() === '' || added.length > MAX_LINE_CHARS) return null;
  return left + added + right;
}

function withoutFence(answer: string): string {
  const lines = answer.trim().split('\n');
  return (lines[0]?.startsWith('```') ? lines.slice(1) : lines).join('\n');
}
