import { expect, test } from 'vitest';
import { testSubjects } from '../../../test/helpers/review-subject.ts';
import { phasesOf } from './phases.ts';

const created = (path: string, mode = '100644') =>
  `diff --git a/${path} b/${path}\nnew file mode ${mode}\nindex 0000000..1111111\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+x\n`;
const deleted = (path: string) =>
  `diff --git a/${path} b/${path}\ndeleted file mode 100644\nindex 1111111..0000000\n--- a/${path}\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n`;
const renamed = (from: string, to: string) =>
  `diff --git a/${from} b/${to}\nsimilarity index 100%\nrename from ${from}\nrename to ${to}\n`;
const copied = (from: string, to: string) =>
  `diff --git a/${from} b/${to}\nsimilarity index 100%\ncopy from ${from}\ncopy to ${to}\n`;

test.each<[string, string[], number[][]]>([
  ['independent files', [created('a'), deleted('b'), renamed('c', 'd')], [[0, 1, 2]]],
  ['a file gives way to a folder', [created('d/x'), deleted('d')], [[1], [0]]],
  ['a folder gives way to a link', [created('d', '120000'), deleted('d/x'), deleted('d/e/y')], [[1, 2], [0]]],
  ['a renamed file frees its folder', [created('d', '120000'), renamed('d/x', 'e/x')], [[1], [0]]],
  ['a renamed file frees its name', [created('d/y'), renamed('d', 'e')], [[1], [0]]],
  ['three steps', [created('a/x'), renamed('a', 'b'), deleted('b/y')], [[2], [1], [0]]],
  ['a file that is moved into a folder of its own name', [renamed('d', 'd/x')], [[0]]],
  ['a name that only begins the same', [created('dd'), deleted('d/x')], [[0, 1]]],
  ['a copy frees nothing', [created('d/y'), copied('d', 'e')], [[0, 1]]],
])('%s', (_, parts, phases) => {
  const subjects = testSubjects(parts.join(''));
  const positions = [...subjects.keys()];
  expect(phasesOf(subjects, positions, false)).toEqual(phases);
  expect(phasesOf(subjects, positions, true)).toEqual(phases.toReversed());
});

test('lists each of two that wait for each other once', () => {
  const subjects = testSubjects([renamed('a/x', 'b'), renamed('b/y', 'a')].join(''));
  expect(phasesOf(subjects, [0, 1], false).flat().sort()).toEqual([0, 1]);
});
