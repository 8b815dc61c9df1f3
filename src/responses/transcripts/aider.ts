/**
 * aider's history: `.aider.chat.history.md` at the git root, Markdown written for people. A prompt's lines begin with
 * `#### ` and the program's with `> `; both end in two spaces. Such lines in an answer cannot be distinguished, so its
 * turn has a warning. aider trims answers before it writes them.
 */

import { existsSync } from 'node:fs';
import path from 'node:path';
import { systemProcesses } from '../../platform/process-tree.ts';
import { fileAt, spellingsOf } from './files.ts';
import { asString } from './json.ts';
import { type Dialect, JsonlSession, type Reading } from './jsonl-session.ts';
import { JsonlTail, type TailLimits } from './jsonl-tail.ts';
import type { TranscriptPlace, TranscriptReader, TranscriptRef } from './port.ts';
import { factsOf, type ToolFact, type WithFacts } from './tool-facts.ts';
import { TurnBuilder } from './turn-builder.ts';

const FILE_NAME = '.aider.chat.history.md';
const RUN = /^# aider chat started at (\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2})/;
const PROMPT = '#### ';
const OUTPUT = /^>( .*)? {2}$/;
const OUTPUT_PREFIX = '> ';
/** What aider writes for an empty line at its prompt. */
const BLANK_PROMPT = '<blank>';
const MAYBE_NOT_ALL =
  "lines that begin with `#### ` or `> ` cannot be told from prompts and messages in aider's history";

export interface AiderLine {
  readonly kind: 'line';
  readonly text: string;
}

/** The turns of the history, or of its end from the start of a run. */
export function readAider(lines: readonly WithFacts<AiderLine>[], complete: boolean): Reading {
  const firstRun = lines.findIndex((line) => line.kind === 'line' && RUN.test(line.text));
  const fromStart = complete || firstRun >= 0;
  const reader = new AiderTurns(complete);
  for (const line of lines.slice(complete ? 0 : Math.max(0, firstRun))) {
    if (line.kind === 'line') reader.line(line.text, factsOf(line));
  }
  return { ...reader.finish(), queued: [], reach: complete ? 'start' : fromStart ? 'more' : 'unsure' };
}

class AiderTurns {
  readonly #builder: TurnBuilder;
  #run = '';
  #ordinal = 0;
  #prompt: string[] = [];
  #answer: string[] = [];

  constructor(fromStart: boolean) {
    this.#builder = new TurnBuilder(fromStart);
  }

  line(text: string, facts: readonly ToolFact[]): void {
    const run = RUN.exec(text)?.[1];
    if (run !== undefined) {
      this.#flush();
      this.#run = run;
      this.#ordinal = 0;
      this.#builder.end();
    } else if (text.startsWith(PROMPT) && text.endsWith('  ')) {
      this.#flushAnswer();
      this.#prompt.push(text.slice(PROMPT.length, -2));
    } else if (OUTPUT.test(text)) {
      this.#flush();
      this.#builder.endPart();
      this.#output(text.slice(OUTPUT_PREFIX.length).trim());
      this.#builder.facts(facts);
    } else {
      this.#flushPrompt();
      this.#answer.push(text);
      if (facts.length > 0 && facts.every(({ name }) => name === 'commit')) this.#builder.facts(facts);
    }
  }

  finish(): ReturnType<TurnBuilder['finish']> {
    this.#flush();
    return this.#builder.finish();
  }

  #output(text: string): void {
    if (text.startsWith('Tokens: ')) this.#builder.end();
    else if (/^\^C/.test(text)) this.#builder.interrupt();
    else if (/^litellm\.\w+Error/.test(text)) {
      this.#builder.warn(text);
      this.#builder.end();
    }
  }

  #flush(): void {
    this.#flushPrompt();
    this.#flushAnswer();
  }

  #flushPrompt(): void {
    const text = this.#prompt.join('\n');
    this.#prompt = [];
    if (text === '' || text === BLANK_PROMPT) return;
    this.#ordinal += 1;
    const event = { id: `${this.#run}#${this.#ordinal}`, text, at: null };
    // `/exit` is no prompt; `/ask …` is one.
    if (/^[/!]/.test(text)) this.#builder.command(event);
    else this.#builder.prompt(event);
  }

  #flushAnswer(): void {
    const lines = this.#answer;
    this.#answer = [];
    const first = lines.findIndex((line) => line.trim() !== '');
    if (first === -1) return;
    const last = lines.findLastIndex((line) => line.trim() !== '');
    const kept = lines.slice(first, last + 1);
    this.#builder.text(kept.join('\n'), 'unknown');
    if (kept.some((line) => line.startsWith(PROMPT) || line.startsWith(OUTPUT_PREFIX)))
      this.#builder.warn(MAYBE_NOT_ALL);
  }
}

const aiderDialect: Dialect<AiderLine> = {
  isText: true,
  facts: aiderFacts,
  parse: (value) => (typeof value === 'string' ? { kind: 'line', text: value } : null),
  read: readAider,
};

/** The reader of aider's history. */
export function createAiderReader(limits: TailLimits = {}): TranscriptReader {
  return {
    cli: 'aider',
    find: findHistory,
    open: (ref, open) => {
      const tail = new JsonlTail(ref.path, { ...limits, keepBlankLines: true });
      return new JsonlSession(ref, aiderDialect, tail, open);
    },
  };
}

async function findHistory(place: TranscriptPlace): Promise<readonly TranscriptRef[]> {
  const named = place.env.AIDER_CHAT_HISTORY_FILE;
  const [cwd = place.cwd] = await spellingsOf(place.cwd);
  const file = await fileAt(named ? path.resolve(cwd, named) : path.join(gitRootOf(cwd), FILE_NAME));
  if (file === null) return [];
  const others = await Promise.all((place.others ?? []).map((pid) => systemProcesses.cwd(pid)));
  const isShared = others.some((other) => other !== null && gitRootOf(other) === gitRootOf(cwd));
  return [
    {
      cli: 'aider',
      path: file.path,
      sessionId: file.path,
      tie: 'folder',
      modifiedAt: file.modifiedAt,
      isShared,
    },
  ];
}

/** The nearest folder above with a `.git`; the folder itself outside of git. */
function gitRootOf(cwd: string): string {
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, '.git'))) return folder;
    if (folder === path.dirname(folder)) return cwd;
  }
}

/** The start of each kind of line; the rest is the value. */
const LINES: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['dirty', /^> Committing (.+) before applying edits\. {0,2}$/],
  ['commit', /^> Commit ([0-9a-f]{7,40}) /],
  ['edit', /^> Applied edit to (.+?) {0,2}$/],
  ['refused', /^> Skipping edits to (.+?) {0,2}$/],
  ['failed', /^> # (\d+) SEARCH\/REPLACE blocks? failed to match/],
  ['command', /^> Running (.+?) {0,2}$/],
  ['undone', /^> Removed: ([0-9a-f]{7,40}) /],
];

/** Empty for every other line. aider's lines end in two blanks; a commit's longer message is not `isWhole`. */
function aiderFacts(value: unknown): readonly ToolFact[] {
  const line = asString(value) ?? '';
  for (const [name, pattern] of LINES) {
    const [, rest] = pattern.exec(line) ?? [];
    if (rest !== undefined)
      return [{ kind: 'mark', id: '', name, at: null, value: { rest, isWhole: line.endsWith('  ') } }];
  }
  return [];
}
