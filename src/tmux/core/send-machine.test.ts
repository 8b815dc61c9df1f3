import { describe, expect, it } from 'vitest';
import { HELD, look, PANE, play, REQUEST, SENT } from '../../../test/helpers/send-play.ts';
import { wrapInMarkers } from '../../lib/markers.ts';
import type { Look } from './send-evidence.ts';
import { startSubmit } from './send-machine.ts';
import { DEFAULT_SEND_LIMITS, type SendRequest } from './send-model.ts';

describe('a send', () => {
  it('is delivered when the composer accepted it', () => {
    expect(play([look(), look({ composer: HELD }), look()])).toEqual([
      ...SENT,
      'save delivered',
      'delivered | screen',
    ]);
  });

  it('waits for its turn if Enter would discard the current answer, unless it should interrupt', () => {
    const looks = [
      look({ state: 'working' }),
      look({ composer: HELD, state: 'working' }),
      look({ state: 'working', queued: true }),
    ];
    const codex = { ...REQUEST, cli: 'codex', provable: true } as const;
    const inCodex = (seen: Look): Look => ({ ...seen, foreground: { kind: 'cli', cli: 'codex', pid: 900 } });
    expect(play(looks.map(inCodex), codex)).toContain('enter Tab');
    expect(play(looks.map(inCodex), codex).at(-1)).toBe('queued | screen');
    expect(play(looks.map(inCodex), { ...codex, whenBusy: 'steer' })).toContain('enter');
    expect(play(looks, { ...REQUEST, provable: true })).toContain('enter');
    const atRest = [look(), look({ composer: HELD }), look()];
    expect(play(atRest.map(inCodex), codex)).toContain('enter');
  });

  it('sends a queued prompt at once if the screen names the keys for that', () => {
    const waits = look({ state: 'working', queued: true });
    const offered = look({ state: 'working', queued: true, offersSteering: true });
    const steering = { ...REQUEST, provable: true, whenBusy: 'steer' } as const;
    const start = [look({ state: 'working' }), look({ composer: HELD })];
    const proofs = [
      { proof: 'queued', look: offered },
      { proof: 'queued', look: waits },
      { proof: 'transcript', look: look({ state: 'working' }) },
    ] as const;
    const broken = [...SENT, 'enter C-x C-s', 'save delivered', 'delivered | transcript'];
    expect(play([...start, { proof: 'queued', look: waits }, ...proofs], steering)).toEqual(broken);
    expect(play([...start, offered, { proof: 'queued', look: waits }], steering).at(-1)).toBe(
      'queued | transcript',
    );
    // Not from an earlier waiting prompt while ours is still in the composer.
    const held = look({ composer: HELD, state: 'working', queued: true, offersSteering: true });
    expect(play([...start, held, { proof: 'transcript', look: offered }], steering)).not.toContain(
      'enter C-x C-s',
    );
    const old = play([...start, { proof: 'queued', look: waits }], steering);
    expect(old).toEqual([...SENT, 'save queued', 'queued | transcript']);
    const waiting = { ...steering, whenBusy: 'queue' } as const;
    expect(play([...start, { proof: 'queued', look: offered }], waiting).at(-1)).toBe('queued | transcript');
  });

  it('waits in pi until all is done, unless it should interrupt', () => {
    const looks = [look({ state: 'working' }), look({ composer: HELD, state: 'working' }), look()];
    const pi = { ...REQUEST, cli: 'pi' } as const;
    const inPi = looks.map((seen): Look => ({ ...seen, foreground: { kind: 'cli', cli: 'pi', pid: 900 } }));
    expect(play(inPi, pi)).toContain('enter M-Enter');
    expect(play(inPi, { ...pi, whenBusy: 'steer' })).toContain('enter');
  });

  it('is delivered according to the transcript, even while the screen lags', () => {
    const looks = [
      look(),
      look({ composer: HELD }),
      { proof: 'transcript', look: look({ composer: HELD }) },
    ] as const;
    expect(play(looks, { ...REQUEST, provable: true }).at(-1)).toBe('delivered | transcript');
  });

  it('with a transcript, an empty composer alone proves nothing', () => {
    const request = { ...REQUEST, provable: true };
    expect(play([look(), look({ composer: HELD }), look()], request).at(-1)).toMatch(/^unconfirmed/);
  });

  it('waits for the composer to show the text, at most a second', () => {
    const slow = [look(), look(), look(), look({ composer: HELD }), look()];
    expect(play(slow).slice(0, 5)).toEqual(SENT);
    expect(play([look()]).at(-1)).toMatch(/^unconfirmed/);
  });

  it('repeats Enter, never the paste, while the composer holds the text', () => {
    const acts = play([look(), look({ composer: HELD })]);
    expect(acts.filter((act) => act === 'enter')).toHaveLength(DEFAULT_SEND_LIMITS.maxEnters);
    expect(acts.filter((act) => act === 'paste')).toHaveLength(1);
    expect(acts.at(-1)).toMatch(/^staged/);
  });

  it('repeats no Enter on text of the user, on a dialog, or on a folded paste that is gone', () => {
    const held = look({ composer: HELD });
    for (const then of [
      look({ composer: { kind: 'draft', text: 'please' } }),
      look({ composer: { kind: 'draft', text: 'e' } }),
      look({ composer: HELD, dialog: 'Do you want to?' }),
      look({ composer: { kind: 'absent' } }),
    ]) {
      expect(play([look(), held, then]).filter((act) => act === 'enter')).toHaveLength(1);
    }
  });

  it('presses no Enter if other text was typed in between', () => {
    const fused = look({ composer: { kind: 'draft', text: 'and fix the parser\nplease' } });
    expect(play([look(), fused])).toEqual([
      'record',
      'save pasted',
      'paste',
      'save staged',
      expect.stringMatching(/^staged/),
    ]);
  });

  it('is not delayed by a footer that was read as part of the composer', () => {
    const footer = { rows: [' workspace   /tmp/x'] };
    const text = `${REQUEST.text}\nworkspace   /tmp/x`;
    const held = look({ composer: { kind: 'draft', text } }, footer);
    expect(play([look({}, footer), held, look({}, footer)])).toContain('enter');
  });

  it('is delivered if the CLI accepted it and works on it, although its transcript lags', () => {
    const looks = [look(), look({ composer: HELD }), look({ state: 'working' })];
    expect(play(looks, { ...REQUEST, provable: true }).at(-1)).toBe('delivered | screen');
  });

  it.each([0, 2])('is queued in a program that is starting, with the cursor in row %i', (cursorRow) => {
    const rows = ['› fix the parser', '  please', '', '  Waiting for startup'];
    const empty = look();
    const held = look({ composer: HELD }, { rows: rows.slice(0, 2) });
    const absent = { kind: 'absent' } as const;
    const waits = look({ composer: absent, queued: true, state: 'working' }, { rows, cursorRow });
    const done = play([empty, held, waits], { ...REQUEST, provable: true });
    expect(done.filter((each) => each.startsWith('enter'))).toHaveLength(1);
    expect(done.at(-1)).toBe('queued | screen');
  });

  it('is queued: by the screen after a moment, at once by the transcript', () => {
    const queued = look({ queued: true, state: 'working' });
    const busy = look({ state: 'working' });
    const held = look({ composer: HELD, state: 'working' });
    expect(play([busy, held, queued]).at(-1)).toBe('queued | screen');
    expect(play([busy, held, { proof: 'queued', look: queued }]).at(-1)).toBe('queued | transcript');
    expect(play([busy, held, busy], { ...REQUEST, provable: true }).at(-1)).toBe('queued | screen');
  });

  it('ends when the CLI ends', () => {
    const gone = look({}, { pane: null });
    const shell = look({}, { foreground: { kind: 'shell', name: 'zsh', pid: 1 } });
    expect(play([look(), gone]).at(-1)).toMatch(/^unconfirmed/);
    expect(play([look(), shell])).not.toContain('enter');
    expect(play([look(), look({ composer: HELD }), gone]).at(-1)).toMatch(/^unconfirmed/);
  });

  it('with markers is proven by the closing one above the cursor, not at it', () => {
    const text = wrapInMarkers('hi', new Date(2026, 0, 2, 3, 4, 5));
    const request: SendRequest = { ...REQUEST, cli: 'generic', text, marked: true };
    const absent = { composer: { kind: 'absent' } } as const;
    const rows = text.split('\n');
    const old = ['### END PROMPT', 'old answer'];
    const before = look(absent, { rows: old, cursorRow: 2 });
    const at = look(absent, { rows: [...old, ...rows], cursorRow: 6 });
    const above = look(absent, { rows: [...old, ...rows, ''], cursorRow: 7 });
    expect(play([before, at, above], request).at(-1)).toBe('delivered | marker');
    expect(play([before, at], request).at(-1)).toMatch(/^staged/);
    expect(play([before, before], request).at(-1)).toMatch(/^unconfirmed/);
  });
});

