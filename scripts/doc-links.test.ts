/** Links between documents lead to an existing file and heading; every test that docs/security.md names exists. */
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
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

/** The anchor that GitHub makes from a heading. */
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

/** For one row of docs/security.md: the test files that do not exist or are ambiguous, and the test names they lack. */
function missingTests(row: string, files: readonly string[]): readonly string[] {
  const cell = row.split(/(?<!\\)\|/)[3] ?? '';
  return [...cell.matchAll(/`([^`]+\.test\.tsx?)`(?: \(([^)]+)\))?/g)].flatMap(
    ([, name = '', quoted = '']) => {
      const [file, ...others] = files.filter((one) => `/${one}`.endsWith(`/${name}`));
      if (file === undefined || others.length > 0) return [name];
      const text = readFileSync(path.join(ROOT, file), 'utf8');
      const lacks = quoted.split('…').some((part) => !text.includes(part.trim()));
      return lacks ? [`${name} (${quoted})`] : [];
    },
  );
}

test('each test that docs/security.md names exists', () => {
  const files = globSync('{src,test,scripts}/**/*.test.{ts,tsx}', { cwd: ROOT });
  const page = readFileSync(path.join(ROOT, 'docs/security.md'), 'utf8');
  const [, tables = ''] = page.split('## What was tried');
  const rows = tables.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| attack'));
  expect(rows.length).toBeGreaterThan(100);
  expect(rows.flatMap((row) => missingTests(row, files))).toEqual([]);
  const untested = rows.filter((row) => !/`[^`]+\.test\.tsx?`|`npm run|`scripts\/|\| none: /.test(row));
  expect(untested).toEqual([]);
});
