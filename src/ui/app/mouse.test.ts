import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fakeReview, testSuggestion } from '../../../test/helpers/review-fakes.ts';
import { driveUi, type UiDriver, type UiDriverOptions } from '../../../test/helpers/ui-driver.ts';
import { fakeUi, testPane, testTurn, testView } from '../../../test/helpers/ui-fakes.ts';
import { galleryEntries } from '../../../test/helpers/ui-gallery.ts';
import { widthOf } from '../../lib/width.ts';
import { isMouseReport, parseMouse } from '../kit/mouse/mouse-event.ts';
import { paneKey } from '../responses/port.ts';

const report = (button: number, x: number, y: number, end = 'M') =>
  `\u001b[<${button};${x + 1};${y + 1}${end}`;
const DRAG = 32;
const [UP, DOWN] = [64, 65];

/** The cell where a text begins, at its first or `nth` occurrence. */
function find(ui: UiDriver, text: string, nth = 0): { x: number; y: number } {
  const places = ui.rows().flatMap((row, y) => {
    const at = row.indexOf(text);
    return at < 0 ? [] : [{ x: widthOf(row.slice(0, at)), y }];
  });
  const place = places[nth];
  if (place === undefined) throw new Error(`no "${text}" in\n${ui.screen()}`);
  return place;
}

const press = async (ui: UiDriver, text: string, nth = 0) => {
  const { x, y } = find(ui, text, nth);
  await ui.type(report(0, x, y) + report(0, x, y, 'm'));
};
const turnWheel = async (ui: UiDriver, text: string, button: number, notches = 1) => {
  const { x, y } = find(ui, text);
  await ui.type(report(button, x, y).repeat(notches));
};

const long = (id: string) =>
  testTurn(id, {
    prompt: `ask ${id}`,
    response: Array.from({ length: 80 }, (_, line) => `${id} line ${line + 1}`).join('\n'),
  });
const open = (options: UiDriverOptions = {}) =>
  driveUi(fakeUi({ view: testView({ turns: [long('new'), long('old')] }) }), {
    size: { columns: 80, rows: 40 },
    ...options,
  });

describe('reports', () => {
  it.each([
    ['\u001b[<0;5;3M', { kind: 'press', cell: { x: 4, y: 2 } }],
    ['\u001b[<16;5;3M', { kind: 'press', cell: { x: 4, y: 2 } }],
    ['\u001b[<32;300;3M', { kind: 'drag', cell: { x: 299, y: 2 } }],
    ['\u001b[<64;1;1M', { kind: 'wheel', cell: { x: 0, y: 0 }, direction: -1 }],
    ['\u001b[<65;1;1M', { kind: 'wheel', cell: { x: 0, y: 0 }, direction: 1 }],
    ['\u001b[<0;5;3m', null],
    ['\u001b[<2;5;3M', null],
    ['\u001b[<0;5M', null],
    ['\u001b]11;rgb:0/0/0\u0007', null],
  ])('%j', (sequence, expected) => {
    expect(parseMouse(sequence)).toEqual(expected);
  });

  it('handle even a meaningless report', () => {
    expect(['\u001b[<2;5;3M', '\u001b[<0;5;3m', '\u001b[M !!'].every(isMouseReport)).toBe(true);
    expect(isMouseReport('\u001b[A')).toBe(false);
  });
});

describe.each([40, 80, 160])('tabs at %i columns', (columns) => {
  it('respond to a click', async () => {
    const ui = await open({ size: { columns, rows: 30 } });
    for (const [key, screen] of [
      ['4', 'shell'],
      ['2', 'review'],
      ['3', 'agent'],
      ['1', 'responses'],
    ] as const) {
      const x = (ui.rows()[0] ?? '').indexOf(key);
      await ui.type(report(0, x, 0));
      expect(ui.state().screen).toBe(screen);
    }
  });
});

describe('responses', () => {
  it('marks a turn, and opens the marked one', async () => {
    const ui = await open();
    await press(ui, 'ask old');
    expect(ui.state().responses).toMatchObject({ focus: 'list', turnId: 'old' });
    expect(ui.screen()).toContain('old line 1');
    await press(ui, 'ask old');
    expect(ui.state().responses.focus).toBe('reading');
  });

  it('scrolls the response below the pointer without moving the focus', async () => {
    const ui = await open();
    await turnWheel(ui, 'new line 3', DOWN);
    expect(ui.screen()).toMatch(/new line 4\n/);
    expect(ui.screen()).not.toMatch(/new line 3\n/);
    expect(ui.state().responses.focus).toBe('list');
    await turnWheel(ui, 'new line 5', DOWN, 100);
    expect(ui.screen()).toMatch(/new line 80\n/);
    await turnWheel(ui, 'new line 80', UP, 100);
    expect(ui.screen()).toMatch(/new line 1\n/);
  });

  it('places the cursor, selects by dragging, and pulls the selection', async () => {
    const ui = await open();
    await press(ui, 'new line 4');
    const to = find(ui, 'new line 6');
    await ui.type(report(DRAG, to.x, to.y));
    await ui.type('p');
    expect(ui.state().draft.draft.lines.map(({ text }) => text)).toEqual([
      'new line 4',
      'new line 5',
      'new line 6',
    ]);
    await press(ui, 'new line 2');
    expect(ui.state().responses.places.new?.anchor).toBeNull();
  });

  it('places the cursor at a character of a note and continues writing there', async () => {
    const ui = await open();
    await ui.type('pohello world\u001b[27u');
    const { x, y } = find(ui, 'hello world');
    await ui.type(report(0, x + 6, y));
    expect(ui.state().draft.cursor.offset).toBe(6);
    await ui.type('ibig ');
    expect(ui.screen()).toContain('hello big world');
    await ui.type(report(0, x, y));
    await ui.type('oh ');
    expect(ui.screen()).toContain('oh hello big world');
  });

  it.each([
    ['ask old', 'list'],
    ['new line 3', 'reading'],
    ['2 Review', 'draft'],
  ])('ends writing on a click on "%s"', async (text, focus) => {
    const ui = await open();
    await ui.type('ohello');
    await press(ui, text);
    expect(ui.state()).toMatchObject({ draft: { mode: 'normal' }, responses: { focus } });
    expect(ui.state().draft.draft.lines.map((line) => line.text)).toEqual(['hello']);
  });

  it('selects lines of the draft by dragging', async () => {
    const ui = await open();
    await ui.type('p');
    const at = ui.rows().findIndex((row) => row.includes('Draft')) + 1;
    await ui.type(report(0, 4, at) + report(DRAG, 4, at + 2));
    expect(ui.state().draft).toMatchObject({ mode: 'visual', cursor: { line: 2 } });
    await ui.type(report(0, 4, at + 1));
    expect(ui.state().draft.mode).toBe('normal');
  });

  it('scrolls the draft with the cursor kept in view', async () => {
    const ui = await open();
    await ui.type('p');
    const at = ui.rows().findIndex((row) => row.includes('Draft')) + 2;
    await ui.type(report(DOWN, 4, at).repeat(4));
    expect(ui.state().responses.draftTop.line).toBe(12);
    expect(ui.state().draft.cursor.line).toBeGreaterThanOrEqual(12);
    await ui.type(report(UP, 4, at).repeat(40));
    expect(ui.state().responses.draftTop.line).toBe(0);
  });
});

