import { describe, expect, it } from 'vitest';
import { parseStyledRows, type StyledRow } from './sgr.ts';

const cases: readonly (readonly [string, string, readonly Partial<StyledRow>[]])[] = [
  [
    'plain rows, right-trimmed',
    'a  \n\nb\n',
    [
      { text: 'a', dim: [] },
      { text: '', dim: [] },
      { text: 'b', dim: [] },
    ],
  ],
  ['faint ghost text', '❯ \u001b[2mtry this\u001b[0m \n', [{ text: '❯ try this', dim: [[2, 10]] }]],
  ['a draft in a colour is not faint', '❯ \u001b[39mtext\n', [{ text: '❯ text', dim: [] }]],
  [
    '2 as an argument of a colour',
    '\u001b[38;5;2mgreen\u001b[48;2;2;2;2mx\u001b[0m\n',
    [{ text: 'greenx', dim: [] }],
  ],
  ['2 beside other attributes', '\u001b[1;38;5;2;2mx\u001b[22my\n', [{ text: 'xy', dim: [[0, 1]] }]],
  ['colon arguments', '\u001b[4:2;38:5:2mx\n', [{ text: 'x', dim: [] }]],
  [
    'faint continues in the next row',
    '\u001b[2ma\nb\u001b[mc\n',
    [
      { text: 'a', dim: [[0, 1]] },
      { text: 'bc', dim: [[0, 1]] },
    ],
  ],
  ['adjacent faint pieces are one', '\u001b[2ma\u001b[31mb\n', [{ text: 'ab', dim: [[0, 2]] }]],
  ['trailing blanks shorten the range', '\u001b[2ma   \n', [{ text: 'a', dim: [[0, 1]] }]],
  ['hyperlinks', '\u001b]8;;https://x\u001b\\link\u001b]8;;\u001b\\\n', [{ text: 'link', dim: [] }]],
  [
    'backgrounds, by any of their names',
    '\u001b[48;5;233ma\u001b[48;2;1;2;3mb\u001b[49mc\u001b[7md\u001b[27me\u001b[41mf\u001b[0mg  \n',
    [
      {
        text: 'abcdefg',
        painted: [
          [0, 1, '48;5;233'],
          [1, 2, '48;2;1;2;3'],
          [3, 4, '7'],
          [5, 6, '41'],
        ],
      },
    ],
  ],
  ['line drawing', '\u000elqk\u000f lq\n', [{ text: '┌─┐ lq', dim: [] }]],
];

describe('styled rows', () => {
  it.each(cases)('%s', (_name, capture, expected) => {
    expect(parseStyledRows(capture)).toMatchObject(expected);
  });
});
