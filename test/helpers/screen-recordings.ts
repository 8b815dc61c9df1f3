/** Reads the recorded screens for the tests of the screen rules. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Screen } from '../../src/responses/screens/port.ts';
import { parseStyledRows } from '../../src/tmux/core/sgr.ts';
import type { RecordingFacts } from './screen-recorder.ts';

export const SCREENS_DIR = path.join(import.meta.dirname, '../fixtures/screens');

export interface Recording {
  readonly facts: RecordingFacts;
  /** `claude-2.1.332/90/answer-code`. */
  readonly label: string;
  readonly screen: Screen;
  /** Joined history, right-trimmed as in the product; null where no answer is on the screen. */
  readonly history: readonly string[] | null;
  /** The expected result of a pull: the expected file without its header; null where there is none. */
  readonly expected: ExpectedAnswer | null;
}

interface ExpectedAnswer {
  /** The parts of the model's Markdown that the screen does not show, in words. */
  readonly lost: string;
  readonly reflowed: boolean;
  readonly lines: readonly string[];
}

const HEADER = /^<!-- lost: (.*); reflowed: (yes|no) -->\n\n/;

function readExpected(file: string): ExpectedAnswer | null {
  if (!existsSync(file)) return null;
  const text = readFileSync(file, 'utf8');
  const header = HEADER.exec(text);
  if (header === null) throw new Error(`${file}: no header that says what is lost`);
  return {
    lost: header[1] ?? '',
    reflowed: header[2] === 'yes',
    lines: text.slice(header[0].length).replace(/\n$/, '').split('\n'),
  };
}

/** The text of an expected file. */
export function formatExpected(expected: ExpectedAnswer): string {
  const { lost, reflowed, lines } = expected;
  return `<!-- lost: ${lost}; reflowed: ${reflowed ? 'yes' : 'no'} -->\n\n${lines.join('\n')}\n`;
}

/** The recording of one case; `file` is its `.json`. */
function readRecording(file: string): Recording {
  const base = file.replace(/\.json$/, '');
  const facts = JSON.parse(readFileSync(file, 'utf8')) as RecordingFacts;
  const history = existsSync(`${base}.history.txt`) ? readFileSync(`${base}.history.txt`, 'utf8') : null;
  return {
    facts,
    label: path.relative(SCREENS_DIR, base),
    screen: {
      rows: parseStyledRows(readFileSync(`${base}.ansi`, 'utf8')),
      title: facts.title,
      width: facts.columns,
      cursorRow: facts.cursorRow,
    },
    history: history?.split('\n').map((line) => line.trimEnd()) ?? null,
    expected: readExpected(`${base}.expected.md`),
  };
}

/** All recordings below a folder, by name. */
export function readRecordings(dir: string = SCREENS_DIR): readonly Recording[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => readRecording(path.join(dir, name)));
}

const GUTTER = /^[\s>❯›┃│]+/u;

/** The lines after a recording's prompt, as the product passes them to `extract`. */
export function linesAfterPrompt(recording: Recording): readonly string[] {
  const { history, facts } = recording;
  if (history === null || facts.prompt === null) return [];
  // Claude Code does not draw a marker's hashes.
  const wanted = facts.case === 'marker' ? /^(?:### )?END PROMPT$/ : null;
  const at = history.findLastIndex((line) => {
    // Text far to the right is opencode's side bar.
    const [text = ''] = line
      .replace(GUTTER, '')
      .replace(/^\/ask /, '')
      .trim()
      .split(/\s{3,}/);
    return wanted === null ? text === facts.prompt : wanted.test(text);
  });
  if (at < 0) throw new Error(`${recording.label}: the prompt is not in the history`);
  return history.slice(at + 1);
}
