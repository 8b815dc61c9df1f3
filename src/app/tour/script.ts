/** What the tour's scripted AI says. Pure: a prompt in, an answer out. It never pretends to be a model. */
import { stripMarkers } from '../../lib/markers.ts';

/** Stands above the first prompt, and says what this is. */
export const TOUR_BANNER: readonly string[] = [
  'copane tour',
  '',
  'This is a SCRIPTED AI, not a real one: it knows its answers by heart,',
  'and nothing leaves this machine. No AI CLI was found on your PATH.',
  'Install one (Claude Code, Codex, Gemini CLI, opencode, pi, aider) and run',
  '"copane up" again, or "copane up -- COMMAND" for any other program.',
  '',
  'Try it: type a question here and press Enter.',
  'Then go to the companion, the other pane.',
];

const FIRST_ANSWER = `The parser loses the last line because \`end()\` never flushes:

1. \`push\` keeps an incomplete line until its newline comes.
2. \`end\` throws that line away instead of emitting it.
3. A file without a newline at its end therefore loses its last line.

\`\`\`ts
end() {
  if (this.rest !== '') this.emit(this.rest);
}
\`\`\`

(Answer 1 of the script. In the companion press \`p\` to pull it into the
draft, move with j and k, press \`o\` to write a note below a line, Esc,
then \`s\` to see exactly what would be sent, and Enter.)`;

const LAST_ANSWER = `That is the whole loop: send, pull, write between the lines, send the notes.

With a real AI CLI it is the same, and its answers come from its own session
file, byte for byte.
Press \`?\` in the companion for all keys. Leave this pane with Ctrl+D.`;

/** The answer to the `count`-th prompt (from 1). From the second on it repeats what arrived: only notes should be in it. */
export function tourAnswer(prompt: string, count: number): string {
  if (count === 1) return FIRST_ANSWER;
  const text = stripMarkers(prompt)?.text ?? prompt;
  const lines = text.split('\n');
  const echo = lines.map((line) => `  ${line}`).join('\n');
  const heard = `I received ${lines.length} ${lines.length === 1 ? 'line' : 'lines'}, and nothing of my own answer:\n\n${echo}`;
  return `${heard}\n\n${LAST_ANSWER}`;
}
