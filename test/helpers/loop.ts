/** The whole loop by keys: ask twice, pull the answer, write three notes between its lines, send only the notes. */
import { CompanionPane, type CompanionPlace } from './companion-pane.ts';
import type { PrivateTmux } from './private-tmux.ts';

export const FIRST_QUESTION = 'Question one, please.';
export const SECOND_QUESTION = 'Question two, please.';
export const FIRST_ANSWER = 'The first answer is short.';
export const SECOND_ANSWER = [
  'The cause is the missing flush:',
  '',
  '1. `push` keeps an incomplete line.',
  '2. `end` never emits it.',
  '',
  '```ts',
  'end() { this.flush(); }',
  '```',
].join('\n');
export const NOTES = ['what about CRLF?', 'who calls end()?', 'add a test for 漢字 🙂'] as const;

/** Exactly what must arrive. */
export const NOTES_SENT = NOTES.join('\n');

/** Runs the loop; the caller then checks what arrived. */
export async function runLoop(tmux: PrivateTmux, place: CompanionPlace): Promise<CompanionPane> {
  const companion = await CompanionPane.open(tmux, place);
  for (const [question, answer] of [
    [FIRST_QUESTION, 'first answer'],
    [SECOND_QUESTION, 'missing flush'],
  ] as const) {
    await companion.note(question);
    await companion.send();
    // A pull is refused while the answer is written, though its words may be shown already.
    const isWhole = (screen: string) => screen.includes(answer) && !/streaming|working/.test(screen);
    await companion.until(`the answer "${answer}"`, isWhole, 40_000);
  }
  await companion.keys('p');
  // Once in the reading view and once in the draft; a later message may have replaced this one.
  await companion.until('the pull', (screen) => screen.split('missing flush').length > 2);
  for (const note of NOTES) {
    await companion.note(note);
    await companion.keys('j');
  }
  await companion.send();
  return companion;
}
