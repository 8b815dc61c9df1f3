import { describe, expect, it } from 'vitest';
import { driveUi, type UiDriver } from '../../../test/helpers/ui-driver.ts';
import {
  fakeUi,
  testClock,
  testDialog,
  testPane,
  testTurn,
  testView,
} from '../../../test/helpers/ui-fakes.ts';
import { fail } from '../../lib/result.ts';
import type { Dialog } from '../../protocol/dialog.ts';
import { paneKey } from './port.ts';

const ESC = '\u001b';
const PASTE = (text: string) => `${ESC}[200~${text}${ESC}[201~`;
const RESPONSE = 'alpha\nbeta\ngamma';
const SIZE = { columns: 80, rows: 40 };

const view = () => testView({ turns: [testTurn('t1', { response: RESPONSE })] });
const textsOf = (ui: UiDriver) => ui.state().draft.draft.lines.map((line) => line.text);
const open = async (fake = fakeUi({ view: view() })) => ({ fake, ui: await driveUi(fake, { size: SIZE }) });

describe('pulling', () => {
  it('puts the response into the draft, says how much, and focuses the draft', async () => {
    const { ui } = await open();
    await ui.type('p');
    expect(textsOf(ui)).toEqual(['alpha', 'beta', 'gamma']);
    expect(ui.screen()).toContain('Pulled 3 response lines');
    expect(ui.rows().at(-1)).toContain('NORMAL');
  });

  it('changes nothing and warns if there is nothing', async () => {
    const fake = fakeUi({ view: testView({ turns: [testTurn('t1', { response: ' \n' })] }) });
    const { ui } = await open(fake);
    const before = ui.state().draft;
    await ui.type('p');
    expect(ui.state().draft).toBe(before);
    expect(ui.screen()).toContain('Failed to pull response or no response found');
  });

  it.each([
    ['working', 'The AI has not answered yet.', 'The AI is still writing this response.'],
    // Claude Code took the prompt back; its session file does not end the turn.
    ['idle', 'This turn has no response.', 'Failed to pull response or no response found'],
  ] as const)('says why a turn has no response: the AI is %s', async (state, reading, refusal) => {
    const turns = [testTurn('t1', { progress: 'streaming', response: '' })];
    const status = { ...testView().status, state };
    const { ui } = await open(fakeUi({ view: testView({ turns, status }) }));
    expect(ui.screen()).toContain(reading);
    await ui.type('p');
    expect(ui.screen()).toContain(refusal);
  });

  it('takes only the selected lines', async () => {
    const { ui } = await open();
    await ui.type('\rjvjp');
    expect(textsOf(ui)).toEqual(['beta', 'gamma']);
    expect(ui.screen()).toContain('Pulled 2 response lines');
  });

  it('takes the part under the cursor', async () => {
    const { ui } = await open(
      fakeUi({ view: testView({ turns: [testTurn('t1', { parts: ['one\ntwo', 'three'] })] }) }),
    );
    await ui.type('\r]P');
    expect(textsOf(ui)).toEqual(['three']);
  });

  it('takes the lines as notes', async () => {
    const { ui } = await open();
    await ui.type('gp');
    expect(ui.state().draft.draft.lines.every((line) => line.tag === 'note')).toBe(true);
    expect(ui.rows().at(-1)).toContain('send 1 note');
  });

  it('keeps the notes when it is pulled again', async () => {
    const { fake, ui } = await open();
    await ui.type(`pjomine${ESC}`);
    fake.setView(() => testView({ turns: [testTurn('t1', { response: `${RESPONSE}\ndelta` })] }));
    await ui.type('p');
    expect(textsOf(ui)).toEqual(['alpha', 'beta', 'mine', 'gamma', 'delta']);
  });
});

