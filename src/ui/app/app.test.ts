import { describe, expect, it } from 'vitest';
import { fakeReview } from '../../../test/helpers/review-fakes.ts';
import { driveUi } from '../../../test/helpers/ui-driver.ts';
import {
  fakeUi,
  TEST_NOW,
  testClock,
  testDialog,
  testEntry,
  testPane,
  testTurn,
  testView,
} from '../../../test/helpers/ui-fakes.ts';
import type { PastSession } from '../../protocol/past-session.ts';
import { markdownLines } from '../responses/markdown-lines.ts';
import { paneKey } from '../responses/port.ts';
import { QUERY_MAX_CHARACTERS } from './handle-key.ts';

describe('the list of responses', () => {
  it('marks the newest and follows it when another arrives', async () => {
    const fake = fakeUi();
    const ui = await driveUi(fake);
    expect(ui.screen()).toContain('▸ 14:02  Why does the parser');
    fake.setView((view) => ({ ...view, turns: [testTurn('new', { prompt: 'And now?' }), ...view.turns] }));
    expect(ui.screen()).toContain('▸ 14:02  And now?');
    expect(ui.screen()).toContain('Response 1 line');
  });

  it('names the key of changes that nobody has looked at first, however narrow it is', async () => {
    const figures = new Map([['t3', { turn: 't3', files: 2, added: 12, removed: 3, gap: null }]]);
    const view = testView({ changes: { session: null, figures, unseen: 2 } });
    const ui = await driveUi(fakeUi({ view }), { size: { columns: 40, rows: 20 } });
    expect(ui.rows().at(-1)).toMatch(/^ +d changes/);
    const none = await driveUi(fakeUi(), { size: { columns: 40, rows: 20 } });
    expect(none.rows().at(-1)).not.toContain('d changes');
  });

  it('asks for what one answer changed, or for all since before it', async () => {
    const ui = await driveUi(fakeUi());
    await ui.type('jd');
    expect(ui.screen()).toContain('Nothing is known of t2');
    await ui.type('gb');
    expect(ui.screen()).toContain('Nothing is known since before t2');
  });

  it('keeps the mark on an older turn, and never pushes away what is read', async () => {
    const fake = fakeUi();
    const ui = await driveUi(fake);
    await ui.type('j');
    fake.setView((view) => ({ ...view, turns: [testTurn('new'), ...view.turns] }));
    expect(ui.screen()).toContain('▸ 13:55  ### refactor');
    const other = await driveUi(fakeUi());
    await other.type('\rjjj');
    const before = other.rows().slice(8, 20);
    expect(before.join('\n')).toContain('The cause');
    await other.type('');
    expect(other.rows().slice(8, 20)).toEqual(before);
  });

  it('shows what is odd about a turn', async () => {
    const ui = await driveUi(fakeUi());
    await ui.type('jj');
    expect(ui.screen()).toContain('interrupted');
    expect(ui.screen()).toContain('a bell ␇ and a <202E>right-to-left');
  });

  it('shows a burst of keys as its last state', async () => {
    const ui = await driveUi(fakeUi());
    await ui.type('jjkjG');
    expect(ui.screen()).toContain('3 of 3');
  });

  it.each([
    [{ panes: [], selected: null, turns: [] }, 't starts your AI CLI'],
    [{ selected: null, turns: [] }, 't lists the 1 AI pane of tmux'],
    [{ turns: [] }, 'No response yet'],
    [{ turns: [], isLooking: true }, 'Looking for AI panes'],
    [
      {
        turns: [],
        problem: { code: 'not_found', message: 'No marker in the pane', hint: 'Send through copane first.' },
      },
      'Send through copane first.',
    ],
  ] as const)('teaches when it is empty (%#)', async (fields, expected) => {
    const ui = await driveUi(fakeUi({ view: testView(fields) }));
    expect(ui.screen()).toContain(expected);
  });
});

