/** The text without white space: the part that wrapping and indenting do not change. Pure. */
export const squeeze = (text: string): string => text.replace(/\s+/g, '');
