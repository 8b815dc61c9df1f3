/**
 * An unknown program, recognized by markers. The text after the prompt is the answer, except a shell prompt or an empty
 * input line at the very end. For an AI CLI that is only visible (over ssh, in a container, in another tmux), dialogs
 * are recognized by their looks, so that no text is typed into one, and Claude Code by its input box.
 */
import type { ScreenReading } from '../../protocol/screen.ts';
import { claudeScreen } from './claude.ts';
import { codexScreen } from './codex.ts';
import { geminiScreen } from './gemini.ts';
import { opencodeScreen } from './opencode.ts';
import type { Screen, ScreenRules } from './port.ts';
import {
  findUp,
  isNumberedOption,
  isPointedOption,
  isRule,
  readingOf,
  saysDialogKeys,
  trimBlankLines,
  trimmedRows,
  withoutFrame,
} from './shared.ts';
import type { Unwrapped } from './unwrap.ts';

/** `user@host:~/dir$`, `[user@host dir]#`: certainly a waiting shell. A bare `$` or `%` may belong to the answer. */
const SHELL_PROMPT = /^(?:\([\w.-]+\) )?\[?[\w.-]+@[\w.-]+[: ][^\n]*?[$#%](?= |$)/;

/** A sign that is only used as a prompt, alone on its line: an empty input line. */
const EMPTY_INPUT = /^[❯›➜»]$/;

/** A row that takes input, possibly with a name in it: `>>> `, `aichat> `, `You: `. */
const INPUT_SIGN = /^\s*(?:(?:[>❯›➜»$#%]|>>>|\w[\w.-]*>)(?:\s|$)|\w[\w.-]*:$)/;

const isInput = (text: string): boolean => INPUT_SIGN.test(text.trimEnd()) || SHELL_PROMPT.test(text);

/** A prompt without text after it. */
const isPrompt = (line: string): boolean =>
  (SHELL_PROMPT.test(line) && /[$#%]$/.test(line)) || EMPTY_INPUT.test(line.trim());

const SEEN: readonly ScreenRules[] = [claudeScreen, codexScreen, geminiScreen, opencodeScreen];
/** Names of keys in a narrow pane, the lower edge of a frame, the status line of an inner tmux. */
const MAX_ROWS_BELOW = 8;
/** The parts that identify a dialog: its answers, its pointer, its key names. */
const isPart = (text: string) =>
  isNumberedOption(text) || isPointedOption(text) || saysDialogKeys(text) || /⇆|↑↓/.test(text);

/** A dialog at the end of the screen, with no input line below it: elsewhere it could be part of an answer. */
function dialogOf(screen: Screen): ScreenReading | undefined {
  const rows = trimmedRows(screen);
  const end = findUp(rows, rows.length - 1, isPart);
  const below = rows.slice(end + 1).filter(({ text }) => withoutFrame(text).trim() !== '');
  if (end < 0 || below.length > MAX_ROWS_BELOW || below.some(({ text }) => isInput(text))) return;
  const isDialog = ({ choice }: ScreenReading) => choice?.pointed != null && choice.options.length > 1;
  return SEEN.map((rules) => rules.read(screen)).find(isDialog);
}

/** Claude Code's input box: its sign between two rules, followed by a no-break space. */
function hasClaudeBox(lines: readonly string[]): boolean {
  const sign = lines.findLastIndex((line) => /^❯(?:\u00a0|$)/.test(line));
  return sign > 0 && isRule(lines[sign - 1] ?? '') && lines.slice(sign + 1).some(isRule);
}

function read(screen: Screen): ScreenReading {
  if (hasClaudeBox(screen.rows.map(({ text }) => text))) return claudeScreen.read(screen);
  return dialogOf(screen) ?? readingOf('unknown', { kind: 'absent' });
}

function extract(lines: readonly string[], width: number): Unwrapped {
  if (hasClaudeBox(lines.map((line) => line.trimEnd()))) return claudeScreen.extract(lines, width);
  const text = trimBlankLines(lines);
  const last = text.at(-1) ?? '';
  return {
    lines: isPrompt(last) ? trimBlankLines(text.slice(0, -1)) : text,
    reflowed: false,
  };
}

export const genericScreen: ScreenRules = { read, extract };
