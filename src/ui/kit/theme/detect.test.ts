import { describe, expect, it } from 'vitest';
import { backgroundOfColors, backgroundOfReply, colorDepth, detectTheme } from './detect.ts';

describe('colorDepth', () => {
  it.each([
    [{ NO_COLOR: '1', COLORTERM: 'truecolor' }, 'none'],
    [{ NO_COLOR: '', COLORTERM: 'truecolor' }, 'truecolor'],
    [{ FORCE_COLOR: '0', TERM: 'xterm-256color' }, 'none'],
    [{ FORCE_COLOR: '1', TERM: 'dumb' }, '16'],
    [{ TERM: 'dumb' }, 'none'],
    [{ TERM: 'xterm-256color' }, '256'],
    [{ TERM: 'tmux-direct' }, 'truecolor'],
    [{ TERM: 'screen' }, '16'],
    [{ TERM: 'screen', TMUX: '/tmp/tmux-0/default,1,0' }, '256'],
  ] as const)('%j is %s', (environment, expected) => {
    expect(colorDepth(environment)).toBe(expected);
  });
});

describe('detectTheme', () => {
  it.each([
    [{ LANG: 'C.UTF-8' }, false],
    [{ LC_ALL: 'C', LANG: 'C.UTF-8' }, true],
    [{ LANG: 'de_DE' }, false],
    [{ LANG: 'de_DE.ISO-8859-1' }, true],
    [{}, false],
    [{ TERM: 'linux' }, true],
  ])('%j draws ASCII: %s', (environment, expected) => {
    expect(detectTheme(environment).ascii).toBe(expected);
  });

  it('plain mode has neither colours nor boxes', () => {
    expect(detectTheme({ COLORTERM: 'truecolor', LANG: 'C.UTF-8' }, { plain: true })).toMatchObject({
      depth: 'none',
      ascii: true,
      plain: true,
    });
  });
});

describe('backgroundOfReply', () => {
  it.each([
    ['\u001b]11;rgb:0000/0000/0000\u001b\\', 'dark'],
    ['\u001b]11;rgb:ffff/ffff/dddd\u0007', 'light'],
    ['\u001b]11;rgb:ff/ff/ff\u0007', 'light'],
    ['\u001b[?997;1n', 'dark'],
    ['\u001b[?997;2n', 'light'],
    ['\u001b]10;rgb:ff/ff/ff\u0007', null],
    ['\u001b[?62;c', null],
  ])('%j is %s', (reply, expected) => {
    expect(backgroundOfReply(reply)).toBe(expected);
  });
});

it.each([
  ['0;15', 'light'],
  ['0;default;15', 'light'],
  ['0;7', 'light'],
  ['15;0', 'dark'],
  ['7;8', 'dark'],
  ['12;8', 'dark'],
  ['0;11', 'light'],
  ['default;default', null],
  ['', null],
  [undefined, null],
])('COLORFGBG=%s is %s', (colors, expected) => {
  expect(backgroundOfColors(colors)).toBe(expected);
});
