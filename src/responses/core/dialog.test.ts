import { describe, expect, it } from 'vitest';
import type { AskedCall, Choice } from '../../protocol/dialog.ts';
import { composeDialog, isSameChoice, planRefusal } from './dialog.ts';

function choice(question: string, labels: readonly string[], more: Partial<Choice> = {}): Choice {
  const options = labels.map((label) => ({
    label,
    description: '',
    checked: null,
    takesText: false,
    leads: null,
  }));
  return { question, options, pointed: 0, keys: 'down', ...more };
}

const PLAN =
  '# Plan\n\n1. Read `push`, which keeps an incomplete line.\n2. Add **end**.\n\n```ts\nend();\n```\n';

describe('a dialog with its data', () => {
  it('shows every line of a plan and its question', () => {
    const seen = choice(
      "Ready to code?\n\nHere is Claude's plan:\nPlan\n\n1. Read push, which keeps\n   an incomplete line.\n\nWould you like to\nproceed?",
      ['Yes, and use auto mode', 'Tell Claude what to change'],
    );
    const dialog = composeDialog(seen, [{ kind: 'plan', text: PLAN }]);
    expect(dialog).toMatchObject({ kind: 'plan', source: 'transcript' });
    expect(dialog.question).toBe(
      `Ready to code?\n\nHere is Claude's plan:\n\n${PLAN.trimEnd()}\n\nWould you like to\nproceed?`,
    );
  });

  it('keeps questions in words of the plan, and drops other text that the program draws', () => {
    const plan = [
      '# Odd',
      '',
      '1. First step',
      '   1. Nested one',
      '2. Run:',
      '',
      '```sh',
      '❯ 1. Yes',
      'echo "Would you like to proceed?"',
      '```',
      '',
      '3. Ask: Do you want to proceed?',
      '',
      '| a | b |',
      '|---|---|',
      '| 1 | 漢字 |',
    ].join('\n');
    const drawn = [
      'Odd',
      '',
      '1. First step',
      '   a. Nested one',
      '2. Run:',
      '',
      '  1 ❯ 1. Yes',
      '  2 echo "Would you like to proceed?"',
      '',
      '3. Ask: Do you want to proceed?',
      '┌───┬──────┐',
      '│ a │ b    │',
    ].join('\n');
    const asks = 'Claude has written up a plan and is\nready to execute. Would you like to\nproceed?';
    const seen = choice(`Here is Claude's plan:\n\n${drawn}\n\n${asks}`, ['Yes, and use auto mode', 'No']);
    expect(composeDialog(seen, [{ kind: 'plan', text: plan }]).question).toBe(
      `Here is Claude's plan:\n\n${plan}\n\n${asks}`,
    );
  });

  it.each([
    ['Implement this plan?', ['Yes, implement this plan', 'No, stay in Plan mode'], 1, 'behind'],
    ['Plan at a/b.md is complete. Would you like to switch?', ['Yes', 'No'], 1, 'behind'],
    ['Go on?', ['Yes, approve the plan', 'Type your feedback...'], 1, 'inside'],
    ['Update now?', ['Yes', 'No'], null, null],
    ['Which plan do you pay for?', ['Pro', 'Max'], null, null],
  ] as const)('recognizes how a plan is refused: %s', (question, labels, option, words) => {
    const plain = choice(question, labels);
    const options = plain.options.map((each) => ({ ...each, takesText: each.label.startsWith('Type') }));
    const refusal = planRefusal(composeDialog({ ...plain, options }, [{ kind: 'plan', text: PLAN }]));
    expect(refusal).toEqual(option === null ? null : { option, words });
  });

  it('shows the whole command if the screen folds it', () => {
    const text = 'for f in *; do\n  rm -- "$f"\ndone\ngit push --force';
    const seen = choice('Bash command\n\n  for f in *; do\n  … +3 lines\n\nDo you want to proceed?', [
      'Yes',
      'No',
    ]);
    const dialog = composeDialog(seen, [{ kind: 'command', text, reason: 'Clean up' }]);
    expect(dialog.kind).toBe('command');
    expect(dialog.question).toContain(text);
    expect(dialog.question).toContain('Do you want to proceed?');
  });

  it.each(['... first 1 lines hidden (Ctrl+O to show) ...', '... 1 hidden (Ctrl+O) ...'])(
    'reports that the screen hides a part, unless all of it is known: %s',
    (fold) => {
      const seen = choice(`? Shell\n\n  ${fold}\n  rm -rf build\n\nAllow execution?`, ['Allow once', 'No']);
      expect(composeDialog(seen, [])).toMatchObject({ folded: 'unhooked', question: seen.question });
      expect(composeDialog(seen, [], true).folded).toBe('untold');
      const text = 'cd project\nrm -rf build';
      const dialog = composeDialog(seen, [{ kind: 'command', text, reason: '' }]);
      expect(dialog.folded).toBeNull();
      expect(dialog.question).toBe(`? Shell\n\n${text}\n\nAllow execution?`);
    },
  );

  it('picks the call that the screen shows if several wait', () => {
    const asked: AskedCall[] = [
      { kind: 'command', text: 'make clean', reason: '' },
      { kind: 'edit', path: '/p/src/a.ts', text: '-old\n+new' },
    ];
    expect(composeDialog(choice('Do you want to edit a.ts?', ['Yes']), asked).question).toContain(
      '-old\n+new',
    );
    expect(composeDialog(choice('Run this command?\n\n$ make clean', ['Yes']), asked).kind).toBe('command');
    expect(composeDialog(choice('Trust this folder?', ['Yes']), asked)).toMatchObject({
      kind: 'other',
      source: 'screen',
      question: 'Trust this folder?',
    });
  });

  describe('among several calls', () => {
    const command = (text: string): AskedCall => ({ kind: 'command', text, reason: '' });
    const steps = ['npm ci', 'npm test'];
    const removes = [1, 2, 3, 4, 5, 6, 7].map((part) => `rm -rf packages/p${part}`);
    const first = command(['set -e', ...removes, ...steps].join('\n'));
    const second = command(['set -e', ...steps].join('\n'));
    const fold = '... first 6 lines hidden (Ctrl+O to show) ...';
    const rows = (part: readonly string[]) =>
      choice(['? Shell  set -e', fold, ...part, 'Allow execution of: rm, npm?'].join('\n'), ['Allow once']);
    const folded = rows([...removes.slice(-2), ...steps]);

    it.each([
      ['comes last', [first, second]],
      ['comes first', [second, first]],
      ['was asked twice', [first, second, first]],
    ])('picks the one whose rows are shown, which %s', (_what, asked) => {
      const dialog = composeDialog(folded, asked);
      expect(dialog).toMatchObject({ kind: 'command', folded: null });
      expect(dialog.question).toContain('rm -rf packages/p1\n');
    });

    it.each<[string, Choice, AskedCall[]]>([
      ['one that shares its last lines', folded, [second]],
      ['two that end with the visible rows', rows(steps), [first, second]],
      [
        'one that begins with the same folder',
        choice('? Shell  cd /home/me/a-long-name && rm -rf dist\n\ncd /home/me/a-long-name && rm -rf dist', [
          'Yes',
        ]),
        [command('cd /home/me/a-long-name && npm test')],
      ],
      [
        'one that is its end',
        choice('? Shell  cd ..\ncd ..\n\nnpm test\nAllow?', ['Yes']),
        [command('npm test')],
      ],
      [
        'one that is its beginning',
        choice('? Shell  npm test\nnpm test\nnpm publish\nAllow?', ['Yes']),
        [command('npm test')],
      ],
      [
        'a change of another file of the same name',
        choice('? Edit b/index.ts\n1 - old\n1 + new\nApply this change?', ['Yes']),
        [{ kind: 'edit', path: '/p/a/index.ts', text: '@@ -1 +1 @@\n-old\n+two' }],
      ],
      [
        'a new file of the same name',
        choice('? WriteFile b/index.ts\n1 hello\n2 world\nApply this change?', ['Yes']),
        [{ kind: 'edit', path: '/p/a/index.ts', text: '@@ -0,0 +1,2 @@\n+hello\n+all' }],
      ],
    ])('uses only the screen rather than %s', (_what, seen, asked) => {
      const { question } = seen;
      const folded = question.includes('hidden') ? 'unhooked' : null;
      expect(composeDialog(seen, asked)).toMatchObject({ source: 'screen', question, folded });
    });

    it.each([
      ['of which Codex omits the middle', '[… 6 lines] ^a view all\nnpm test'],
      ['of which Codex omits the end', '[… 8 lines] ^a view all'],
      ['of which opencode cuts the end', removes[0] ?? ''],
    ])('recognizes a command %s, but not one with the same beginning', (_what, end) => {
      const seen = choice(`Run this?\n\n# Shell command\n\n$ set -e\n${end}`, ['Yes']);
      const dialog = composeDialog(seen, [command('set -x\nnpm test'), first]);
      expect(dialog.question).toContain(removes.join('\n'));
      expect(dialog.question).not.toContain('lines]');
      expect(composeDialog(seen, [command('ls -l')])).toMatchObject({ kind: 'other' });
    });

    it('prefers the command that the screen shows in full', () => {
      const seen = choice('Run this?\n\n$ npm test', ['Yes']);
      const asked = [command('npm test\nnpm publish'), command('npm test')];
      expect(composeDialog(seen, asked).question).toBe('Run this?\n\nnpm test');
    });

    it('recognizes a command as longer than its rows if some are hidden', () => {
      expect(composeDialog(rows(steps), [command(steps.join('\n'))]).kind).toBe('other');
    });

    it('recognizes a command whose first lines scrolled off the screen', () => {
      const seen = choice('npm ci\nnpm\ntest\nDo you want to proceed?', ['Yes']);
      expect(composeDialog(seen, [first]).question).toContain('packages/p1');
    });

    it('recognizes a change with old and new lines side by side, and with lines around it', () => {
      const seen = choice('Edit a.ts\n\n1   same    1   same\n2 - old     2 + new', ['Yes']);
      expect(composeDialog(seen, [{ kind: 'edit', path: 'a.ts', text: '-old\n+new' }]).kind).toBe('edit');
    });
  });

  it('shows the labels and descriptions of a question in full', () => {
    const asked: AskedCall = {
      kind: 'questions',
      questions: [
        {
          question: 'Which storage?',
          options: [{ label: 'SQLite with full text search', description: 'One file' }],
        },
        { question: 'Which clients?', options: [] },
      ],
    };
    const dialog = composeDialog(
      choice('☐ Storage\n\nWhich storage?', ['SQLite with full…', 'Chat about this']),
      [asked],
    );
    expect(dialog.question).toBe('1 of 2: Which storage?');
    expect(dialog.options).toMatchObject([
      { label: 'SQLite with full text search', description: 'One file' },
      { label: 'Chat about this', description: '' },
    ]);
  });

  it('shows a summary page as it is', () => {
    const questions = ['Which storage?', 'Which clients?'].map((question) => ({ question, options: [] }));
    const seen = choice('Review your answers\n● Which storage?\n→ SQLite\n● Which clients?\n→ Codex', [
      'Submit',
    ]);
    expect(composeDialog(seen, [{ kind: 'questions', questions }]).question).toBe(seen.question);
  });
});

