import { describe, expect, it } from 'vitest';
import { driveUi, type UiDriver } from '../../../test/helpers/ui-driver.ts';
import { fakeUi, testTurn, testView } from '../../../test/helpers/ui-fakes.ts';

const ESC = '\u001b';
const BACKSPACE = '\u007f';
const DOWN = `${ESC}[B`;

async function reading(response = 'alpha\nbeta\ngamma', size = { columns: 80, rows: 40 }) {
  const ui = await driveUi(fakeUi({ view: testView({ turns: [testTurn('t1', { response })] }) }), { size });
  await ui.type('\r');
  return ui;
}

const draftOf = (ui: UiDriver) => ui.state().draft.draft.lines.map((line) => line.text);
const rowsWith = (ui: UiDriver, ...words: readonly string[]) =>
  ui
    .rows()
    .map((row) => words.find((word) => row.includes(word)))
    .filter((word) => word !== undefined);

describe('a note on a line being read', () => {
  it('is below that line, and the response appears once', async () => {
    const ui = await reading();
    await ui.type('jowhy?');
    expect(rowsWith(ui, 'alpha', 'beta', 'why?', 'gamma')).toEqual(['alpha', 'beta', 'why?', 'gamma']);
    expect(ui.rows().at(-1)).toContain('INSERT');
    await ui.type(ESC);
    expect(rowsWith(ui, 'alpha', 'beta', 'why?', 'gamma')).toEqual(['alpha', 'beta', 'why?', 'gamma']);
    expect(ui.rows().at(-1)).toContain('send 1 note');
    await ui.type(`joand this?${ESC}`);
    expect(draftOf(ui)).toEqual(['alpha', 'beta', 'why?', 'gamma', 'and this?']);
  });

  it('goes above the first line with O, and below another note with o', async () => {
    const ui = await reading();
    await ui.type(`Ofirst${ESC}osecond${ESC}`);
    expect(rowsWith(ui, 'first', 'second', 'alpha')).toEqual(['first', 'second', 'alpha']);
    expect(draftOf(ui)).toEqual(['first', 'second', 'alpha', 'beta', 'gamma']);
  });

  it('accepts several lines, and none of its keys changes a line of the response', async () => {
    const ui = await reading();
    await ui.type(`oone\rtwo${BACKSPACE.repeat(20)}${ESC}`);
    expect(draftOf(ui)).toEqual(['alpha', 'beta', 'gamma']);
    await ui.type(`ox${ESC}[3~${ESC}[3~${ESC}`);
    expect(draftOf(ui)).toEqual(['alpha', 'x', 'beta', 'gamma']);
    expect(ui.state().draft.draft.lines.some((line) => line.changed)).toBe(false);
  });

  it('is edited with Enter, deleted with x, and restored with u', async () => {
    const ui = await reading();
    await ui.type(`owhy${ESC}`);
    await ui.type(`\r?${ESC}`);
    expect(draftOf(ui)).toEqual(['alpha', 'why?', 'beta', 'gamma']);
    await ui.type('x');
    expect(draftOf(ui)).toEqual(['alpha', 'beta', 'gamma']);
    await ui.type('u');
    expect(draftOf(ui)).toEqual(['alpha', 'why?', 'beta', 'gamma']);
  });

  it('lets the reader continue below it', async () => {
    const ui = await reading();
    await ui.type(`owhy?${DOWN}`);
    expect(ui.state()).toMatchObject({ draft: { mode: 'normal' }, responses: { focus: 'reading' } });
    expect(ui.state().responses.places.t1?.cursor).toEqual({ line: 1, row: 0 });
  });

  it('is sent alone, and the list follows the next answer', async () => {
    const ui = await reading();
    await ui.type(`jowhy?${ESC}`);
    await ui.type('s');
    await ui.type('\r');
    expect(ui.state().responses).toMatchObject({ focus: 'list', turnId: null });
    expect(draftOf(ui)).toEqual(['alpha', 'beta', 'gamma']);
    expect(rowsWith(ui, 'why?')).toEqual([]);
  });

  it('says if the line has none', async () => {
    const ui = await reading();
    await ui.type('x');
    expect(ui.screen()).toContain('No note on this line. o writes one.');
    expect(draftOf(ui)).toEqual([]);
  });

  it('keeps its cursor in view in a long response, and wraps', async () => {
    const long = Array.from({ length: 200 }, (_, at) => `line ${at}`).join('\n');
    const ui = await reading(long, { columns: 40, rows: 20 });
    await ui.type(`Go${'word '.repeat(30)}end`);
    expect(ui.screen()).toContain('end');
    expect(ui.screen()).toContain('line 199');
    await ui.type(`${ESC}ggjo漢字のメモ${ESC}`);
    expect(rowsWith(ui, 'line 1', '漢字のメモ', 'line 2').slice(0, 3)).toEqual([
      'line 1',
      '漢字のメモ',
      'line 2',
    ]);
  });
});

describe('the draft', () => {
  it('gives its place to the answer when all of it was sent', async () => {
    const ui = await reading();
    await ui.type('pGowhy?');
    await ui.type(ESC);
    expect(ui.state().responses.focus).toBe('draft');
    await ui.type('s');
    await ui.type('\r');
    // What was pulled is still there.
    expect(ui.state().responses.focus).toBe('draft');
    const other = await reading();
    await other.type('\tidone');
    await other.type(ESC);
    expect(other.state().responses.focus).toBe('draft');
    await other.type('s');
    await other.type('\r');
    expect(other.state().responses).toMatchObject({ focus: 'list', lower: 'reading', isDraftOpen: null });
    expect(other.screen()).toContain('─ Response ');
  });

  it('opens for pulled lines, has only the notes, and closes on Esc', async () => {
    const ui = await reading('alpha\nbeta', { columns: 160, rows: 40 });
    await ui.type(`owhy?${ESC}`);
    expect(rowsWith(ui, 'why?')).toHaveLength(1);
    await ui.type('p');
    expect(ui.state().responses.focus).toBe('draft');
    expect(ui.rows().filter((row) => row.includes('alpha') && row.includes('│'))).toHaveLength(1);
    expect(rowsWith(ui, 'why?')).toHaveLength(1);
    await ui.type(ESC);
    expect(rowsWith(ui, 'alpha', 'why?', 'beta')).toEqual(['alpha', 'why?', 'beta']);
  });

  it('takes over a note whose response is no longer in the list', async () => {
    const fake = fakeUi({ view: testView({ turns: [testTurn('t1', { response: 'alpha' })] }) });
    const ui = await driveUi(fake, { size: { columns: 80, rows: 40 } });
    await ui.type('\rohal');
    fake.setView(() => testView({ turns: [testTurn('t2', { response: 'other' })] }));
    await ui.type('f');
    await ui.type(' done');
    expect(draftOf(ui)).toEqual(['alpha', 'half done']);
    expect(ui.screen()).toContain('half done');
  });
});
