/**
 * Whether a prompt that a CLI tells is a text that was sent to it. Forgives what a CLI does to white space and nothing
 * else. Pure.
 */
import { IMAGE_LINE } from '../../lib/marker-policy.ts';
import { stripMarkers } from '../../lib/markers.ts';

/** Control characters that are not white space: they are taken out before a paste, or by the CLI after it. */
const CONTROL = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f]/g;

/** A prompt reduced to what every CLI keeps of it: no markers, no control characters, no white space. */
export function promptKey(prompt: string): string {
  return (stripMarkers(prompt)?.text ?? prompt).normalize('NFC').replace(CONTROL, '').replace(/\s+/gu, '');
}

/** Whether a prompt that a CLI says it took is `text`. */
export function isSameText(prompt: string | null, text: string): boolean {
  const key = promptKey(text);
  return prompt !== null && key !== '' && holds(prompt, text, key);
}

/** A picture in a prompt: what a CLI writes in place of the line with its path. */
const PICTURE = /\[Image #\d+\]/g;

function withoutPictures(text: string): string {
  return promptKey(
    text
      .split('\n')
      .filter((line) => !IMAGE_LINE.test(line))
      .join('\n')
      .replace(PICTURE, ''),
  );
}

/** What an editor puts before the human's words for Codex, which tells them without it. */
const EDITOR_CONTEXT = /^# Context from my IDE setup:[\s\S]*?\n## My request for Codex:\n/;

/** A prompt without what an editor put before it. A human who writes the same words is read as the editor. */
export const withoutEditorContext = (text: string): string => text.replace(EDITOR_CONTEXT, '');

/** Equal, or one of several prompts that a CLI handed over together, each on lines of its own. */
export function holds(prompt: string, text: string, key: string): boolean {
  const own = promptKey(prompt);
  if (own === key || own === promptKey(withoutEditorContext(text))) return true;
  if (prompt.search(PICTURE) >= 0 && withoutPictures(prompt) === withoutPictures(text)) return true;
  const lines = prompt.split(/\r\n|\r|\n/).map(promptKey);
  const sent = (stripMarkers(text)?.text ?? text)
    .trim()
    .split(/\r\n|\r|\n/)
    .map(promptKey);
  return lines.some((_, start) => sent.every((line, offset) => lines[start + offset] === line));
}
