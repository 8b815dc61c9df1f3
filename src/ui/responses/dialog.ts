/** Reads the answers out of a question that the AI CLI shows. Pure; what it does not recognise it does not offer. */

export interface DialogOption {
  /** What is typed to choose it. */
  readonly key: string;
  readonly label: string;
}

const NUMBERED = /^\s*(?:[❯>›•*]\s*)?(\d)[.)]\s+(.+?)\s*$/;

/** The question without its answers: what must be read before one is chosen. */
export function dialogQuestion(dialog: string): string {
  const hasOptions = dialogOptions(dialog).length > 0;
  const lines = dialog.split('\n').filter((line) => !hasOptions || !NUMBERED.test(line));
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** The numbered answers of a dialog, in order; none when they do not count up from 1. */
export function dialogOptions(dialog: string): readonly DialogOption[] {
  const found: DialogOption[] = [];
  for (const line of dialog.split('\n')) {
    const match = NUMBERED.exec(line);
    if (match === null) continue;
    const [, key = '', label = ''] = match;
    // A numbered list in the question itself comes before the answers: the last run from 1 counts.
    if (key === '1') found.length = 0;
    if (Number(key) === found.length + 1) found.push({ key, label });
  }
  if (found.length > 0) return found;
  return /\(y(?:es)?\/n(?:o)?\)|\[y\/n\]/i.test(dialog)
    ? [
        { key: 'y', label: 'Yes' },
        { key: 'n', label: 'No' },
      ]
    : [];
}
