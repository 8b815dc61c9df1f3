import { expect, it } from 'vitest';
import { staysInside } from './permission.ts';

const FOLDER = '/state/copies/1-x/notes';
const inside = (kind: string | null, ...locations: readonly string[]) =>
  staysInside({ kind, title: '', locations }, FOLDER);

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
