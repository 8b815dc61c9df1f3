/** Menus of Gemini CLI that are hard to read. */
import { expect, it } from 'vitest';
import { screenOf } from '../../../test/helpers/draw-screen.ts';
import { screenRulesFor } from './registry.ts';

const gemini = screenRulesFor('gemini');

it('shows that the last answer to a plan takes text, and the label of every other answer', () => {
  const rows = [
    '╭──────────────────────────────────────────╮',
    '│ Ready to start implementation?           │',
    '│                                          │',
    '│ ● 1.  Yes, automatically accept edits    │',
    '│       Approves plan and allows tools to  │',
    '│       run automatically                  │',
    '│   2.  Type your feedback...              │',
    '│                                          │',
    '│ Enter to select · ↑/↓ to navigate ·      │',
    '│ Ctrl+G to edit plan · Esc to cancel      │',
    '╰──────────────────────────────────────────╯',
  ];
  const [yes, words] = gemini.read(screenOf(rows, { width: 44 })).choice?.options ?? [];
  expect(`${yes?.label} ${yes?.description}`).toContain(
    'accept edits Approves plan and allows tools to run automatically',
  );
  expect(words).toMatchObject({ label: 'Type your feedback...', description: '', takesText: true });
});

it.each([1, 2, 3])('does not show a list in a command as answers: the pointer is on answer %i', (at) => {
  const row = (number: number, label: string) =>
    `│ ${number === at ? '●' : ' '} ${number}. ${label}`.padEnd(43).concat('│');
  const { choice } = gemini.read(
    screenOf(
      [
        '╭──────────────────────────────────────────╮',
        '│ ? Shell  Write steps                     │',
        '│ ╭──────────────────────────────────────╮ │',
        '│ │ ❯ 1. Proceed                         │ │',
        '│ │   2. Cancel (esc)                    │ │',
        '│ ╰──────────────────────────────────────╯ │',
        '│ Allow execution of [Shell]?              │',
        '│                                          │',
        row(1, 'Allow once'),
        row(2, 'Allow for this session'),
        row(3, 'No, suggest changes (esc)'),
        '╰──────────────────────────────────────────╯',
      ],
      { width: 44 },
    ),
  );
  expect(choice?.options.map(({ label }) => label)).toEqual([
    'Allow once',
    'Allow for this session',
    'No, suggest changes (esc)',
  ]);
  expect(choice?.pointed).toBe(at - 1);
  expect(choice?.question).toContain('❯ 1. Proceed');
});

it.each([5, null])('shows `Done` below the boxes: the pointer is on answer %s', (pointed) => {
  const sign = (at: number | null) => (pointed === at ? '●' : ' ');
  const { choice } = gemini.read(
    screenOf([
      '╭──────────────────────────────────────────╮',
      '│ Which clients shall it cover?            │',
      '│ (Select all that apply)                  │',
      '│                                          │',
      '│ ▲                                        │',
      '│   4. [x] All of the above                │',
      '│          Select all options              │',
      `│ ${sign(5)} 5. [ ] Enter a custom value            │`,
      `│ ${sign(null)}  Done                                  │`,
      '│    Finish selection                      │',
      '│ ▼                                        │',
      '│                                          │',
      '│ Enter to select · Esc to cancel          │',
      '╰──────────────────────────────────────────╯',
    ]),
  );
  expect(choice?.options).toMatchObject([
    { leads: 'up' },
    { label: 'All of the above', checked: true },
    { label: 'Enter a custom value', checked: false, takesText: true },
    { label: 'Done', description: 'Finish selection', checked: null, leads: null },
  ]);
  expect(choice?.pointed).toBe(pointed === null ? 3 : 2);
});