it('recognizes the same dialog wherever its pointer is, and tells two dialogs apart', () => {
  const one = choice('Run make?', ['Yes', 'No']);
  expect(isSameChoice(one, { ...one, pointed: 1, question: 'Run\nmake?' })).toBe(true);
  expect(isSameChoice(one, choice('Run make install?', ['Yes', 'No']))).toBe(false);
  expect(isSameChoice(one, choice('Run make?', ['Yes', 'Yes, always', 'No']))).toBe(false);
});

describe('a command that Gemini CLI folds', () => {
  const STEPS = Array.from({ length: 60 }, (_, at) => `echo "step ${at + 1}" >> steps.txt`);
  const folded = (hidden: number, steps: readonly string[] = STEPS) => {
    const rows = [`... first ${hidden} lines hidden (Ctrl+O to show) ...`, ...steps.slice(hidden)];
    return choice(['? Shell  Many steps', ...rows, 'Allow execution of [Shell]?'].join('\n'), ['Yes', 'No']);
  };

  it.each([
    [43, 34],
    [34, 35],
    [35, 60],
  ])('is the same with %i and with %i rows hidden', (before, now) => {
    expect(isSameChoice(folded(before), folded(now))).toBe(true);
    expect(isSameChoice(folded(now), folded(before))).toBe(true);
  });

  const OTHERS: readonly (readonly [string, Choice])[] = [
    ['of another length', folded(36, [...STEPS, 'rm -r .'])],
    ['with another row in view', folded(34, STEPS.with(50, 'rm -r .'))],
    ['with an end of its own', folded(34, STEPS.with(59, 'rm -r .'))],
    ['of which fewer rows are folded than the count says', folded(35, ['rm -r .', ...STEPS])],
    [
      'that is not folded',
      choice(`? Shell  Many steps\n${STEPS.join('\n')}\nAllow execution of [Shell]?`, ['Yes', 'No']),
    ],
  ];
  it.each(OTHERS)('is not one %s', (_how, other) => {
    expect(isSameChoice(folded(35), other)).toBe(false);
  });
});
