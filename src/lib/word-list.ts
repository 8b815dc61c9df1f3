/** The words of a text: a long list of names is easier to read as one text. */
export const wordList = (text: string): readonly string[] => text.trim().split(/\s+/);
