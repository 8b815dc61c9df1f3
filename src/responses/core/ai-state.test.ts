import { expect, test } from 'vitest';
import type { AiState } from '../../protocol/pane.ts';
import { hookWitness, judgeState, type StateWitnesses, stateOfTitle, type TimedState } from './ai-state.ts';

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
    'the hook beats all others',
    { hook: 'idle', transcript: 'working', screen: 'working' },
    { state: 'idle', trust: 'hook' },
  ],
  [
    'the file beats the title',
    { transcript: 'idle', title: 'working' },
    { state: 'idle', trust: 'transcript' },
  ],
  ['the title beats the screen', { title: 'working', screen: 'idle' }, { state: 'working', trust: 'title' }],
  ['only the screen', { screen: 'working' }, { state: 'working', trust: 'screen' }],
  [
    'a dialog is open while the file reports working',
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
  ['\u2800blank braille is not a spinner', 'unknown'],
])('title %s', (title, state) => {
  expect(stateOfTitle(title)).toBe(state);
});

test.each<[string, TimedState | null, TimedState[], AiState]>([
  ['no hook, no report', null, [{ state: 'idle', at: 5 }], 'unknown'],
  ['its report applies unless another source disagrees', at('working', 0), [at('working', 9_000)], 'working'],
  ['a file written earlier has no news', at('working', 5_000), [at('idle', 4_000)], 'working'],
  ['the end of a turn arrives before the file', at('idle', 5_000), [at('working', 6_500)], 'idle'],
  ['a held prompt begins without a hook', at('idle', 5_000), [at('working', 7_500)], 'unknown'],
  ['a turn was stopped without a hook', at('working', 5_000), [at('idle', 7_500)], 'unknown'],
  ['a CLI that asks looks idle', at('waiting', 5_000), [at('idle', 60_000)], 'waiting'],
  ['a question was answered without a hook', at('waiting', 5_000), [at('working', 7_500)], 'unknown'],
  ['an unknown state decides nothing', at('working', 0), [at('unknown', 9_000)], 'working'],
])('hookWitness: %s', (_, hook, later, expected) => {
  expect(hookWitness(hook, later)).toBe(expected);
});

function at(state: AiState, ms: number): TimedState {
  return { state, at: ms };
}
