/** Lines by which models say that they leave something out: "// ... existing code ...". Pure. */

const MARK = '(?://|#|--|/\\*+|<!--|\\{/\\*|;|%|\\*|\\[|\\()';
const WORDS = 'rest|remaining|remainder|existing|unchanged|previous|same as|keep|omitted';
const OF_CODE =
  '(?:the )?(?:rest of|remaining|existing) (?:the |of the )?(?:code|file|function|class|content|imports|methods)\\b';
/** Dots alone are code in some languages, so that a word is needed beside them; a `#` with words alone is a heading. */
const LEFT_OUT = [
  new RegExp(`^\\s*${MARK}?\\s*(?:\\.{3}|…).*\\b(?:${WORDS})\\b.*$`, 'im'),
  new RegExp(`^\\s*(?://|--|/\\*+|<!--|\\{/\\*)\\s*${OF_CODE}.{0,40}$`, 'im'),
  new RegExp(`^\\s*#\\s*${OF_CODE}.{0,20}\\b(?:unchanged|same|here|remains|stays)\\b.*$`, 'im'),
];

/** The first such line, without the white space around; null when there is none. */
export function leftOutLine(text: string): string | null {
  for (const pattern of LEFT_OUT) {
    const found = pattern.exec(text);
    if (found !== null) return found[0].trim();
  }
  return null;
}

/** The text between such lines. */
export function betweenGaps(text: string): readonly string[] {
  const parts: string[][] = [[]];
  for (const line of text.split('\n')) {
    if (leftOutLine(line) === null) parts.at(-1)?.push(line);
    else parts.push([]);
  }
  return parts.map((lines) => lines.join('\n'));
}
