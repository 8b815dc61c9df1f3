/** The text of the tour's scripted AI. Pure: a prompt in, an answer out. It never pretends to be a model. */
import { stripMarkers } from '../../lib/markers.ts';

/** The banner above the first prompt. All text here is wrapped for 60 columns, as the companion shows it too. */
export const TOUR_BANNER: readonly string[] = [
  'copane tour',
  '',
  'This is a SCRIPTED AI, not a real one: it knows its answers',
  'by heart, and nothing leaves this machine. No AI CLI was',
  'found on your PATH. Install one (Claude Code, Codex,',
  'Gemini CLI, opencode, pi, aider) and run "copane up" again,',
  'or "copane up -- COMMAND" for any other program.',
  '',
  'What to do next is above the input line.',
];

/** The visitor's progress. */
export type TourStep = 'ask' | 'note' | 'review' | 'done';

/** The next instruction, shown until it is done. `prefix` is tmux's prefix key as shown to users. */
export function tourNext(step: TourStep, prefix: string): string {
  switch (step) {
    case 'ask':
      return 'Next: type a question here, and press Enter.';
    case 'note':
      return `Next: press ${prefix}, then o: that is the way to the companion and back. There Enter opens the answer, o writes a note below a line (Esc ends it), s shows what would go out, Enter sends it.`;
    case 'review':
      return `Next: in the companion (${prefix}, then o) press 2, then Enter. There a accepts a hunk, r rejects it; then Enter and y finish the review.`;
    case 'done':
      return 'That was all. Ctrl+D leaves the tour.';
  }
}

const FIRST_ANSWER = `The parser loses the last line: \`end()\` never flushes.

1. \`push\` keeps an incomplete line until its newline comes.
2. \`end\` throws that line away instead of emitting it.
3. So a file that ends without a newline loses a line.

\`\`\`ts
end() {
  if (this.rest !== '') this.emit(this.rest);
}
\`\`\`

(Answer 1 of the script. In the companion press Enter to
read it, move with j and k, press \`o\` to write a note below
a line, Esc, then \`s\` to see exactly what would be sent,
and Enter.)`;

const REVIEW_LEAD = `Now the other half: the review. While you wrote I changed
a file (by heart, like my words; what follows is the real
review).`;

/** The second part of the tour: the offered change, and which keys to press. */
export function tourOffer({ folder, sandbox, hunks }: Offered): string {
  return `${REVIEW_LEAD}

Your working copy, a throw-away git repository:
  ${folder}
My sandbox, a worktree of it. I work there; your files stay
as they are:
  ${sandbox}

I have published ${hunks} hunks. In the companion press 2,
then Enter: the Review screen. There \`a\` accepts a hunk
and writes it into the repository at once, \`r\` rejects it
and takes it out of my sandbox too, \`u\` takes a decision
back. One hunk fixes the mistake, the other one nobody asked
for. Enter, then y finishes the review.`;
}

interface Offered {
  readonly folder: string;
  readonly sandbox: string;
  readonly hunks: number;
}

/** The message when the review part is left out, and why. */
export function tourWithoutReview(why: string): string {
  return `The review part of the tour is left out here: ${why}\n\n${LAST_WORDS}`;
}

/** The scripted AI's answer to the reviewer's decisions. */
export function tourReply(words: string, ended: 'finalized' | 'discarded' | null): string {
  const repeated =
    words === ''
      ? ''
      : `I was told:\n\n${words
          .split('\n')
          .map((line) => `  ${line}`)
          .join('\n')}\n`;
  if (ended === null) return repeated;
  const how = ended === 'finalized' ? 'The review is complete.' : 'The suggestion was discarded.';
  return `${repeated}${repeated === '' ? '' : '\n'}${how} The example goes\naway with this tour.\n\n${LAST_WORDS}`;
}

const LAST_WORDS = `That is the whole loop: ask, write between the lines of the
answer, send the notes; and review what the AI changed.

With a real AI CLI it is the same, and its answers come from
its own session file, byte for byte. To give it a place to
work in: copane sandbox new NAME.
Press \`?\` in the companion for all keys.`;

/** The answer to the `count`-th prompt. From the second on it repeats the prompt, which should hold only notes. */
export function tourAnswer(prompt: string, count: number): string {
  if (count === 1) return FIRST_ANSWER;
  const text = stripMarkers(prompt)?.text ?? prompt;
  const lines = text.split('\n');
  const echo = lines.map((line) => `  ${line}`).join('\n');
  return `I received ${lines.length} ${lines.length === 1 ? 'line' : 'lines'}, and nothing of my own answer:\n\n${echo}`;
}
