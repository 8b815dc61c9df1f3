/**
 * The tour's AI pane behaves like an AI CLI (raw mode, bracketed paste, an input line at the end), but answers from a
 * script, and says so at every turn. The review in which it offers a change is real.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { sanitize } from '../../lib/sanitize.ts';
import type { Timers } from '../../lib/scheduler.ts';
import { truncate } from '../../lib/width.ts';
import { createTerminalInput, type InputStream, type OutputStream } from '../../ui/app/terminal.ts';
import type { KeyEvent } from '../../ui/kit/keys/key.ts';
import { wrapWords } from '../../ui/kit/row.ts';
import {
  TOUR_BANNER,
  type TourStep,
  tourAnswer,
  tourNext,
  tourOffer,
  tourReply,
  tourWithoutReview,
} from './script.ts';
import type { TourReview } from './tour-review.ts';
import type { TourSession } from './tour-session.ts';

/** The pause between two lines of an answer: slow enough to see it grow, fast enough not to wait for. */
const LINE_DELAY_MS = 60;
/** Rows shown of the input; a longer prompt shows its end. */
const INPUT_MAX_ROWS = 6;
/** The number of the prompt whose answer offers a change. */
const REVIEW_AT = 2;

/** The abort reason when the terminal was closed. */
export const TERMINAL_GONE = 'the terminal is gone';

export interface TourOptions {
  readonly stdin: InputStream;
  readonly stdout: OutputStream & { readonly columns?: number };
  readonly clock: Timers;
  readonly review: TourReview;
  readonly session: TourSession;
  /** tmux's prefix key as shown to users. */
  readonly prefix: string;
  /** Ends the tour; with `TERMINAL_GONE` as reason the terminal is not restored. */
  readonly signal: AbortSignal;
}

/** Runs until Ctrl+D, Ctrl+C or the signal. Restores the terminal in every case. */
export async function runTour(options: TourOptions): Promise<void> {
  const pane = new TourPane(options);
  try {
    await pane.run();
  } finally {
    options.session.close();
    await options.review.close();
  }
}

class TourPane {
  readonly #options: TourOptions;
  readonly #ended = Promise.withResolvers<void>();
  #prompt = '';
  #shownRows = 0;
  #count = 0;
  #step: TourStep = 'ask';
  /** Serializes the output. */
  #work: Promise<void> = Promise.resolve();

  constructor(options: TourOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    const { stdin, stdout, clock, review, signal } = this.#options;
    const input = createTerminalInput({
      stdin,
      stdout,
      clock,
      isAlternate: false,
      onKeys: (events) => {
        for (const event of events) this.#onKey(event);
        this.#do(async () => this.#showInput());
      },
    });
    signal.addEventListener('abort', () => this.#ended.resolve(), { once: true });
    review.onReport(({ words, ended }) => {
      if (ended !== null) this.#step = 'done';
      this.#do(() => this.#say(tourReply(words, ended)));
    });
    // First, so that input typed right after the banner is read as keys.
    input.start();
    print(stdout, TOUR_BANNER);
    print(stdout, ['']);
    this.#showInput();
    await this.#ended.promise;
    if (signal.reason === TERMINAL_GONE) return;
    input.stop();
    stdout.write('\r\n');
  }

  #do(work: () => Promise<void>): void {
    this.#work = this.#work.then(work);
  }

  #onKey(event: KeyEvent): void {
    if (event.kind === 'reply') return;
    if (event.kind === 'paste') this.#prompt += event.text;
    else if (event.key === 'Ctrl+C' || event.key === 'Ctrl+D') this.#ended.resolve();
    else if (event.key === 'Backspace') this.#prompt = this.#prompt.slice(0, -1);
    else if (event.key === 'Enter') {
      const text = this.#prompt;
      this.#prompt = '';
      if (text.trim() !== '') this.#do(() => this.#answer(text));
    } else this.#prompt += event.text ?? '';
  }

  async #answer(text: string): Promise<void> {
    this.#count += 1;
    this.#hideInput();
    const { stdout, clock, session, review } = this.#options;
    session.prompt(text, clock.now());
    print(stdout, ['', ...gutter(text), '']);
    const answer = tourAnswer(text, this.#count);
    const [offered, step] = await this.#offer(this.#count, review);
    const reply = [answer, ...offered].join('\n\n');
    this.#step = step;
    session.answer(reply);
    await this.#say(reply);
  }

  /** Offers the change with the second answer: the text, and the next step. */
  async #offer(count: number, review: TourReview): Promise<readonly [readonly string[], TourStep]> {
    if (count < REVIEW_AT) return [[], 'note'];
    if (count > REVIEW_AT) return [[], this.#step];
    const offered = await review.offer();
    return offered.ok
      ? [[tourOffer(offered.value)], 'review']
      : [[tourWithoutReview(offered.error.message)], 'done'];
  }

  /** Prints line by line, like a streamed answer. */
  async #say(text: string): Promise<void> {
    if (text === '') return;
    this.#hideInput();
    for (const line of text.split('\n')) {
      await sleep(LINE_DELAY_MS);
      print(this.#options.stdout, [sanitize(line)]);
    }
    print(this.#options.stdout, ['']);
    this.#showInput();
  }

  #hideInput(): void {
    const { stdout } = this.#options;
    if (this.#shownRows > 1) stdout.write(`\u001b[${this.#shownRows - 1}A`);
    stdout.write('\r\u001b[J');
    this.#shownRows = 0;
  }

  #showInput(): void {
    const { stdout, prefix } = this.#options;
    this.#hideInput();
    const width = (stdout.columns ?? 80) - 1;
    const next = wrapWords(tourNext(this.#step, prefix), width).map((row) =>
      row.map(({ text }) => text).join(''),
    );
    const rows = [...next, '─'.repeat(width), ...gutter(this.#prompt).slice(-INPUT_MAX_ROWS)];
    this.#shownRows = rows.length;
    stdout.write(rows.map((row) => truncate(sanitize(row), width)).join('\r\n'));
  }
}

/** Formats a prompt as AI CLIs show it: a sign before the first line, the rest indented. */
function gutter(text: string): string[] {
  return text.split('\n').map((line, index) => `${index === 0 ? '❯' : ' '} ${line}`);
}

function print(stdout: OutputStream, lines: readonly string[]): void {
  for (const line of lines) stdout.write(`${line}\r\n`);
}
