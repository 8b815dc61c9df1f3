/**
 * Markdown: headings with the lines up to the next of their rank, and the code blocks in them.
 * Ranges by CommonMark (a `#` in a fence or a comment does not count); large files by their lines.
 */
import { fromMarkdown } from 'mdast-util-from-markdown';
import { nestHeadings, type PlacedHeading } from '../core/headings.ts';
import type { LineMapper, OpenSymbol, Outline } from '../core/outline.ts';
import { oneLine } from '../core/outline.ts';
import type { Language } from '../language.ts';

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly Node[];
}

function textOf(node: Node): string {
  return node.value ?? (node.children ?? []).map(textOf).join('');
}

function parse(text: string): Outline {
  // Front matter is not Markdown: its closing line would make a heading of it.
  const tree = fromMarkdown(
    text.replace(/^---\n[\s\S]*?\n---(?=\n)/, (matter) => matter.replace(/[^\n]/g, '')),
  );
  const placed: PlacedHeading[] = [];
  const blocks: OpenSymbol[] = [];
  for (const node of tree.children) {
    const startLine = node.position?.start.line ?? 1;
    const endLine = node.position?.end.line ?? startLine;
    if (node.type === 'heading') placed.push({ name: oneLine(textOf(node)), rank: node.depth, startLine });
    else if (node.type === 'code') {
      blocks.push({ name: `code ${node.lang ?? ''}`.trim(), kind: 'block', startLine, endLine });
    }
  }
  const end = tree.position?.end;
  const lastLine = end === undefined ? 1 : end.column === 1 ? end.line - 1 : end.line;
  return nestHeadings(placed, { blocks, lastLine });
}

function scan(): LineMapper {
  const placed: PlacedHeading[] = [];
  let fence: string | null = null;
  let isComment = false;
  let before = '';
  return {
    push: (line, startLine) => {
      const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? null;
      if (fence !== null) {
        if (mark?.startsWith(fence) && line.trim() === mark) fence = null;
        return;
      }
      if (isComment || line.startsWith('<!--')) {
        isComment = !line.includes('-->');
        before = '';
        return;
      }
      fence = mark;
      const [, hashes, name] = /^ {0,3}(#{1,6})(?:\s+(.*?))?(?:\s+#+)?\s*$/.exec(line) ?? [];
      const underline =
        before.trim() === '' || /^[#>\-*]/.test(before) ? undefined : /^(=|-)\1{2,}\s*$/.exec(line)?.[1];
      if (hashes !== undefined) placed.push({ name: oneLine(name ?? ''), rank: hashes.length, startLine });
      else if (underline !== undefined) {
        placed.push({ name: oneLine(before), rank: underline === '=' ? 1 : 2, startLine: startLine - 1 });
      }
      before = line;
    },
    end: (lastLine) => nestHeadings(placed, { blocks: [], lastLine }),
  };
}

export const markdown: Language = {
  name: 'Markdown',
  extensions: ['md', 'markdown', 'mdx', 'mkd'],
  parse,
  maxParsedBytes: 1024 * 1024,
  scan,
};
