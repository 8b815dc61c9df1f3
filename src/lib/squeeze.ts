/** The text without white space: what stays the same however a program or a human wraps and indents it. Pure. */
export const squeeze = (text: string): string => text.replace(/\s+/g, '');
