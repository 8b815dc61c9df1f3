import { expect, test } from 'vitest';
import { parseCells, textOf } from './cells.ts';
import { fixTimes, padTo } from './fixed.ts';
import { drawSvg, PAPERS } from './svg.ts';

const ESC = '\u001b';
const draw = (capture: string) =>
  drawSvg([{ rows: parseCells(capture), ms: 0 }], { columns: 20, paper: PAPERS.dark, title: 'A <test>' });
const fixed = (text: string) => textOf(fixTimes(parseCells(text)[0] ?? [], 2));

test.each([
  [`${ESC}[1;38;2;95;215;215mx`, { bold: true, color: '#5fd7d7' }],
  [`${ESC}[38;5;244mx`, { color: '#808080' }],
  [`${ESC}[38;5;75mx`, { color: '#5fafff' }],
  [`${ESC}[31;7mx`, { inverse: true, color: '#cf3a3a' }],
  [`${ESC}[2;3;4m${ESC}[22;23;24;39mx`, { bold: false, dim: false, italic: false, underline: false }],
  [`${ESC}[48;5;232m${ESC}[0mx`, { background: null }],
])('reads the style of %j', (capture, look) => {
  expect(parseCells(capture)[0]?.[0]?.look).toMatchObject(look);
});

test('carries a style over the end of a row, and counts the cells of wide characters', () => {
  const [, second = []] = parseCells(`${ESC}[1ma\nb漢\n`);
  expect(second.map(({ text, width, look }) => [text, width, look.bold])).toEqual([
    ['b', 1, true],
    ['漢', 2, true],
  ]);
});

test('places every word at its cell and length, and draws lines', () => {
  const svg = draw(`${ESC}[31mab  c&d${ESC}[39m ▸ ──│`);
  expect(svg).toContain('<tspan x="14" textLength="16" class="a">ab</tspan>');
  expect(svg).toContain('<tspan x="46" textLength="24" class="a">c&amp;d</tspan>');
  expect(svg).toContain('>▸</tspan>');
  expect(svg).not.toMatch(/[─│]/);
  expect(svg).toContain('<rect x="94" y="23" width="16" height="1"');
  expect(svg).toContain('aria-label="A &lt;test&gt;"');
});

test('fills the background of inverse text', () => {
  expect(draw(`${ESC}[7mab c${ESC}[27m`)).toContain(`height="18" fill="${PAPERS.dark.color}"/>`);
});

test('draws a film: a row once for as long as it stays the same, and the last frame without motion', () => {
  const frames = ['same\nfirst', 'same\nlast'].map((capture) => ({ rows: parseCells(capture), ms: 500 }));
  const svg = drawSvg(frames, { columns: 20, paper: PAPERS.dark, title: 'Film' });
  expect(svg.match(/same/g)).toHaveLength(1);
  expect(svg).toMatch(/<g class="f0-1"><text[^>]*><tspan[^>]*>first/);
  expect(svg).toContain('.f0-1{visibility:hidden}');
  expect(svg).not.toContain('.f1-2{visibility:hidden}');
  expect(svg).toContain('.f0-1{animation:f0-1 1s step-end infinite}');
});

test.each([
  ['▸ 05:24  why?      7 lines', '▸ 14:24  why?      7 lines'],
  ['  05:24:33  git st    12 ms ', '  14:02:57  git st     3 ms '],
  ['copane        claude ● idle 1m ', 'copane       claude ● idle 12s '],
  ['copane      claude ● idle 113s ', 'copane       claude ● idle 12s '],
  [
    ' answered in 12.3 ms, 99 % within 40 ms    taken once',
    ' answered in 0.8 ms, 99 % within 4.1 ms    taken once',
  ],
  ['▸ git status ✓    66 ms │ 96 %', '▸ git status ✓     3 ms │ 96 %'],
  ['Search ## Setup   2 results 125 ms ', 'Search ## Setup     2 results 3 ms '],
])('makes %j the same in every run', (before, after) => {
  expect(fixed(before)).toBe(after);
});

test('pads a row to the border', () => {
  expect(textOf(padTo(parseCells('a漢')[0] ?? [], 5))).toBe('a漢  ');
});
