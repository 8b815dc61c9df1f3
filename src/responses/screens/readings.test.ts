/** Rule results for recorded screens of the real programs, case by case. */
import { describe, expect, it } from 'vitest';
import { type Recording, readRecordings } from '../../../test/helpers/screen-recordings.ts';
import { DRAFT, LONG_PASTE } from '../../../test/helpers/screen-scenes.ts';
import type { ScreenReading } from '../../protocol/screen.ts';
import { screenRulesFor } from './registry.ts';

const recordings = readRecordings();

function readingsOf(name: string): readonly (readonly [Recording, ScreenReading])[] {
  const found = recordings.filter((recording) => recording.facts.case === name);
  // A case without recordings would pass silently.
  if (found.length === 0) throw new Error(`no recording of the case ${name}`);
  return found.map((recording) => [recording, screenRulesFor(recording.facts.cli).read(recording.screen)]);
}

/** Expects a reading for every recording of a case; the label tells which one failed. */
function expectAll(name: string, expected: (recording: Recording) => Partial<ScreenReading> | null): void {
  for (const [recording, reading] of readingsOf(name)) {
    const wanted = expected(recording);
    if (wanted === null) continue;
    expect({ label: recording.label, ...reading }).toMatchObject({ label: recording.label, ...wanted });
  }
}

const EMPTY = { kind: 'empty' } as const;
const ABSENT = { kind: 'absent' } as const;

describe('recorded screens', () => {
  it('reads an empty composer as empty and idle, with or without ghost text', () => {
    expectAll('start', () => ({ composer: EMPTY, state: 'idle', dialog: null, queued: false }));
  });

  it('reads a draft word for word', () => {
    expectAll('draft', () => ({ composer: { kind: 'draft', text: DRAFT }, dialog: null }));
  });

  it('reads a folded paste as a pill, and an unfolded one as its text', () => {
    for (const [recording, { composer }] of readingsOf('pill')) {
      const unfolded = ['codex', 'aider'].includes(recording.facts.cli);
      expect([recording.label, composer.kind]).toEqual([recording.label, unfolded ? 'draft' : 'pill']);
      if (composer.kind === 'draft') expect(LONG_PASTE.endsWith(composer.text)).toBe(true);
    }
  });

  it.each(['working', 'streaming'])('recognizes that it is working: %s', (name) => {
    expectAll(name, ({ facts }) => {
      // Codex's screen does not show that text streams; its title does.
      const state = facts.cli === 'codex' && name === 'streaming' ? 'unknown' : 'working';
      return { state, dialog: null };
    });
  });

  it('shows the AI as working after half a minute, whatever word the spinner shows', () => {
    expectAll('working-long', () => ({ state: 'working', composer: EMPTY }));
  });

  it('shows that a prompt is queued', () => {
    expectAll('queued', ({ facts, label }) => {
      // Codex takes a prompt into the running turn at once, so no queue is visible.
      if (facts.cli === 'codex') return { queued: false };
      const isNewest = facts.cli === 'claude' && !label.includes('2.1.197');
      const steering = isNewest ? { offersSteering: true } : {};
      return { queued: true, state: 'working', composer: EMPTY, ...steering };
    });
  });

  it('is idle after an interrupted turn', () => {
    expectAll('interrupted', () => ({ state: 'idle', dialog: null }));
  });

  it.each(['prose', 'code', 'list', 'table'])('is idle below an answer with %s', (name) => {
    expectAll(`answer-${name}`, () => ({ state: 'idle', composer: EMPTY, dialog: null, queued: false }));
  });

  it('shows no dialog after it was answered', () => {
    expectAll('after-tool', () => ({ dialog: null, state: 'idle', composer: EMPTY }));
  });
});

describe('recorded dialogs', () => {
  const CASES = [
    ['dialog-command', ['touch made.txt']],
    ['dialog-edit', ['hello']],
    ['dialog-question', ['Which colour do you want?', 'Red', 'The warm one', 'Blue', 'The cold one']],
    ['dialog-trust', ['project']],
    ['dialog-mode', ['auto mode', 'Yes', 'No']],
  ] as const;

  it.each(CASES)('%s: waiting, with question and options', (name, words) => {
    for (const [recording, reading] of readingsOf(name)) {
      const { label, facts } = recording;
      expect([label, reading.state, reading.composer]).toEqual([label, 'waiting', ABSENT]);
      const squeezed = (reading.dialog ?? '').replace(/\s+/g, ' ');
      const wanted = facts.cli === 'aider' ? ['Create new file?', '(Y)es/(N)o', 'hello.txt'] : words;
      for (const word of wanted) expect([label, squeezed]).toEqual([label, expect.stringContaining(word)]);
    }
  });

  it.each([
    ['claude', 'dialog-command', 'Do you want to proceed?', ['1. Yes', '2. Yes, and always allow', 'No']],
    ['claude', 'dialog-edit', 'Do you want to create hello.txt?', ['1. Yes', '3. No']],
    ['claude', 'dialog-question', 'Which colour', ['1. Red', '2. Blue', '4. Chat about this']],
    ['claude', 'dialog-trust', 'Quick safety check', ['Yes, I trust this folder', 'No, exit']],
    ['codex', 'dialog-command', 'Would you like to run', ['1. Yes, proceed', '3. No, and tell Codex']],
    ['gemini', 'dialog-command', 'Allow execution of [Shell]?', ['1. Allow once', '3. No, suggest changes']],
    ['gemini', 'dialog-edit', 'Apply this change?', ['1. Allow once', '4. No, suggest changes']],
    ['gemini', 'dialog-question', 'Which colour', ['1. Red', '3. Enter a custom value']],
    ['opencode', 'dialog-command', 'Permission required', ['Allow once', 'Allow always', 'Reject']],
    ['opencode', 'dialog-question', 'Which colour', ['1. Red', '3. Type your own answer']],
  ] as const)('%s %s: the whole text', (cli, name, question, options) => {
    const found = readingsOf(name).filter(([recording]) => recording.facts.cli === cli);
    expect(found.length).toBeGreaterThan(0);
    for (const [{ label }, { dialog }] of found) {
      // A narrow pane wraps lines and collapses blanks.
      const squeeze = (text: string) => text.replace(/\s+/g, '');
      for (const text of [question, ...options]) {
        expect([label, squeeze(dialog ?? '')]).toEqual([label, expect.stringContaining(squeeze(text))]);
      }
      expect(dialog).not.toMatch(/[╭╮╰╯┃│]/);
    }
  });
});