describe('an answer in Markdown', () => {
  const response = '## Why\n\nThe **cause** is `end()`.';

  it('is read without its signs, pulled byte for byte, and shown as written by one key', async () => {
    const ui = await driveUi(fakeUi({ view: testView({ turns: [testTurn('t', { response })] }) }));
    ui.controller.readBy(markdownLines);
    expect(ui.screen()).toMatch(/ Why\n[\s\S]*The cause is end\(\)\./);
    await ui.type('\rM');
    expect(ui.screen()).toContain('The **cause** is `end()`.');
    await ui.type('Mp');
    expect(ui.state().draft.draft.lines.map(({ text }) => text)).toEqual(response.split('\n'));
  });
});

describe('starting an AI CLI', () => {
  it.each(['t', ':start an ai\r'])('by %j: the new pane is followed', async (keys) => {
    const fake = fakeUi({ view: testView({ panes: [], selected: null }), startable: ['claude', 'codex'] });
    const ui = await driveUi(fake);
    await ui.type(keys);
    expect(ui.screen()).toMatch(/start claude {2}in a new pane[\s\S]*start codex/);
    await ui.type('j\r');
    expect(ui.screen()).toContain('codex starts in a new pane');
    expect(fake.ports.responses.getSnapshot().selected).toContain('%77');
  });
});

describe('streaming', () => {
  it('grows in view without moving the reader', async () => {
    const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`).join('\n');
    const turn = (count: number) => testTurn('live', { response: lines(count), progress: 'streaming' });
    const fake = fakeUi({ view: testView({ turns: [turn(100)] }) });
    const ui = await driveUi(fake);
    await ui.type('\r\u0004\u0004');
    const seen = ui.rows().slice(8, 20);
    fake.setView((view) => ({ ...view, turns: [turn(5000)] }));
    expect(ui.rows().slice(8, 20)).toEqual(seen);
    expect(ui.screen()).toContain('5000 lines');
    await ui.type('G');
    fake.setView((view) => ({ ...view, turns: [turn(6000)] }));
    expect(ui.screen()).toContain('line 5999');
  });

  it('counts the seconds of a working AI and stops when it rests', async () => {
    const clock = testClock();
    const fake = fakeUi({
      clock,
      view: testView({
        status: { state: 'working', since: TEST_NOW, dialog: null, queued: false, writing: null },
      }),
    });
    const ui = await driveUi(fake);
    clock.advance(3000);
    expect(ui.rows()[0]).toContain('working 3s');
  });
});

describe('search', () => {
  it('finds, says how many there are, and goes round', async () => {
    const ui = await driveUi(fakeUi());
    await ui.type('\r/parser\r');
    expect(ui.screen()).toContain('Match 1 of 1');
    await ui.type('/LINE\r');
    expect(ui.screen()).toContain('"LINE" is not in the response');
    await ui.type('/`\rnnN');
    expect(ui.screen()).toMatch(/Match \d of \d/);
  });

  it('can be left and cleared', async () => {
    const ui = await driveUi(fakeUi());
    await ui.type('/abc');
    expect(ui.rows().at(-2)).toBe('/abc');
    await ui.type('\u007f');
    expect(ui.rows().at(-2)).toBe('/ab');
    await ui.type('\u001b');
    expect(ui.state().overlay).toBeNull();
  });
});

describe('the search line', () => {
  it.each([0, 1])('does not grow beyond its bound (+%i)', async (over) => {
    const ui = await driveUi(fakeUi());
    await ui.type(`/${'x'.repeat(QUERY_MAX_CHARACTERS + over)}`);
    expect(ui.state().overlay).toMatchObject({ query: 'x'.repeat(QUERY_MAX_CHARACTERS) });
  });
});

describe('earlier sessions', () => {
  const session = (title: string, changedAt: number): PastSession => ({
    session: { cli: 'codex', path: `/s/${title}`, sessionId: title },
    title,
    changedAt,
    answers: 3,
    found: null,
  });
  const sessions = [session('fix the parser', TEST_NOW), session('write the docs', TEST_NOW - 86_400_000)];

  it('are one key away, searched together, read like the others, and left again', async () => {
    const ui = await driveUi(fakeUi({ sessions, view: testView({ turns: [] }) }));
    await ui.type('H');
    expect(ui.screen()).toMatch(/fix the parser[^\n]*3 answers[\s\S]*write the docs/);
    await ui.type('/docs\r');
    expect(ui.screen()).toContain('Sessions with "docs"');
    expect(ui.screen()).not.toContain('fix the parser');
    await ui.type('\r');
    expect(ui.screen()).toMatch(/Earlier session codex/);
    expect(ui.screen()).toContain('write the docs');
    await ui.type('p');
    expect(ui.state().draft.draft.pulls).toHaveLength(1);
    await ui.type('H');
    expect(ui.screen()).toContain('Back to the AI pane');
    await ui.type('\r');
    expect(ui.screen()).not.toContain('Earlier session');
  });

  it('says where there is none, or none with the words', async () => {
    const none = await driveUi(fakeUi());
    await none.type('H');
    expect(none.screen()).toContain('no session of an AI CLI yet');
    const some = await driveUi(fakeUi({ sessions }));
    await some.type('H');
    await some.type('/zebra\r');
    expect(some.screen()).toContain('"zebra" is in no session');
  });
});

