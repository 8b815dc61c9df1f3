/** Menus of Codex that are hard to read. */
import { expect, it } from 'vitest';
import { screenOf } from '../../../test/helpers/draw-screen.ts';
import { screenRulesFor } from './registry.ts';

const codex = screenRulesFor('codex');

it('shows the whole question if a path spans two rows', () => {
  const { choice } = codex.read(
    screenOf(
      [
        '• I run one command first.',
        '',
        '• Added hello.txt (+2 -0)',
        '    1 +hello',
        '    + Show details',
        '',
        '  Would you like to make the following',
        '  edits?',
        '',
        '  Destination:',
        '  /tmp/a-folder-with-a-long-name/project/hello.',
        '  txt',
        '',
        '› 1. Yes, proceed (y)',
        '  2. No, and tell Codex what to do',
        '     differently (esc)',
        '',
        '  Press enter to confirm or esc to cancel',
      ],
      { width: 44 },
    ),
  );
  expect(choice?.question).toMatch(/^Would you like[\s\S]*hello\.\ntxt$/);
  expect(choice?.options).toHaveLength(2);
});

it('shows the column beside the answers as their descriptions', () => {
  const rows = [
    '  Implement this plan?',
    '',
    '› 1. Yes, implement this plan          Switch to Default and start coding',
    '  2. Yes, clear context and implement  Fresh thread with this plan',
    '  3. No, stay in Plan mode             Continue planning with the model',
    '',
    '  enter select · esc back',
  ];
  const { choice } = codex.read(screenOf(rows, { width: 100 }));
  expect(choice?.options).toMatchObject([
    {
      label: 'Yes, implement this plan',
      description: 'Switch to Default and start coding',
      takesText: false,
    },
    {
      label: 'Yes, clear context and implement',
      description: 'Fresh thread with this plan',
      takesText: false,
    },
    { label: 'No, stay in Plan mode', description: 'Continue planning with the model', takesText: false },
  ]);
});
