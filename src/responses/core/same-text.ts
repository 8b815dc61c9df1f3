/**
 * Whether a prompt that a CLI tells is a text that was sent to it. Forgives what a CLI does to white space and nothing
 * else. Pure.
 */
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

/** Equal, or one of several prompts that a CLI handed over together, each on lines of its own. */
export function holds(prompt: string, text: string, key: string): boolean {
  if (promptKey(prompt) === key) return true;
  const lines = prompt.split(/\r\n|\r|\n/).map(promptKey);
  const sent = (stripMarkers(text)?.text ?? text)
    .trim()
    .split(/\r\n|\r|\n/)
    .map(promptKey);
  return lines.some((_, start) => sent.every((line, offset) => lines[start + offset] === line));
}