describe('a program without echo', () => {
  const text = wrapInMarkers('hi', new Date(2026, 0, 2, 3, 4, 5));
  const request: SendRequest = { ...REQUEST, cli: 'generic', text, marked: true };
  const seen = (rows: readonly string[], cursorRow: number) =>
    look({ composer: { kind: 'absent' } }, { rows: ['ready', '> ', ...rows], cursorRow: cursorRow + 2 });
  const rows = text.split('\n');
  const silent = seen([], -1);
  const quiet = Array.from({ length: 20 }, () => silent);

  it('has the text if an answer below it appeared only after Enter', () => {
    const taken = [seen(rows, 5), seen([...rows, 'An answer.', '> '], 7)];
    expect(play([...quiet, ...taken], request).at(-1)).toBe('delivered | marker');
  });

  it('does not have it while nothing is below it', () => {
    expect(play([...quiet, seen(rows, 5)], request).at(-1)).toMatch(/^unconfirmed/);
    expect(play([silent], request).at(-1)).toMatch(/^unconfirmed/);
  });
});

describe('guards', () => {
  it.each(['vi', 'vim', 'nvim', 'nano', 'emacs', 'less', 'more', 'top', 'htop', 'lazygit'])(
    'types nothing into %s, whose keys are commands',
    (name) => {
      const first = look({}, { foreground: { kind: 'program', name, pid: 1 } });
      expect(play([first], { ...REQUEST, cli: 'generic' }).at(-1)).toMatch(
        /^refused .* read the text as commands/,
      );
    },
  );

  it.each(['llm', 'ssh', 'tmux', 'python3', 'viper'])('types into %s', (name) => {
    const first = look({}, { foreground: { kind: 'program', name, pid: 1 } });
    expect(play([first], { ...REQUEST, cli: 'generic' })).toContain('paste');
  });

  const cases: readonly (readonly [string, Look, RegExp])[] = [
    [
      'dialog',
      look({ dialog: 'Do you want to run rm?\n1. Yes' }),
      /refused: .*waits for you: Do you want to run rm\?/,
    ],
    [
      'question below its tabs',
      look({ dialog: '←  ☐ Storage  ☐ Clients  ✔ Submit  →\n\n Which storage shall\n the index use?' }),
      /waits for you: Which storage shall the index use\?/,
    ],
    [
      'question below its tab, with answers',
      look({
        dialog: '☐ Colour\n\nWhich colour?\n1. Red',
        choice: { question: '☐ Colour\n\nWhich colour?', options: [], pointed: null, keys: 'down' },
      }),
      /waits for you: Which colour\?(?: ->|;|$)/,
    ],
    ['draft', look({ composer: { kind: 'draft', text: 'half' } }), /refused: .*draft: half/],
    ['folded paste of someone else', look({ composer: { kind: 'pill', text: '[Pasted text #1]' } }), /draft/],
    ['vim NORMAL', look({ vimNormal: true }), /vim NORMAL/],
    ['shell', look({}, { foreground: { kind: 'shell', name: 'zsh', pid: 1 } }), /a shell \(zsh\)/],
    [
      'another program',
      look({}, { foreground: { kind: 'program', name: 'vim', pid: 1 } }),
      /vim is in the foreground/,
    ],
    ['gone', look({}, { pane: null }), /not_found: pane %3 is gone/],
    ['dead', look({}, { pane: { ...PANE, dead: true } }), /not_found: .*ended/],
    [
      'other pane',
      look({}, { pane: { ...PANE, identity: { ...PANE.identity, panePid: 1 } } }),
      /another program/,
    ],
    ['no input', look({}, { pane: { ...PANE, inputOff: true } }), /takes no input/],
    ['synchronized', look({}, { pane: { ...PANE, synchronized: true } }), /synchronize-panes/],
    ['no input box', look({ composer: { kind: 'absent' } }), /shows no input box/],
    ['long line', look({}, { lineMaxBytes: 13 }), /line 1 has 14 bytes/],
    ['unframed lines', look({}, { pane: { ...PANE, bracketedPaste: false } }), /one piece/],
  ];
  it.each(cases)('%s: types nothing', (_name, first, message) => {
    const acts = play([first]);
    expect(acts.slice(0, -1)).toEqual(['record', 'save refused']);
    expect(acts.at(-1)).toMatch(/^refused/);
    expect(acts.at(-1)).toMatch(message);
  });

  it('waits for an input box that appears in time', () => {
    const starting = look({ composer: { kind: 'absent' } });
    expect(play([starting, starting, look(), look({ composer: HELD }), look()]).at(-1)).toBe(
      'delivered | screen',
    );
  });

  it('ignores a draft or a dialog in a single look: the screen was half drawn', () => {
    const halfDrawn = [
      look({ composer: { kind: 'draft', text: 'x' } }),
      look({ dialog: 'Do you want' }),
      look(),
      look({ composer: HELD }),
      look(),
    ];
    expect(play(halfDrawn).at(-1)).toBe('delivered | screen');
  });

  it('sends a line that just fits, and an unframed single line', () => {
    expect(play([look({}, { lineMaxBytes: 14 }), look({ composer: HELD }), look()])).toContain('paste');
    const single = { ...REQUEST, text: 'one line' };
    const unframed = look({}, { pane: { ...PANE, bracketedPaste: false } });
    expect(play([unframed, unframed], single)).toContain('paste');
  });
});

describe('pressing Enter later', () => {
  it('only while the composer holds the text', () => {
    const start = startSubmit(0);
    expect(play([look({ composer: HELD }), look()], REQUEST, start)).toEqual([
      'save submitted',
      'enter',
      'save delivered',
      'delivered | screen',
    ]);
    expect(play([look()], REQUEST, start)).toEqual([
      'save refused',
      expect.stringMatching(/no longer holds/),
    ]);
  });
});