describe('recorded choices', () => {
  const CLAUDE_QUESTIONS = [
    'SQLite with full text search (recommended)',
    'Plain JSON lines',
    'Type something.',
  ];
  const SEVERAL = ['Claude Code', 'Codex', 'Gemini CLI'];
  const CHOICES = [
    [
      'claude',
      'dialog-plan',
      ['Yes, and use auto mode', 'Yes, manually approve edits', 'Tell Claude what to change'],
    ],
    ['claude', 'dialog-questions', [...CLAUDE_QUESTIONS, 'Chat about this']],
    ['claude', 'dialog-several', [...SEVERAL, 'Type something', 'Submit', 'Chat about this']],
    ['claude', 'dialog-review', ['Submit answers', 'Cancel']],
    ['claude', 'dialog-mode', ['Yes, set auto mode as my default permission mode', 'No, keep manual mode']],
    [
      'codex',
      'dialog-command',
      [
        'Yes, proceed (y)',
        "Yes, and don't ask again for commands that start with `touch made.txt` (p)",
        'No, and tell Codex what to do differently (esc)',
      ],
    ],
    [
      'codex',
      'dialog-edit',
      [
        'Yes, proceed (y)',
        "Yes, and don't ask again for these files (a)",
        'No, and tell Codex what to do differently (esc)',
      ],
    ],
    ['gemini', 'dialog-command', ['Allow once', 'Allow for this session', 'No, suggest changes (esc)']],
    ['gemini', 'dialog-trust', ['Trust folder (project)', 'Trust parent folder (dev)', "Don't trust"]],
    ['gemini', 'dialog-several', [...SEVERAL, 'More answers below']],
    ['gemini', 'dialog-review', ['Submit']],
    ['opencode', 'dialog-command', ['Allow once', 'Allow always', 'Reject']],
    ['opencode', 'dialog-edit', ['Allow once', 'Allow always', 'Reject']],
    ['opencode', 'dialog-several', [...SEVERAL, 'Type your own answer', 'Go on with these']],
    ['opencode', 'dialog-review', ['Submit']],
  ] as const;

  it.each(CHOICES)('%s %s: every answer complete, with the pointer on the first', (cli, name, labels) => {
    const found = readingsOf(name).filter(([recording]) => recording.facts.cli === cli);
    expect(found.length).toBeGreaterThan(0);
    for (const [{ label }, { choice }] of found) {
      const read = choice?.options.map((option) => option.label);
      expect([label, choice?.pointed, read]).toEqual([label, 0, labels]);
    }
  });

  it('shows checked boxes, descriptions and the answer that takes text', () => {
    for (const [{ label }, { choice }] of readingsOf('dialog-several')) {
      const boxes = choice?.options.slice(0, 3).map(({ checked, description }) => [checked, description]);
      const wanted = ['By Anthropic', 'By OpenAI', 'By Google'].map((text, at) => [at === 0, text]);
      expect([label, boxes]).toEqual([label, wanted]);
    }
    for (const [{ label }, { choice }] of readingsOf('dialog-plan'))
      expect([label, choice?.options.map(({ takesText }) => takesText)]).toEqual([
        label,
        [false, false, true],
      ]);
  });

  it('shows no banner, tip or folded call as the question', () => {
    for (const [{ label, facts }, { choice }] of [
      ...readingsOf('dialog-command'),
      ...readingsOf('dialog-edit'),
    ]) {
      if (facts.cli !== 'codex') continue;
      expect([label, choice?.question.split('\n')[0]]).toEqual([
        label,
        expect.stringMatching(/^Would you like to (?:run|make) the following/),
      ]);
    }
  });

  it('reads aider’s letters', () => {
    for (const [{ label }, { choice }] of readingsOf('dialog-command').filter(
      ([{ facts }]) => facts.cli === 'aider',
    ))
      expect([label, choice?.keys, choice?.options.map((option) => option.label)]).toEqual([
        label,
        'letter',
        ['Yes', 'No'],
      ]);
  });
});

describe('vim keys', () => {
  it('recognizes NORMAL mode if the program names it', () => {
    for (const name of ['vim-normal', 'vim-normal-empty'] as const) {
      expectAll(name, ({ facts }) => (facts.cli === 'gemini' ? { vimNormal: true } : null));
    }
  });

  it('never mistakes INSERT mode for NORMAL', () => {
    expectAll('vim-insert', () => ({ vimNormal: false, composer: { kind: 'draft', text: 'a draft' } }));
    expectAll('vim-start', () => ({ vimNormal: false, composer: EMPTY }));
  });
});
