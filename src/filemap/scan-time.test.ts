/** No line of any text slows down a line scanner: its patterns run on arbitrary files. */
import { expect, test } from 'vitest';
import * as mappers from './mappers/index.ts';

const LINES = [
  'REDISMODULE_API void (*RedisModule_A)(RedisModuleCtx *ctx, const char *name, int (*cb)(void *a, int b), void *d) REDISMODULE_ATTR;',
  `${'const '.repeat(300)}x`,
  `${'a b '.repeat(400)}(`,
  `x(${'a, '.repeat(500)}`,
  `f${'('.repeat(800)}`,
  `f(${'a) '.repeat(500)}!`,
  `${'public static '.repeat(150)};`,
  `${'@A(b) '.repeat(200)}`,
  `${'<'.repeat(900)}x${'>'.repeat(900)} y`,
  `template ${'<a> '.repeat(300)}class`,
  `${' '.repeat(1500)}`,
  `${'\t '.repeat(700)}x`,
  `let x = ${'('.repeat(300)}a${')'.repeat(300)} => `,
  `${'A::'.repeat(500)}b`,
  `${'a.'.repeat(700)}b = ${'function '.repeat(100)}`,
  `const x: ${'A | '.repeat(400)}B`,
  `${'"'.repeat(999)}`,
  `${'/*'.repeat(500)}`,
  `${'#'.repeat(999)} x`,
  `${'[a]'.repeat(400)}(`,
  `${'- '.repeat(700)}`,
  `CREATE TABLE ${'a.'.repeat(500)}`,
  `${'=>'.repeat(500)}`,
];

const scanners = Object.values(mappers).flatMap((one) =>
  'scan' in one && one.scan !== undefined ? [[one.name, one.scan] as const] : [],
);

test.each(scanners)('%s', (_, scan) => {
  const mapper = scan();
  const start = performance.now();
  const slow = LINES.filter((line, at) => {
    const before = performance.now();
    mapper.push(line, at + 1);
    return performance.now() - before > 250;
  });
  mapper.end(LINES.length);
  expect(slow.map((line) => line.slice(0, 40))).toEqual([]);
  expect(performance.now() - start).toBeLessThan(2_000);
});

test.each(['class:a ', 'object : a,', 'class A : B by c() '])('Kotlin is fast for %j', (text) => {
  const start = performance.now();
  mappers.kotlin.grammar?.prepare?.(text.repeat(20_000));
  expect(performance.now() - start).toBeLessThan(2_000);
});

test.each([
  ['emphasis', '**a'.repeat(30_000)],
  ['emphasis in a heading', `# ${'**a'.repeat(30_000)}`],
  ['comments that never end, in a heading', `# ${'<!--'.repeat(20_000)}`],
  ['links that never end', '[a]('.repeat(20_000)],
  ['definitions', '[a]: '.repeat(20_000)],
  ['quotes in quotes', `${'> '.repeat(40_000)}a`],
  ['lists in lists', '- a\n  - b\n    - c\n      - d\n'.repeat(3_000)],
  ['paragraphs in a list', `- a\n${'  b\n\n'.repeat(20_000)}`],
  ['a list in a quote', '> - a\n'.repeat(30_000)],
])('Markdown is fast for %s', (_, text) => {
  const start = performance.now();
  try {
    mappers.markdown.parse?.(text);
  } catch (thrown) {
    // The lines are scanned instead, as above.
    expect(String(thrown)).toMatch(/too long to parse|nested more than/);
  }
  expect(performance.now() - start).toBeLessThan(5_000);
});