describe('writing notes', () => {
  it('finds the line of a part that was pulled', async () => {
    const { ui } = await open();
    await ui.type('\rjvjp');
    await ui.type(`\u001b[Zonote${ESC}`);
    expect(textsOf(ui)).toEqual(['beta', 'gamma', 'note']);
  });

  it('reads a burst as text in insert mode, including Enter', async () => {
    const { ui } = await open();
    await ui.type(`ojjjp\rq?${ESC}`);
    expect(textsOf(ui)).toEqual(['jjjp', 'q?']);
    expect(ui.events).toEqual([]);
  });

  it('reads a paste as text in every mode, including line ends and escapes', async () => {
    const { ui } = await open();
    const hostile = `one\r\nq\n${ESC}[2Jtwo`;
    await ui.type(`o${PASTE(hostile)}`);
    expect(textsOf(ui)).toEqual(['one', 'q', `${ESC}[2Jtwo`]);
    expect(ui.screen()).toContain('␛[2Jtwo');
    expect(ui.screen()).not.toContain(ESC);
    await ui.type(`${ESC}`);
    await ui.type(PASTE('again'));
    expect(textsOf(ui)).toContain('again');
    expect(ui.events).toEqual([]);
  });

  it('leaves insert mode on an Esc immediately followed by another key', async () => {
    const { ui } = await open();
    await ui.type(`oone${ESC}o`);
    await ui.type(`two${ESC}bX`);
    expect(textsOf(ui)).toEqual(['one', 'Xtwo']);
  });

  it('says where pasted text can go if not here', async () => {
    const { ui } = await open();
    await ui.type(PASTE('q'));
    expect(ui.screen()).toContain('Paste into the draft');
    expect(ui.events).toEqual([]);
  });

  it('moves by visible rows and keeps the column', async () => {
    const { ui } = await open(
      fakeUi({
        view: testView({ turns: [testTurn('t1', { response: `${'word '.repeat(40)}\n\nend of it` })] }),
      }),
    );
    await ui.type('p$0lllj');
    expect(ui.state().draft.cursor).toMatchObject({ line: 0 });
    expect(ui.state().draft.cursor.offset).toBeGreaterThan(60);
    await ui.type('Gk');
    expect(ui.state().draft.cursor.line).toBe(1);
  });

  it('undoes and redoes text and tags together, and says if there is nothing left', async () => {
    const { ui } = await open();
    await ui.type('pddx');
    expect(textsOf(ui)).toEqual(['eta', 'gamma']);
    expect(ui.state().draft.draft.lines[0]?.changed).toBe(true);
    await ui.type('uu');
    expect(textsOf(ui)).toEqual(['alpha', 'beta', 'gamma']);
    // "Pulled 3 response lines" is no longer true.
    expect(ui.screen()).toContain('Undone');
    await ui.type('\u0012');
    expect(textsOf(ui)).toEqual(['beta', 'gamma']);
    expect(ui.screen()).toContain('Redone');
    await ui.type('uuu');
    expect(ui.screen()).toContain('Nothing to undo');
  });

  it('removes the pulled lines and keeps the notes', async () => {
    const { ui } = await open();
    await ui.type(`pomine${ESC}`);
    await ui.type('X');
    expect(textsOf(ui)).toEqual(['mine']);
  });
});

