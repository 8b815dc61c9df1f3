/** The syntax colours of a text, by line: which ranges are keywords, strings and so on. Pure; runs in the worker. */
import { common, createLowlight } from 'lowlight';
import type { ColoredLine, ColorKind } from '../../ui/review/port.ts';

/** The colour of each highlight.js class; other classes have none. */
const KINDS: Readonly<Record<string, ColorKind>> = {
  keyword: 'keyword',
  'selector-tag': 'keyword',
  name: 'keyword',
  'variable.language': 'keyword',
  string: 'string',
  regexp: 'string',
  char: 'string',
  link: 'string',
  code: 'string',
  comment: 'comment',
  quote: 'comment',
  number: 'number',
  literal: 'number',
  symbol: 'number',
  bullet: 'number',
  title: 'name',
  section: 'name',
  attr: 'name',
  attribute: 'name',
  'selector-class': 'name',
  'selector-id': 'name',
  type: 'type',
  built_in: 'type',
  class: 'type',
  meta: 'meta',
  doctag: 'meta',
};

type Node = ReturnType<ReturnType<typeof createLowlight>['highlight']>['children'][number];

/** Highlights texts in common languages; null for others. */
export type ColorText = (file: string, text: string) => readonly ColoredLine[] | null;

/** Creates the highlighter, which loads its grammars once. */
export function createColorText(): ColorText {
  const lowlight = createLowlight(common);
  return (file, text) => {
    const language = languageOf(file);
    if (!lowlight.registered(language)) return null;
    const lines: [number, number, ColorKind][][] = [[]];
    let offset = 0;
    const take = (part: string, kind: ColorKind | null): void => {
      part.split('\n').forEach((piece, index) => {
        if (index > 0) {
          lines.push([]);
          offset = 0;
        }
        if (kind !== null && piece !== '') lines.at(-1)?.push([offset, offset + piece.length, kind]);
        offset += piece.length;
      });
    };
    const walk = (nodes: readonly Node[], outer: ColorKind | null): void => {
      for (const node of nodes) {
        if (node.type === 'text') take(node.value, outer);
        else if (node.type === 'element') walk(node.children as readonly Node[], kindOf(node, outer));
      }
    };
    walk(lowlight.highlight(language, text).children, null);
    return lines;
  };
}

function kindOf(node: Extract<Node, { type: 'element' }>, outer: ColorKind | null): ColorKind | null {
  const classes = node.properties.className;
  const [first, second] = Array.isArray(classes) ? classes.map(String) : [];
  const name = first?.replace(/^hljs-/, '') ?? '';
  // Code inside a string has no string colour.
  if (name === 'subst') return null;
  const scoped = second === undefined ? undefined : KINDS[`${name}.${second.replace(/_$/, '')}`];
  return scoped ?? KINDS[name] ?? outer;
}

/** Files whose language depends on the whole name. */
const BY_NAME: Readonly<Record<string, string>> = {
  makefile: 'makefile',
  gnumakefile: 'makefile',
  gemfile: 'ruby',
  rakefile: 'ruby',
  '.bashrc': 'bash',
  '.zshrc': 'bash',
  '.profile': 'bash',
};

/** Endings that highlight.js knows under another name. */
const BY_ENDING: Readonly<Record<string, string>> = { jsonc: 'json', mdx: 'markdown', cts: 'ts', hh: 'cpp' };

/** The name of a file's language, whether highlight.js knows it or not. */
export function languageOf(file: string): string {
  const name = file.slice(file.lastIndexOf('/') + 1).toLowerCase();
  const ending = name.slice(name.lastIndexOf('.') + 1);
  return BY_NAME[name] ?? BY_ENDING[ending] ?? (name.includes('.') ? ending : '');
}