describe('overlays', () => {
  const panes = [
    testPane('%1', { state: 'working' }),
    testPane('%2', { cli: 'codex', state: 'waiting', label: 'api:2.1' }),
  ];
  const view = () => testView({ panes, selected: paneKey(testPane('%1').identity) });

  it('lists the panes, marks the one that waits, and follows the chosen one', async () => {
    const fake = fakeUi({ view: view() });
    const ui = await driveUi(fake);
    expect(ui.rows()[0]).toContain('* claude');
    await ui.type('t');
    expect(ui.screen()).toMatch(/\* codex {2}api:2\.1.*waiting for you/);
    await ui.type('j\r');
    expect(fake.ports.responses.getSnapshot().selected).toBe(paneKey(testPane('%2').identity));
    expect(ui.screen()).toContain('Following codex in parser, pane api:2.1');
  });

  it.each([
    ['gone', true],
    ['suspended', true],
    ['idle', false],
  ] as const)('offers another pane first when the AI is %s: %j', async (state, isOffered) => {
    const status = { state, since: TEST_NOW, dialog: null, queued: false, writing: null };
    const ui = await driveUi(fakeUi({ view: testView({ status }) }), { size: { columns: 40, rows: 12 } });
    expect(ui.rows().at(-1)?.includes('t AI panes')).toBe(isOffered);
  });

  it('helps with the keys of the place, and only those', async () => {
    const ui = await driveUi(fakeUi());
    await ui.type('?');
    expect(ui.screen()).toContain('List of responses');
    expect(ui.screen()).not.toContain('insert mode');
    await ui.type('G');
    expect(ui.screen()).toContain('Quit; the draft is kept');
    await ui.type('q');
    expect(ui.state().overlay).toBeNull();
  });

  it('runs a command from the palette by its name', async () => {
    const ui = await driveUi(fakeUi());
    await ui.type('\u0010screen 3\r');
    expect(ui.state().screen).toBe('agent');
    expect(ui.screen()).toContain('proposes edits');
  });

  it('answers a question of the AI only by a choice and Enter', async () => {
    const dialog = testDialog('Run this?\n  rm -rf build', ['Yes', 'No']);
    const fake = fakeUi({
      view: testView({ status: { state: 'waiting', since: TEST_NOW, dialog, queued: false, writing: null } }),
    });
    const ui = await driveUi(fake);
    await ui.type('ga');
    expect(ui.screen()).toContain('rm -rf build');
    // Enter at once could only be a choice that nobody made.
    await ui.type('\r');
    expect(ui.screen()).toContain('No answer is selected');
    await ui.type('2');
    expect(fake.answered).toEqual([]);
    await ui.type('\r');
    expect(fake.answered).toEqual(['No']);
  });

  it('says whole why a turn has no response', async () => {
    const warning = `unexpected status 401: ${'the service refused this key, '.repeat(6)}so log in again`;
    const turn = testTurn('t', { response: '', parts: [], warning });
    const ui = await driveUi(fakeUi({ view: testView({ turns: [turn] }) }));
    expect(ui.screen().replace(/\s+/g, ' ')).toContain('so log in again');
  });

  it('keeps a question open that the AI has not drawn yet, or draws anew', async () => {
    const waiting = {
      state: 'waiting',
      since: TEST_NOW,
      dialog: null,
      queued: false,
      writing: null,
    } as const;
    const dialog = testDialog('Run this?', ['Yes', 'No']);
    const fake = fakeUi({ view: testView({ status: waiting }) });
    const setStatus = (change: object) =>
      fake.setView((view) => ({ ...view, status: { ...view.status, ...change } }));
    const ui = await driveUi(fake);
    await ui.type('ga');
    expect(ui.screen()).toContain('not on its screen yet');
    setStatus({ dialog });
    await ui.type('2');
    expect(ui.screen()).toMatch(/▸ 2\s+No/);
    setStatus({ dialog: null });
    await ui.type('\r');
    expect(fake.answered).toEqual([]);
    setStatus({ dialog });
    await ui.type('\r');
    expect(fake.answered).toEqual(['No']);
    setStatus({ dialog: null, state: 'working' });
    await ui.type('');
    expect(ui.screen()).not.toContain('Run this?');
  });

  it('goes back by q: to screen 1, to the list, out', async () => {
    const ui = await driveUi(fakeUi());
    await ui.type('\r2q');
    expect(ui.state()).toMatchObject({ screen: 'responses', responses: { focus: 'reading' } });
    await ui.type('q');
    expect(ui.state().responses.focus).toBe('list');
    expect(ui.events).toEqual([]);
    await ui.type('q');
    expect(ui.events).toEqual(['quit']);
  });

  it('quits by Ctrl+C from anywhere, but asks while a prompt is being typed', async () => {
    const ui = await driveUi(fakeUi());
    await ui.type('\r\u0003');
    expect(ui.events).toEqual(['quit']);
    const typing = testView({ deliveries: [{ ...testEntry('pasted') }] });
    const other = await driveUi(fakeUi({ view: typing }));
    await other.type('q');
    expect(other.screen()).toContain('Quit all the same?');
    await other.type('n');
    expect(other.events).toEqual([]);
    await other.type('qy');
    expect(other.events).toEqual(['quit']);
  });
});

