/** The words of a text. A long list of names is easier to read in this form. */
export const wordList = (text: string): readonly string[] => text.trim().split(/\s+/);
