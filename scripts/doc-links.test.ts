/** Links between the documents: each leads to a file, and to a heading in it where one is named. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..');
const pages = [
  ...[
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'integrations/README.md',
    'nvim/README.md',
    'shell/README.md',
  ],
  ...readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** The name that a heading has in a link, as GitHub makes it. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title);
  return new Set(
    headings.map((title) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

function brokenLinks(page: string): readonly string[] {
  const text = readFileSync(path.join(ROOT, page), 'utf8').replace(/```[\s\S]*?```|`[^`\n]*`/g, '');
  const links = [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)].map(
    (match) => match[1] ?? match[2] ?? '',
  );
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? path.join(ROOT, page) : path.join(ROOT, path.dirname(page), file);
    if (!existsSync(target)) return true;
    return anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).has(anchor);
  });
}

test.each(pages)('%s has no broken link', (page) => {
  expect(brokenLinks(page)).toEqual([]);
});
