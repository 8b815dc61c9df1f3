import { expect, it } from 'vitest';
import { MAX_PROBLEM_KINDS, Problems } from './problems.ts';

it('counts equal sentences and bounds the kinds', () => {
  const problems = new Problems();
  problems.note('a');
  problems.note('a');
  problems.unknownType({ secret: 'text' });
  for (let index = 0; index < MAX_PROBLEM_KINDS; index += 1)
    problems.unknownType(`kind-${index}${'x'.repeat(99)}`);
  problems.note('a');
  const list = problems.list();
  expect(list[0]).toBe('a (3×)');
  expect(list[1]).toBe('unknown record type "object"');
  expect(list).toHaveLength(MAX_PROBLEM_KINDS + 1);
  expect(list.at(-1)).toBe('2 further problems of other kinds');
  expect(Math.max(...list.map((line) => line.length))).toBeLessThan(100);
});
