import { expect, it } from 'vitest';
import { distinguish, folderName, sessionTitle } from './pane-names.ts';

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

const pane = (cli: string, cwd: string, label: string) => ({ cli, cwd, label });

it('adds nothing to a program that runs once', () => {
  expect(distinguish([pane('claude', '/a/api', 'm:1.0'), pane('codex', '/a/api', 'm:2.0')])).toEqual([
    '',
    '',
  ]);
});

it('adds the folder, and the place where that is the same', () => {
  const panes = [
    pane('claude', '/a/api', 'm:1.0'),
    pane('claude', '/a/web/', 'm:2.0'),
    pane('claude', '/b/api', 'm:3.1'),
  ];
  expect(distinguish(panes)).toEqual(['api 1.0', 'web', 'api 3.1']);
});

it('names the tmux session where the panes are in several', () => {
  const panes = [pane('codex', '/x/api', 'work:0.0'), pane('codex', '/x/api', 'a:b:0.0')];
  expect(distinguish(panes)).toEqual(['api work:0.0', 'api a:b:0.0']);
  expect(folderName('/')).toBe('/');
});
