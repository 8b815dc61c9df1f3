/** HTML: headings, landmarks, and every element with an id, parsed by the browsers' algorithm. */
import { type DefaultTreeAdapterTypes, parse as parseHtml } from 'parse5';
import { wordList } from '../../lib/word-list.ts';
import { type LineMapper, type OpenSymbol, type Outline, oneLine, SymbolList } from '../core/outline.ts';
import type { Language } from '../language.ts';

const LANDMARKS = new Set(
  wordList(
    'head body header nav main section article aside footer form table template dialog script style svg',
  ),
);

type Node = DefaultTreeAdapterTypes.Node;

function textOf(node: Node): string {
  if ('value' in node) return node.value;
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
}

function symbolOf(node: DefaultTreeAdapterTypes.Element): OpenSymbol | null {
  const place = node.sourceCodeLocation;
  if (!place) return null;
  const attribute = (name: string): string | undefined =>
    node.attrs.find((attr) => attr.name === name)?.value;
  const at = { startLine: place.startLine, endLine: place.endLine };
  if (/^h[1-6]$/.test(node.tagName))
    return { name: `${node.tagName} ${oneLine(textOf(node))}`, kind: 'heading', ...at };
  const id = attribute('id');
  if (id === undefined && !LANDMARKS.has(node.tagName)) return null;
  const source = attribute('src');
  const words = [
    node.tagName,
    id === undefined ? '' : `#${id}`,
    source === undefined ? '' : ` ${source}`,
  ].join('');
  return { name: oneLine(words), kind: 'element', ...at };
}

function parse(text: string): Outline {
  const list = new SymbolList();
  const visit = (node: Node, parent: OpenSymbol | undefined): void => {
    const own = 'tagName' in node ? symbolOf(node) : null;
    if (own !== null) list.add(own, parent);
    for (const child of 'childNodes' in node ? node.childNodes : []) visit(child, own ?? parent);
  };
  visit(parseHtml(text.trimEnd(), { sourceCodeLocationInfo: true }), undefined);
  return { symbols: list.symbols, imports: [], notes: list.notes() };
}

function scan(): LineMapper {
  const list = new SymbolList();
  return {
    push: (line, number) => {
      for (const [, tag = '', rest = ''] of line.matchAll(/<(h[1-6]|[a-z][\w-]*)\b([^>]*)/gi)) {
        const id = /\bid\s*=\s*["']?([^"'\s>]+)/i.exec(rest)?.[1];
        if (id === undefined && !LANDMARKS.has(tag.toLowerCase())) continue;
        list.add(
          {
            name: tag + (id === undefined ? '' : `#${id}`),
            kind: 'element',
            startLine: number,
            endLine: number,
          },
          undefined,
        );
      }
    },
    end: () => ({ symbols: list.symbols, imports: [], notes: list.notes() }),
  };
}

export const html: Language = {
  name: 'HTML',
  extensions: ['html', 'htm', 'xhtml'],
  parse,
  maxParsedBytes: 2 * 1024 * 1024,
  scan,
};
