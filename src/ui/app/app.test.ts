import { describe, expect, it } from 'vitest';
import { driveUi } from '../../../test/helpers/ui-driver.ts';
import { fakeUi, TEST_NOW, testClock, testTurn, testView } from '../../../test/helpers/ui-fakes.ts';
import type { PastSession } from '../../protocol/past-session.ts';
import { markdownLines } from '../responses/markdown-lines.ts';
import { QUERY_MAX_CHARACTERS } from './handle-key.ts';

describe('the list of responses', () => {
  it('marks the newest and moves on when another arrives', async () => {
    const fake = fakeUi();
    const ui = await driveUi(fake);
    expect(ui.screen()).toContain('▸ 14:02  Why does the parser');
    fake.setView((view) => ({ ...view, turns: [testTurn('new', { prompt: 'And now?' }), ...view.turns] }));
    expect(ui.screen()).toContain('▸ 14:02  And now?');
    expect(ui.screen()).toContain('Response 1 line');
  });

  it('shows the key for unseen changes first, however narrow the pane', async () => {
    const figures = new Map([['t3', { turn: 't3', files: 2, added: 12, removed: 3, gap: null }]]);
    const view = testView({ changes: { session: null, figures, unseen: 2 } });
    const ui = await driveUi(fakeUi({ view }), { size: { columns: 40, rows: 20 } });
    expect(ui.rows().at(-1)).toMatch(/^ +d changes/);
    const none = await driveUi(fakeUi(), { size: { columns: 40, rows: 20 } });
    expect(none.rows().at(-1)).not.toContain('d changes');
  });

  it('requests the changes of one answer, or of all since before it', async () => {
    const ui = await driveUi(fakeUi());
    await ui.type('jd');
    expect(ui.screen()).toContain('Nothing is known of t2');
    await ui.type('gb');
    expect(ui.screen()).toContain('Nothing is known since before t2');
  });

  it('keeps the mark on an older turn, and never pushes away what is being read', async () => {
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

  it('shows what is unusual about a turn', async () => {
    const ui = await driveUi(fakeUi());
    await ui.type('jj');
    expect(ui.screen()).toContain('interrupted');
    expect(ui.screen()).toContain('a bell ␇ and a <202E>right-to-left');
  });

  it('draws only the final state of a burst of keys', async () => {
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
  ] as const)('explains what to do if empty (%#)', async (fields, expected) => {
    const ui = await driveUi(fakeUi({ view: testView(fields) }));
    expect(ui.screen()).toContain(expected);
  });
});

describe('an answer in Markdown', () => {
  const response = '## Why\n\nThe **cause** is `end()`.';

  it('is rendered without its signs, pulled byte for byte, and shown as source on one key', async () => {
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
  it.each(['t', ':start an ai\r'])('by %j, and follows the new pane', async (keys) => {
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
        status: { state: 'working', since: TEST_NOW, dialog: null, writing: null },
      }),
    });
    const ui = await driveUi(fake);
    clock.advance(3000);
    expect(ui.rows()[0]).toContain('working 3s');
  });
});

describe('search', () => {
  it('finds matches, counts them, and wraps around', async () => {
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
  it.each([0, 1])('stops growing at its bound (+%i)', async (over) => {
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
    more: false,
    found: null,
  });
  const sessions = [session('fix the parser', TEST_NOW), session('write the docs', TEST_NOW - 86_400_000)];

  it('open on one key, are searched together, read like the others, and left again', async () => {
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

  it('says if there are none, or none with the words', async () => {
    const none = await driveUi(fakeUi());
    await none.type('H');
    expect(none.screen()).toContain('no session of an AI CLI yet');
    const some = await driveUi(fakeUi({ sessions }));
    await some.type('H');
    await some.type('/zebra\r');
    expect(some.screen()).toContain('"zebra" is in no session');
  });
});

describe('chords', () => {
  it('shows how it can continue, and drops a broken chord as a whole', async () => {
    const ui = await driveUi(fakeUi());
    await ui.type('g');
    expect(ui.rows().at(-1)).toContain('ga');
    await ui.type('q');
    expect(ui.events).toEqual([]);
    await ui.type('gg');
    expect(ui.screen()).toContain('1 of 3');
  });

  it('runs remapped keys and shows them in the footer', async () => {
    const ui = await driveUi(fakeUi(), { keys: { 'response/diff': 'Ctrl+X d', 'app/help': 'F1' } });
    expect(ui.rows().at(-1)).toContain('F1 help');
    await ui.type('?');
    expect(ui.state().overlay).toBeNull();
  });
});
