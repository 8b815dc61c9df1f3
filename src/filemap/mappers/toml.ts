/** TOML: tables and their keys, line by line; only strings can span several lines. */
import { blockString, lineString, Masker } from '../core/mask.ts';
import { type LineMapper, type OpenSymbol, oneLine, SymbolList } from '../core/outline.ts';
import type { Language } from '../language.ts';

const KEY = /^\s*(?<name>(?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=/;

function scan(): LineMapper {
  const masker = new Masker({
    lineComments: ['#'],
    fences: [blockString('"""'), blockString("'''", "'''", false), lineString('"'), lineString("'")],
  });
  const list = new SymbolList();
  let table: OpenSymbol | undefined;
  let last: OpenSymbol | undefined;
  let depth = 0;
  return {
    push: (line, number) => {
      const isContinued = masker.inside !== 'code' || depth > 0;
      const code = masker.mask(line);
      const header = isContinued
        ? undefined
        : /^\s*\[{1,2}\s*(?<name>[^\]]+?)\s*\]{1,2}/.exec(line)?.groups?.name;
      // A key may be quoted, so it is read from the raw line; the `=` outside strings shows that it is a key.
      const key = isContinued || !code.includes('=') ? undefined : KEY.exec(line)?.groups?.name;
      if (header !== undefined) {
        table = { name: `[${header}]`, kind: 'table', startLine: number, endLine: number };
        list.add(table, undefined);
        return;
      }
      if (key !== undefined) {
        last = { name: oneLine(key), kind: 'key', startLine: number, endLine: number };
        list.add(last, table);
      } else if (isContinued && last !== undefined) last.endLine = number;
      if (table !== undefined && line.trim() !== '') table.endLine = number;
      for (const char of code) depth += '[{'.includes(char) ? 1 : ']}'.includes(char) ? -1 : 0;
      depth = Math.max(0, depth);
    },
    end: () => ({ symbols: list.symbols, imports: [], notes: list.notes() }),
  };
}

export const toml: Language = {
  name: 'TOML',
  extensions: ['toml'],
  fileNames: ['cargo.lock', 'pipfile', 'poetry.lock'],
  scan,
};