describe('chords', () => {
  it('shows what may follow, and drops a broken one whole', async () => {
    const ui = await driveUi(fakeUi());
    await ui.type('g');
    expect(ui.rows().at(-1)).toContain('ga');
    await ui.type('q');
    expect(ui.events).toEqual([]);
    await ui.type('gg');
    expect(ui.screen()).toContain('1 of 3');
  });

  it('runs remapped keys and says them in the footer', async () => {
    const ui = await driveUi(fakeUi(), { keys: { 'response/diff': 'Ctrl+X d', 'app/help': 'F1' } });
    expect(ui.rows().at(-1)).toContain('F1 help');
    await ui.type('?');
    expect(ui.state().overlay).toBeNull();
  });
});

describe('code blocks', () => {
  const DIFF = '--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b';
  const answer = `One:\n\n\`\`\`ts\nlet x = 1;\n\`\`\`\n\nTwo:\n\n\`\`\`diff\n${DIFF}\n\`\`\``;
  const open = async () => {
    const review = fakeReview();
    const fake = fakeUi({ review, view: testView({ turns: [testTurn('code', { response: answer })] }) });
    const ui = await driveUi(fake);
    await ui.type('b');
    return { review, fake, ui };
  };

  it('saves one under a name, and nothing without', async () => {
    const { fake, ui } = await open();
    expect(ui.screen()).toContain('w save');
    await ui.type('w');
    expect(ui.screen()).toContain('Save as:');
    await ui.type('src/x.ts\r');
    expect(fake.saved).toEqual([{ name: 'src/x.ts', text: 'let x = 1;' }]);
    expect(ui.screen()).toContain('Saved as src/x.ts');
    await ui.type('bw\r');
    expect(fake.saved).toHaveLength(1);
  });

  it('offers a diff for review; other code is not a diff', async () => {
    const { review, ui } = await open();
    await ui.type('a');
    expect(ui.screen()).toContain('This block is not a diff');
    expect(review.offered).toEqual([]);
    await ui.type('bja');
    expect(review.offered).toEqual([DIFF]);
    expect(ui.screen()).toContain('Offered for review (1 hunk)');
  });

  it('offers neither among the panes', async () => {
    const ui = await driveUi(fakeUi());
    await ui.type('t');
    expect(ui.screen()).not.toContain('w save');
  });
});
