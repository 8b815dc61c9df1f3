import { expect, it } from 'vitest';
import { distinguish, folderName, sessionTitle, withoutQueries } from './pane-names.ts';

it.each<[string, string, string]>([
  ['claude', '✳ Claude Code', ''],
  ['claude', '⠐ Claude Code', ''],
  ['claude', '◐ Fix the parser', 'Fix the parser'],
  ['claude', '✳ (wip) name', '(wip) name'],
  ['codex', 'Show the case prose | project', 'Show the case prose'],
  ['codex', '⠼ project', ''],
  ['codex', '[ ! ] Action Required | Rename a | b | project', 'Rename a | b'],
  ['codex', '[ . ] Action Required | project', ''],
  ['gemini', '◇  Ready (project)', ''],
  ['gemini', '✦  Working… (project)', ''],
  ['opencode', 'OC | side call', 'side call'],
  ['opencode', 'OpenCode', ''],
  ['pi', 'π - project', ''],
  ['aider', 'my-machine', ''],
  ['claude', '✳ 日本語の題', '日本語の題'],
])('%s with the title "%s": "%s"', (cli, title, session) => {
  expect(sessionTitle(cli, title, 'project')).toBe(session);
});

/** Titles with leftovers of terminal queries, and of replies that a shell echoed. */
it.each([
  'Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA',
  'Gi=31337,s=1,v=1,a=q,t=d,f=24;AAAA',
  '_Gi=31337;OK',
  ']11;?',
  ']10;rgb:ffff/ffff/ffff\\]11;rgb:0101/0404/0909\\[?64;1;2;6;9;15;18;21;22c',
  '11;rgb:1414/1919/1f1f\\',
  '^[[?62c',
  '\\033[?62;22;52c',
  '^[]11;rgb:1e1e/1e1e/1e1e^[\\^[[50;1R',
  '^[[?1016;4$y^[[?2027;4$y^[[?2031;1$y',
  '?61;4;6;7;14;21;22;23;24;28;32;42;52c',
  '2026;1$y',
  '1+r4D73=5C455D35',
  'P>|tmux 3.4',
  '>|iTerm2 3.5.0',
  ']52;c;?^G',
  '[>0;10;1c',
  'Ptmux;\x1b\x1b_Gi=1,a=q;AAAA\x1b\\',
])('shows no terminal query: %j', (leaked) => {
  expect(withoutQueries(leaked)).toBe('');
  expect(sessionTitle('opencode', leaked, 'project')).toBe('');
  expect(sessionTitle('claude', `✳ ${leaked}`, 'project')).toBe('');
  expect(sessionTitle('codex', `⠼ ${leaked} | project`, 'project')).toBe('');
});

it.each([
  'Fix the [?62c that leaks',
  '[2x] faster parser',
  '[3D models] fix render',
  '10;?foo',
  '[wip] colours',
  '?why does it hang',
  '10;20 are the limits',
  'G=mc2 explained',
  '11 things to fix',
  '[1] first step',
  '$rate of +requests',
  '0+refactor',
])('keeps a title written by a person: %s', (title) => {
  expect(sessionTitle('claude', `✳ ${title}`, 'project')).toBe(title.replace(/^\$/, ''));
});

it('parses pane titles in linear time', () => {
  const begun = performance.now();
  for (const piece of [']1;', 'Ga=1,', '[?1;', '\\033', '^[', '1;2', 'P>|a '])
    withoutQueries(piece.repeat(20_000));
  expect(performance.now() - begun).toBeLessThan(1_000);
});

const pane = (cli: string, cwd: string, label: string) => ({ cli, cwd, label });

it('adds nothing for a program that runs once', () => {
  expect(distinguish([pane('claude', '/a/api', 'm:1.0'), pane('codex', '/a/api', 'm:2.0')])).toEqual([
    '',
    '',
  ]);
});

it('adds the folder, and the position if the folder is the same', () => {
  const panes = [
    pane('claude', '/a/api', 'm:1.0'),
    pane('claude', '/a/web/', 'm:2.0'),
    pane('claude', '/b/api', 'm:3.1'),
  ];
  expect(distinguish(panes)).toEqual(['api 1.0', 'web', 'api 3.1']);
});

it('adds the tmux session if the panes are in several', () => {
  const panes = [pane('codex', '/x/api', 'work:0.0'), pane('codex', '/x/api', 'a:b:0.0')];
  expect(distinguish(panes)).toEqual(['api work:0.0', 'api a:b:0.0']);
  expect(folderName('/')).toBe('/');
});
