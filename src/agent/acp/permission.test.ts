import { expect, it } from 'vitest';
import { type AskedCall, callWords, staysInside } from './permission.ts';

const FOLDER = '/state/copies/1-x/notes';
const CALL: AskedCall = { kind: null, title: '', locations: [], input: undefined, texts: [], diffs: [] };
const inside = (kind: string | null, ...locations: readonly string[]) =>
  staysInside({ ...CALL, kind, locations }, FOLDER);

it.each([
  ['edit', [`${FOLDER}/a.md`, 'b.md', './c/../d.md']],
  ['read', []],
  ['delete', [`${FOLDER}/..hidden`]],
  ['search', [FOLDER]],
])('lets files of the copy be worked on: %s %j', (kind, locations) => {
  expect(inside(kind, ...locations)).toBe(true);
});

it.each([
  ['edit', ['/etc/passwd']],
  ['edit', []],
  ['edit', [`${FOLDER}/a.md`, '../b.md']],
  ['read', [`${FOLDER}/../../elsewhere`]],
  ['edit', [`${FOLDER}-twin/a.md`]],
  ['execute', []],
  ['fetch', []],
  ['other', []],
  [null, []],
])('leaves the rest to the user: %s %j', (kind, locations) => {
  expect(inside(kind, ...locations)).toBe(false);
});

it('judges a call by the files of its diffs, too', () => {
  const diffs = [{ path: '/etc/hosts', before: '', after: 'x\n' }];
  expect(staysInside({ ...CALL, kind: 'edit', locations: [`${FOLDER}/a.md`], diffs }, FOLDER)).toBe(false);
});

it.each<[Partial<AskedCall>, string]>([
  [
    { title: 'Run it', input: { command: 'make install && echo done' } },
    'Run it\n\nmake install && echo done',
  ],
  [{ title: 'make', input: { command: 'make' } }, 'make'],
  [{ input: { command: ['rm', '-rf', 'a b'] } }, 'a call without a name\n\n"rm" "-rf" "a b"'],
  [
    { title: 'Write /etc/hosts', diffs: [{ path: '/etc/hosts', before: 'a\nb\n', after: 'a\n' }] },
    'Write /etc/hosts\n\n/etc/hosts\n-a\n-b\n+a',
  ],
  [{ title: 'Fetch', input: { url: 'https://x.test/' } }, 'Fetch\n\n{\n  "url": "https://x.test/"\n}'],
  [{ title: 'Ask', texts: ['Really?'] }, 'Ask\n\nReally?'],
])('asks with the whole command, diff or input: %j', (call, words) => {
  expect(callWords({ ...CALL, ...call })).toBe(words);
});

it('bounds what is asked, and says so', () => {
  expect(callWords({ ...CALL, title: 't', input: { command: 'x'.repeat(30_000) } })).toMatch(
    /^t\n\nx+\n… 10003 more characters$/,
  );
});
