/** The words of a text: a long list of names is easier to read as one text. */
export function wordList(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
