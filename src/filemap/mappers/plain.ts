/** Text of an unknown language: headings of any style, and lines above indented ones. */
import { type LineMapper, type OpenSymbol, oneLine, SymbolList } from '../core/outline.ts';
import type { Language } from '../language.ts';

/** A line that looks like a heading: numbered, in capitals, underlined, or ending in a colon. */
const HEADING =
  /^(?:#{1,6}\s+\S.*|\d+(?:\.\d+)*\.?\s+\p{Lu}.{2,78}|[\p{Lu}\d][\p{Lu}\d \-_/&]{3,78}|\[[^\]]{1,78}\]|\S.{1,78}:)$/u;
const UNDERLINE = /^(?:={3,}|-{3,}|~{3,}|\*{3,})$/;

/** Headings and indentation, of any text. */
export function scanText(): LineMapper {
  const list = new SymbolList();
  let before = '';
  let section: OpenSymbol | null = null;
  const open = (name: string, startLine: number): void => {
    section = { name: oneLine(name).replace(/:$/, ''), kind: 'section', startLine, endLine: startLine };
    list.add(section, undefined);
  };
  return {
    push: (line, number) => {
      const text = line.trimEnd();
      const isUnderlined = UNDERLINE.test(text) && before.trim() !== '' && !UNDERLINE.test(before);
      if (isUnderlined && section?.startLine !== number - 1) open(before, number - 1);
      else if (HEADING.test(text)) open(text, number);
      if (section !== null && text !== '') section.endLine = number;
      before = text;
    },
    end: () => ({ symbols: list.symbols, imports: [], notes: list.notes() }),
  };
}

export const plain: Language = {
  name: 'Text',
  extensions: ['txt', 'text', 'log', 'rst', 'adoc', 'org'],
  scan: scanText,
};
