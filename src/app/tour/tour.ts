/**
 * The tour's AI pane: a small line of a program that behaves as an AI CLI does (raw mode, bracketed paste, an
 * input line below a growing conversation) and answers from a script. Says at every turn that it is scripted.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sanitize } from '../../lib/sanitize.ts';
import { truncate } from '../../lib/width.ts';
import type { KeyEvent } from '../../ui/keys/key.ts';
import type { ClockPort } from '../../ui/ports.ts';
import { createTerminalInput, type InputStream, type OutputStream } from '../../ui/terminal.ts';
import { TOUR_BANNER, tourAnswer } from './script.ts';

/** Pause between two lines of an answer: slow enough to see it grow, fast enough not to wait for. */
const LINE_DELAY_MS = 60;
/** Rows of the input that are shown; a longer prompt shows its end. */
const INPUT_MAX_ROWS = 6;

export interface TourOptions {
  readonly stdin: InputStream;
  readonly stdout: OutputStream & { readonly columns?: number };
  readonly clock: ClockPort;
}

/** Runs until Ctrl+D or Ctrl+C. The terminal is given back in every case. */
export async function runTour({ stdin, stdout, clock }: TourOptions): Promise<void> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let prompt = '';
  let shownRows = 0;
  let count = 0;
  let work = Promise.resolve();

  const hideInput = () => {
    if (shownRows > 1) stdout.write(`\u001b[${shownRows - 1}A`);
    stdout.write('\r\u001b[J');
    shownRows = 0;
  };
  const showInput = () => {
    hideInput();
    const rows = gutter(prompt).slice(-INPUT_MAX_ROWS);
    shownRows = rows.length;
    const width = (stdout.columns ?? 80) - 1;
    stdout.write(rows.map((row) => truncate(sanitize(row), width)).join('\r\n'));
  };
  const answer = async (text: string) => {
    count += 1;
    hideInput();
    print(stdout, ['', ...gutter(text), '']);
    for (const line of tourAnswer(text, count).split('\n')) {
      await sleep(LINE_DELAY_MS);
      print(stdout, [line]);
    }
    print(stdout, ['']);
    showInput();
  };
  const onKey = (event: KeyEvent) => {
    if (event.kind === 'reply') return;
    if (event.kind === 'paste') prompt += event.text;
    else if (event.key === 'Ctrl+C' || event.key === 'Ctrl+D') return end();
    else if (event.key === 'Backspace') prompt = prompt.slice(0, -1);
    else if (event.key === 'Enter') {
      const text = prompt;
      prompt = '';
      if (text.trim() !== '') work = work.then(() => answer(text));
    } else prompt += event.text ?? '';
  };

  const input = createTerminalInput({
    stdin,
    stdout,
    clock,
    isAlternate: false,
    onKeys: (events) => {
      events.forEach(onKey);
      work = work.then(showInput);
    },
  });
  print(stdout, TOUR_BANNER);
  print(stdout, ['']);
  showInput();
  input.start();
  await ended;
  input.stop();
  stdout.write('\r\n');
}

/** A prompt as AI CLIs show it: a sign before the first line, the rest below it. */
function gutter(text: string): string[] {
  return text.split('\n').map((line, index) => `${index === 0 ? '❯' : ' '} ${line}`);
}

function print(stdout: OutputStream, lines: readonly string[]): void {
  for (const line of lines) stdout.write(`${line}\r\n`);
}
