/** Elixir, where every definition is a call: `defmodule`, `def` and similar. */
import { wordList } from '../../lib/word-list.ts';
import { childOf, type SyntaxNode } from '../core/tree-outline.ts';
import type { Language } from '../language.ts';

const MODULES = new Set(['defmodule', 'defprotocol', 'defimpl']);
const FUNCTIONS = new Set(wordList('def defp defmacro defmacrop defguard defguardp defdelegate defn defnp'));

const word = (node: SyntaxNode) => node.childForFieldName('target')?.text ?? '';

/** `f(a, b) when a > b` is named `f`; a module by its alias. */
function nameOf(node: SyntaxNode): string | null {
  const isModule = MODULES.has(word(node));
  if (!isModule && !FUNCTIONS.has(word(node))) return null;
  let first = childOf(node, 'arguments')?.namedChildren[0] ?? null;
  if (isModule) return first?.text ?? null;
  while (first?.type === 'binary_operator') first = first.namedChildren[0] ?? null;
  return first?.type === 'call' ? word(first) : (first?.text ?? null);
}

export const elixir: Language = {
  name: 'Elixir',
  extensions: ['ex', 'exs'],
  interpreter: /\belixir\b/,
  grammar: {
    wasm: 'elixir',
    symbols: {
      call: {
        kind: (node) => (MODULES.has(word(node)) ? 'module' : 'function'),
        name: nameOf,
        body: (node) => childOf(node, 'do_block'),
        isContainer: (node) => MODULES.has(word(node)),
      },
    },
    imports: {
      call: (node) =>
        /^(alias|import|require|use)$/.test(word(node))
          ? [childOf(node, 'arguments')?.namedChildren[0]?.text ?? '']
          : [],
    },
    comments: new Set(['comment']),
    isExported: ({ text }) => /^def(macro|module)?\s/.test(text),
  },
};