describe('sending', () => {
  it.each([
    ['/review this', true],
    ['!why', true],
    ['#3 is wrong', true],
    ['why /this', false],
  ])('shows the marker lines sent around %j: %s', async (note, isMarked) => {
    const { ui } = await open();
    await ui.type(`o${note}${ESC}[27us`);
    expect(ui.screen()).toContain('This will be sent');
    expect([ui.screen().includes('### PROMPT 2026-'), ui.screen().includes('### END PROMPT')]).toEqual([
      isMarked,
      isMarked,
    ]);
  });

  it.each([
    ['codex', 'working', 'this waits until it is done', 'this breaks in now'],
    ['pi', 'working', 'this waits until it is done', 'at its next step'],
    ['claude', 'working', 'at its next step', 'this breaks in now'],
    ['gemini', 'working', 'this waits until it is done', null],
    ['opencode', 'working', 'it takes this when it can', null],
    ['claude', 'gone', 'nothing can be sent', null],
  ] as const)(
    'says what happens to a prompt to %s that is %s, and offers to interrupt',
    async (cli, state, waits, breaksIn) => {
      const { fake, ui } = await open();
      const pane = testPane('%1', { cli, state });
      fake.setView((old) => ({
        ...old,
        panes: [pane],
        selected: paneKey(pane.identity),
        status: { ...old.status, state },
      }));
      await ui.type(`onote${ESC}[27us`);
      expect(ui.screen()).toContain(waits);
      expect(ui.screen().includes('wait or break in')).toBe(breaksIn !== null);
      await ui.type('\t');
      expect(ui.screen()).toContain(breaksIn ?? waits);
    },
  );

  it('says which key answers the AI before anything can be sent, and keeps the draft', async () => {
    const { fake, ui } = await open();
    const ask = (dialog: Dialog | null) =>
      fake.setView((old) => ({ ...old, status: { ...old.status, state: 'waiting', dialog } }));
    ask(testDialog('Edit file?', ['Yes', 'No']));
    await ui.type(`omine${ESC}[27us`);
    expect(ui.screen()).toContain('The AI asks something: ga answers it, after Esc');
    expect(ui.screen()).toContain('Not ready to send yet');
    await ui.type('\r');
    expect(fake.sent).toEqual([]);
    expect(ui.screen()).not.toContain('This will be sent');
    expect(ui.screen()).toContain('Not sent, kept in the draft. The AI asks something: ga answers it');
    expect(textsOf(ui)).toContain('mine');
    ask(testDialog('Edit file?', []));
    await ui.type('s\r');
    expect(ui.screen()).toMatch(/ga shows it, answer it in\s+the AI pane/);
    ask(null);
    await ui.type('s\r');
    expect(fake.sent).toEqual(['mine']);
  });

  it('names the way to the list while changes there are not looked at', async () => {
    const { fake, ui } = await open();
    await ui.type('omine\u001b');
    expect(ui.rows().at(-1)).not.toContain('Esc');
    fake.setView((old) => ({ ...old, changes: { ...old.changes, unseen: 2 } }));
    expect(ui.rows().at(-1)).toContain('Esc list');
  });

  it('shows exactly what it sends, and sends only on Enter there, never on one key', async () => {
    const { fake, ui } = await open();
    await ui.type(`pomine${ESC}`);
    await ui.type('s');
    expect(fake.sent).toEqual([]);
    expect(ui.screen()).toContain('This will be sent');
    expect(ui.screen()).toContain('  mine');
    expect(ui.screen()).toContain('1 note, 1 line, 4 bytes');
    await ui.type('\r');
    expect(fake.sent).toEqual(['mine']);
    expect(ui.screen()).toContain('Delivered');
    expect(textsOf(ui)).toEqual(['alpha', 'beta', 'gamma']);
    await ui.type('u');
    expect(textsOf(ui)).toContain('mine');
  });

  it('asks about changed response lines, and sends only the chosen ones', async () => {
    const { fake, ui } = await open();
    await ui.type(`pA is wrong${ESC}`);
    await ui.type('s');
    expect(ui.screen()).toMatch(/\[ \] changed {2}alpha is wrong/);
    await ui.type('\r');
    expect(fake.sent).toEqual([]);
    expect(ui.screen()).toContain('Nothing to send');
    await ui.type(' \r');
    expect(fake.sent).toEqual(['alpha is wrong']);
  });

  it('puts the note under a quote on request', async () => {
    const { fake, ui } = await open();
    await ui.type(`pomine${ESC}`);
    await ui.type('cs\r');
    expect(fake.sent).toEqual(['> alpha\nmine']);
  });

  it('sends only the selected lines of the draft', async () => {
    const { fake, ui } = await open();
    await ui.type(`oone\rtwo\rthree${ESC}`);
    await ui.type('vks\r');
    expect(fake.sent).toEqual(['two\nthree']);
    expect(textsOf(ui)).toEqual(['one']);
  });

  it('keeps the notes if the send was refused, and says why', async () => {
    const fake = fakeUi({
      view: view(),
      deliver: async () => fail('refused', 'The composer is not empty', 'Send or clear what stands there.'),
    });
    const { ui } = await open(fake);
    await ui.type(`omine${ESC}`);
    await ui.type('s\r');
    expect(textsOf(ui)).toEqual(['mine']);
    expect(ui.screen()).toContain('The composer is not empty. Send or clear what stands there.');
  });

  it('says that nothing can be sent without an AI pane', async () => {
    const fake = fakeUi({ view: testView({ selected: null }) });
    const { ui } = await open(fake);
    await ui.type(`omine${ESC}`);
    await ui.type('s\r');
    expect(fake.sent).toEqual([]);
    expect(ui.screen()).toContain('No AI pane is followed');
  });

  it('shows a slow send with its age', async () => {
    const clock = testClock();
    let finish: () => void = () => undefined;
    const fake = fakeUi({
      view: view(),
      clock,
      deliver: () =>
        new Promise((resolve) => {
          finish = () => resolve(fail('unconfirmed', 'No sign of it was seen'));
        }),
    });
    const { ui } = await open(fake);
    await ui.type(`omine${ESC}`);
    await ui.type('s\r');
    clock.advance(2500);
    expect(ui.screen()).toContain('Sending 2s');
    finish();
    await ui.settle();
    expect(ui.screen()).toContain('No sign of it was seen');
  });

  it('does not send a note again while it is pending; one that did not leave goes with the next', async () => {
    const finish: (() => void)[] = [];
    const fake = fakeUi({
      view: view(),
      deliver: () =>
        new Promise((resolve) => {
          finish.push(() => resolve(fail('refused', 'The composer is not empty')));
        }),
    });
    const { ui } = await open(fake);
    await ui.type(`oone${ESC}`);
    await ui.type('s\r');
    await ui.type(`otwo${ESC}`);
    await ui.type('s\r');
    await ui.type('s\r');
    expect(ui.screen()).toContain('Your notes are already on their way');
    await ui.type(ESC);
    expect(fake.sent).toEqual(['one', 'two']);
    for (const each of finish) each();
    await ui.settle();
    await ui.type('s\r');
    expect(fake.sent).toEqual(['one', 'two', 'one\ntwo']);
  });
});
