/** Compares a prompt that a CLI reports with a sent text, ignoring white space. Pure. */
import { IMAGE_LINE } from '../../lib/marker-policy.ts';
import { stripMarkers } from '../../lib/markers.ts';
import { squeeze } from '../../lib/squeeze.ts';

/** Control characters other than white space, which we remove before a paste, or the CLI after it. */
const CONTROL = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f]/g;

/** A prompt reduced to what every CLI keeps: without markers, control characters and white space. */
export function promptKey(prompt: string): string {
  return squeeze((stripMarkers(prompt)?.text ?? prompt).normalize('NFC').replace(CONTROL, ''));
}

/** Whether a prompt that a CLI reports is `text`. */
export function isSameText(prompt: string | null, text: string): boolean {
  const key = promptKey(text);
  return prompt !== null && key !== '' && holds(prompt, text, key);
}

/** What a CLI writes in place of the path of an image. */
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

/** An editor's context before the user's prompt to Codex, which reports the prompt without it. */
const EDITOR_CONTEXT = /^# Context from my IDE setup:[\s\S]*?\n## My request for Codex:\n/;

/** A prompt without an editor's context. A user who types the same words is misread. */
export const withoutEditorContext = (text: string): string => text.replace(EDITOR_CONTEXT, '');

/** Equal, or one of several prompts that a CLI submitted together, each on separate lines. */
export function holds(prompt: string, text: string, key: string): boolean {
  const own = promptKey(prompt);
  if (own === key || own === promptKey(withoutEditorContext(text))) return true;
  if (prompt.search(PICTURE) >= 0 && withoutPictures(prompt) === withoutPictures(text)) return true;
  return holdsLines(prompt, stripMarkers(text)?.text ?? text);
}

/** Whether `part` occurs in the text as whole lines. */
export function holdsLines(text: string, part: string): boolean {
  const keysOf = (value: string) => value.split(/\r\n|\r|\n/).map(promptKey);
  const lines = keysOf(text);
  const own = keysOf(part.trim());
  return lines.some((_, start) => own.every((line, offset) => lines[start + offset] === line));
}
