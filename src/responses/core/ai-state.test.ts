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
  ['\u2800blank braille is not a spinner', 'unknown'],
])('title %s', (title, state) => {
  expect(stateOfTitle(title)).toBe(state);
});

test.each<[string, TimedState | null, TimedState[], AiState]>([
  ['no hook, no word', null, [{ state: 'idle', at: 5 }], 'unknown'],
  ['its word stands while nobody says otherwise', at('working', 0), [at('working', 9_000)], 'working'],
  [
    'a file that was written before it says nothing new',
    at('working', 5_000),
    [at('idle', 4_000)],
    'working',
  ],
  ['the end of a turn outruns the file', at('idle', 5_000), [at('working', 6_500)], 'idle'],
  ['a prompt that was held begins, and no hook tells', at('idle', 5_000), [at('working', 7_500)], 'unknown'],
  ['a turn was stopped, and no hook tells', at('working', 5_000), [at('idle', 7_500)], 'unknown'],
  ['a CLI that asks looks at rest', at('waiting', 5_000), [at('idle', 60_000)], 'waiting'],
  ['a question was answered, and no hook tells', at('waiting', 5_000), [at('working', 7_500)], 'unknown'],
  ['who knows nothing says nothing', at('working', 0), [at('unknown', 9_000)], 'working'],
])('hookWitness: %s', (_, hook, later, expected) => {
  expect(hookWitness(hook, later)).toBe(expected);
});

function at(state: AiState, ms: number): TimedState {
  return { state, at: ms };
}
