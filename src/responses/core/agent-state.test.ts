import { expect, test } from 'vitest';
import { judgeState, type StateWitnesses, stateOfTitle } from './agent-state.ts';

const silent: StateWitnesses = {
  hook: 'unknown',
  transcript: 'unknown',
  title: 'unknown',
  screen: 'unknown',
  dialog: false,
};

test.each<[string, Partial<StateWitnesses>, ReturnType<typeof judgeState>]>([
  ['nobody knows', {}, { state: 'unknown', trust: null }],
  [
    'the hook beats all',
    { hook: 'idle', transcript: 'working', screen: 'working' },
    { state: 'idle', trust: 'hook' },
  ],
  [
    'the file beats the title',
    { transcript: 'idle', title: 'working' },
    { state: 'idle', trust: 'transcript' },
  ],
  ['the title beats the screen', { title: 'working', screen: 'idle' }, { state: 'working', trust: 'title' }],
  ['the screen alone', { screen: 'working' }, { state: 'working', trust: 'screen' }],
  [
    'a dialog is open while the file says working',
    { transcript: 'working', screen: 'waiting', dialog: true },
    { state: 'waiting', trust: 'screen' },
  ],
])('%s', (_name, said, judged) => {
  expect(judgeState({ ...silent, ...said })).toEqual(judged);
});

test.each([
  ['⠐ Refactor the parser', 'working'],
  ['✳ Claude Code', 'idle'],
  ['◐ Claude Code', 'working'],
  ['◑ Claude Code', 'working'],
  ['⠴ Show the case streaming | project', 'working'],
  ['[ ! ] Action Required | Show the case command | project', 'waiting'],
  ['[ . ] Action Required | Show the case command | project', 'waiting'],
  ['Show the case prose | project', 'unknown'],
  ['✦ Working… (project)', 'working'],
  ['✋ Action Required (project)', 'waiting'],
  ['◇ Ready (project)', 'idle'],
  ['zsh', 'unknown'],
  ['\u2800blank braille is no spinner', 'unknown'],
])('title %s', (title, state) => {
  expect(stateOfTitle(title)).toBe(state);
});
