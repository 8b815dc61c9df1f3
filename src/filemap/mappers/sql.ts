/** SQL, by its lines: created objects, with the columns of tables. */
import { blockComment, blockString, Masker } from '../core/mask.ts';
import { type LineMapper, type OpenSymbol, oneLine, SymbolList } from '../core/outline.ts';
import type { Language } from '../language.ts';

const CREATE =
  /^\s*create\s+(?:or\s+(?:replace|alter)\s+)?(?:(?:global|local|temp|temporary|unlogged|unique|materialized|recursive|constraint|virtual|clustered|nonclustered)\s+)*(?<what>table|view|index|function|procedure|trigger|type|schema|sequence|domain|extension|role|policy|database)\s+(?:concurrently\s+)?(?:if\s+not\s+exists\s+)?(?<name>[\w.$"`[\]]+)/i;
const COLUMN = /^\s*(?<name>["`[]?\w+["`\]]?)\s+[A-Za-z]/;
const NO_COLUMN = /^\s*(constraint|primary|foreign|unique|check|key|index|exclude|like|partition)\b/i;

const KINDS: Readonly<Record<string, OpenSymbol['kind']>> = {
  table: 'table',
  function: 'function',
  procedure: 'function',
  trigger: 'function',
  type: 'type',
  domain: 'type',
  schema: 'module',
};

/** A statement ends with a semicolon outside strings, comments and dollar quotes. */
function scan(): LineMapper {
  const masker = new Masker({
    lineComments: ['--'],
    fences: [blockComment('/*', '*/'), blockString("'", "'", false), blockString('$$', '$$', false)],
  });
  const list = new SymbolList();
  let open: OpenSymbol | null = null;
  let depth = 0;
  return {
    push: (line, number) => {
      const code = masker.mask(line);
      if (open === null) {
        const groups = CREATE.exec(code)?.groups;
        if (groups?.name === undefined || groups.what === undefined) return;
        const what = groups.what.toLowerCase();
        open = {
          name: KINDS[what] === undefined ? `${what} ${groups.name}` : groups.name,
          kind: KINDS[what] ?? 'block',
          startLine: number,
          endLine: number,
          signature: oneLine(line).replace(/\s*[(;]+$/, ''),
        };
        list.add(open, undefined);
        depth = 0;
      } else if (open.kind === 'table' && depth === 1 && !NO_COLUMN.test(code)) {
        const name = COLUMN.exec(code)?.groups?.name;
        const signature = oneLine(line).replace(/,$/, '');
        if (name !== undefined)
          list.add({ name, kind: 'column', startLine: number, endLine: number, signature }, open);
      }
      for (const char of code) depth += char === '(' ? 1 : char === ')' ? -1 : 0;
      open.endLine = number;
      if (code.includes(';') && depth <= 0) open = null;
    },
    end: () => ({ symbols: list.symbols, imports: [], notes: list.notes() }),
  };
}

export const sql: Language = { name: 'SQL', extensions: ['sql', 'ddl', 'pgsql', 'psql'], scan };
