/** Makefile: targets with their prerequisites, variables, `define` blocks. */
import { docWords } from '../core/code-scanner.ts';
import type { LineMapper, OpenSymbol } from '../core/outline.ts';
import { oneLine, SymbolList } from '../core/outline.ts';
import type { Language } from '../language.ts';

const TARGET = /^(?<name>[^\s:=#][^:=#]*?)\s*::?(?![=:])(?<needs>[^=]*)$/;
const VARIABLE = /^(?:export\s+|override\s+)*(?<name>[\w.-]+)\s*(?:[:+?!]{0,3}=)/;
const DEFINE = /^define\s+(?<name>\S+)/;

function scan(): LineMapper {
  const list = new SymbolList();
  const imports = new Set<string>();
  let target: OpenSymbol | null = null;
  let define: OpenSymbol | null = null;
  let doc: string | null = null;
  const add = (symbol: OpenSymbol): OpenSymbol => {
    const added = doc === null ? symbol : { ...symbol, doc };
    list.add(added, undefined);
    doc = null;
    return added;
  };
  const declare = (line: string, number: number): void => {
    target = null;
    const at = { startLine: number, endLine: number, signature: oneLine(line) };
    const defined = DEFINE.exec(line)?.groups?.name;
    const variable = VARIABLE.exec(line)?.groups?.name;
    const name = TARGET.exec(line)?.groups?.name;
    if (defined !== undefined) define = add({ name: defined, kind: 'block', ...at });
    else if (variable !== undefined) add({ name: variable, kind: 'variable', ...at });
    else if (name !== undefined && !name.startsWith('.PHONY')) target = add({ name, kind: 'target', ...at });
    const included = /^-?s?include\s+(.+)$/.exec(line)?.[1];
    if (included !== undefined) imports.add(included.trim());
  };
  return {
    push: (line, number) => {
      if (define !== null) {
        define.endLine = number;
        if (/^endef\b/.test(line)) define = null;
      } else if (line.startsWith('\t')) {
        if (target !== null) target.endLine = number;
      } else if (/^\s*#/.test(line)) doc = docWords(line) || null;
      else if (line.trim() === '') doc = null;
      else declare(line, number);
    },
    end: () => ({ symbols: list.symbols, imports: [...imports], notes: list.notes() }),
  };
}

export const makefile: Language = {
  name: 'Makefile',
  extensions: ['mk', 'mak'],
  fileNames: ['makefile', 'gnumakefile'],
  scan,
};