describe('review', () => {
  const openReview = (size = { columns: 120, rows: 40 }) => {
    const review = fakeReview({ suggestions: [testSuggestion()], isRead: true });
    return { review, ui: driveUi(fakeUi({ review }), { size }) };
  };

  it('marks and opens a file, places the cursor, and decides nothing', async () => {
    const ui = await openReview().ui;
    await ui.type('2');
    const before = ui.state().review.cursor?.hunk;
    const files = ui.rows().slice(2, 8);
    const last = files.findLastIndex((row) => /^\s+\S/.test(row.split('│')[0] ?? ''));
    await ui.type(report(0, 4, 2 + last));
    expect(ui.state().review.focus).toBe('files');
    expect(ui.state().review.cursor?.hunk).not.toBe(before);
    await ui.type(report(0, 4, 2 + last));
    expect(ui.state().review.focus).toBe('diff');
    const row = ui.rows().findLastIndex((text) => /│.*\d/.test(text));
    await ui.type(report(0, 60, row));
    expect(ui.state().review.cursor?.row).toBeGreaterThan(0);
  });

  it('selects lines by dragging', async () => {
    const ui = await openReview().ui;
    await ui.type('2n|');
    const row = ui.rows().findIndex((text) => /│.* \+ /.test(text));
    await ui.type(report(0, 60, row) + report(DRAG, 60, row + 1));
    expect(ui.state().review.anchor).not.toBeNull();
    await ui.type(report(0, 60, row));
    expect(ui.state().review.anchor).toBeNull();
  });
});

describe('overlays', () => {
  const panes = [testPane('%1'), testPane('%4', { cli: 'codex' }), testPane('%7', { cli: 'gemini' })];
  const openPanes = () =>
    driveUi(fakeUi({ view: testView({ panes, selected: paneKey(testPane('%1').identity) }) }), {
      size: { columns: 80, rows: 30 },
    });

  it('mark an entry, choose the marked one, and close on a click above', async () => {
    const ui = await openPanes();
    await ui.type('t');
    await press(ui, 'gemini');
    expect(ui.state().overlay).toMatchObject({ kind: 'panes', cursor: 2 });
    await press(ui, 'gemini');
    expect(ui.state().overlay).toBeNull();
    expect(ui.screen()).toContain('Following gemini');
    await ui.type('t');
    await ui.type(report(0, 5, 3));
    expect(ui.state().overlay).toBeNull();
  });

  it('run a command of the palette', async () => {
    const ui = await open();
    await ui.type(':Screen 4');
    await press(ui, 'Screen 4: Shell');
    expect(ui.state().screen).toBe('shell');
  });

  it('runs what the footer says, but sends nothing', async () => {
    const fake = fakeUi();
    const ui = await driveUi(fake);
    await press(ui, '? help');
    expect(ui.state().overlay?.kind).toBe('help');
    await press(ui, 'Esc close');
    await ui.type('oa note\u001b[27u');
    await press(ui, 's send 1 note');
    expect(ui.state().overlay?.kind).toBe('preview');
    await press(ui, 'Enter send');
    expect(ui.state().overlay?.kind).toBe('preview');
    expect(fake.sent).toEqual([]);
  });
});

it('is harmless everywhere: only footer words can send, answer or decide', async () => {
  const event = fc.record({
    button: fc.constantFrom(0, DRAG, UP, DOWN),
    x: fc.integer({ min: -1, max: 90 }),
    // Not the last row, which has the keys.
    y: fc.integer({ min: 0, max: 22 }),
  });
  const entries = galleryEntries();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...entries),
      fc.array(event, { minLength: 1, maxLength: 12 }),
      async (entry, events) => {
        const fake = entry.make();
        const ui = await driveUi(fake, { size: { columns: 80, rows: 24 } });
        if (entry.keys !== undefined) await ui.type(entry.keys);
        for (const { button, x, y } of events) await ui.type(report(button, x, y));
        expect(ui.rows()).toHaveLength(24);
        expect([fake.sent, fake.answered, fake.entered]).toEqual([[], [], []]);
        await ui.controller.stop();
      },
    ),
    { seed: 7, numRuns: 150 },
  );
});
