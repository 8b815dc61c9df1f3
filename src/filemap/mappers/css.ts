/** CSS and similar languages: rules by their selectors, at-rules with their contents. */
import { scanCode } from '../core/code-scanner.ts';
import { blockComment, lineString } from '../core/mask.ts';
import type { SymbolRule, SyntaxNode } from '../core/tree-outline.ts';
import type { Language } from '../language.ts';

function blockOf(node: SyntaxNode): SyntaxNode | null {
  return node.namedChildren.find((child) => /^block$|block_list$/.test(child?.type ?? '')) ?? null;
}

/** Everything before the block. */
function prelude(node: SyntaxNode): string | null {
  const block = blockOf(node);
  return block === null ? null : node.text.slice(0, block.startIndex - node.startIndex).trim();
}

const RULE: SymbolRule = {
  kind: 'rule',
  name: prelude,
  body: blockOf,
  isContainer: true,
  hasNoSignature: true,
};

export const css: Language = {
  name: 'CSS',
  extensions: ['css'],
  grammar: {
    wasm: 'css',
    symbols: {
      rule_set: RULE,
      media_statement: RULE,
      supports_statement: RULE,
      keyframes_statement: RULE,
      at_rule: RULE,
    },
    imports: { import_statement: (node) => [/["']([^"']+)["']/.exec(node.text)?.[1] ?? ''] },
    comments: new Set(['comment']),
  },
  scan: scanStyles,
};

/** Sass and Less are not CSS, but their blocks are. */
export const styles: Language = {
  name: 'Stylesheet',
  extensions: ['scss', 'sass', 'less'],
  scan: scanStyles,
};

function scanStyles() {
  return scanCode({
    nesting: 'braces',
    lineComments: [],
    fences: [blockComment('/*', '*/'), lineString('"'), lineString("'")],
    imports: /^\s*@(?:import|use)\s+["'](?<name>[^"']+)/,
    declarations: [
      { kind: 'rule', pattern: /^\s*(?<name>[^\s;{}](?:[^;{}]*[^\s;{}])?)\s*\{/, isContainer: true },
    ],
  });
}
