/** Rust. An `impl` is named by its type, and by its trait if it has one. */
import { scanCode } from '../core/code-scanner.ts';
import { blockString, Masker, slashCode } from '../core/mask.ts';
import type { SyntaxNode } from '../core/tree-outline.ts';
import type { Language } from '../language.ts';

function implName(node: SyntaxNode): string | null {
  const type = node.childForFieldName('type')?.text ?? null;
  const trait = node.childForFieldName('trait')?.text;
  return trait === undefined ? type : `${trait} for ${type}`;
}

const MASKED = slashCode(blockString('r#"', '"#', false), blockString('"'));

/** A macro around items: `cfg_if::cfg_if! {`, `cfg_rt! {`. */
const CFG_MACRO = /^[ \t]*(?:\w+::)*cfg_\w+!\s*\{/gm;
/** The head of an arm of `cfg_if!`. */
const CFG_ARM = /\s*(?:else\s+)?(?:if\s+#\[[^{}]*\]|else)\s*\{/y;

/** The items in such macros as if the macro were not there: to a parser, its arguments are only words. */
function withoutCfgMacros(source: string): string {
  if (source.search(CFG_MACRO) === -1) return source;
  const masker = new Masker(MASKED);
  const code = source
    .split('\n')
    .map((line) => masker.mask(line))
    .join('\n');
  const units = source.split('');
  const blank = (from: number, to: number) => {
    for (let at = from; at < to; at += 1) if (units[at] !== '\n') units[at] = ' ';
  };
  for (const { index, 0: head } of code.matchAll(CFG_MACRO)) {
    const start = index + head.length;
    const end = closingBrace(code, start);
    blank(index, start);
    blank(end, end + 1);
    CFG_ARM.lastIndex = start;
    for (let arm = CFG_ARM.exec(code); arm !== null; arm = CFG_ARM.exec(code)) {
      const from = arm.index + arm[0].length;
      const to = closingBrace(code, from);
      blank(arm.index, from);
      blank(to, to + 1);
      CFG_ARM.lastIndex = to + 1;
    }
  }
  return units.join('');
}

/** The index of the brace that closes the block whose text begins at `from`; the end if it is not closed. */
function closingBrace(code: string, from: number): number {
  let depth = 1;
  for (let at = from; at < code.length; at += 1) {
    if (code[at] === '{') depth += 1;
    else if (code[at] === '}') depth -= 1;
    if (depth === 0) return at;
  }
  return code.length;
}

export const rust: Language = {
  name: 'Rust',
  extensions: ['rs'],
  grammar: {
    wasm: 'rust',
    select: withoutCfgMacros,
    symbols: {
      struct_item: { kind: 'struct' },
      union_item: { kind: 'struct' },
      enum_item: { kind: 'enum' },
      trait_item: { kind: 'trait', isContainer: true },
      impl_item: { kind: 'class', name: implName, isContainer: true },
      mod_item: { kind: 'module', isContainer: true },
      function_item: { kind: 'function' },
      function_signature_item: { kind: 'function' },
      macro_definition: { kind: 'function' },
      const_item: { kind: 'constant', body: 'value' },
      static_item: { kind: 'constant', body: 'value' },
      type_item: { kind: 'type' },
    },
    through: new Set(['foreign_mod_item', 'declaration_list']),
    nested: ['function_item', 'struct_item', 'enum_item', 'trait_item', 'impl_item', 'macro_definition'],
    imports: {
      use_declaration: (node) => [node.childForFieldName('argument')?.text.replace(/\s+/g, ' ') ?? ''],
    },
    comments: new Set(['line_comment', 'block_comment']),
    decorations: new Set(['attribute_item']),
    isExported: ({ text }) => text.startsWith('pub'),
  },
  scan: () =>
    scanCode({
      nesting: 'braces',
      ...MASKED,
      doc: /^\s*\/\/\//,
      imports: /^\s*(?:pub\s+)?use\s+(?<name>[^;]+);/,
      declarations: [
        {
          kind: 'module',
          isContainer: true,
          pattern: /^\s*(?<exported>pub(?:\([^)]*\))?\s+)?mod\s+(?<name>\w+)/,
        },
        {
          kind: 'trait',
          isContainer: true,
          pattern: /^\s*(?<exported>pub(?:\([^)]*\))?\s+)?(?:unsafe\s+)?trait\s+(?<name>\w+)/,
        },
        {
          kind: 'class',
          isContainer: true,
          pattern: /^\s*(?:unsafe\s+)?impl\b(?:<.*?>)?\s*(?<name>[^{]+?)\s*(?:where\b.*)?(?:\{.*)?$/,
        },
        { kind: 'struct', pattern: /^\s*(?<exported>pub(?:\([^)]*\))?\s+)?(?:struct|union)\s+(?<name>\w+)/ },
        { kind: 'enum', pattern: /^\s*(?<exported>pub(?:\([^)]*\))?\s+)?enum\s+(?<name>\w+)/ },
        {
          kind: 'function',
          pattern:
            /^\s*(?<exported>pub(?:\([^)]*\))?\s+)?(?:(?:const|async|unsafe|extern(?:\s+"[^"]*")?)\s+)*fn\s+(?<name>\w+)/,
        },
        { kind: 'function', pattern: /^\s*macro_rules!\s*(?<name>\w+)/ },
        {
          kind: 'constant',
          pattern: /^\s*(?<exported>pub(?:\([^)]*\))?\s+)?(?:const|static(?:\s+mut)?)\s+(?<name>\w+)/,
        },
        { kind: 'type', pattern: /^\s*(?<exported>pub(?:\([^)]*\))?\s+)?type\s+(?<name>\w+)/ },
      ],
    }),
};
