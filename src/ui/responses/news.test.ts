import { describe, expect, it } from 'vitest';
import { driveUi } from '../../../test/helpers/ui-driver.ts';
import { fakeUi, testDialog, testEntry, testTurn, testView } from '../../../test/helpers/ui-fakes.ts';
import type { OutboxEntry } from '../../protocol/outbox.ts';

const entry = (state: OutboxEntry['state'], reason: string | null = null) => testEntry(state, { reason });

describe('news', () => {
  it.each([
    ['delivered', 'Delivered'],
    ['queued', 'has queued it'],
    ['staged', 'g Enter presses it again'],
    ['unconfirmed', 'its arrival is not confirmed: the pane is gone'],
    ['refused', 'Not sent: the pane is gone'],
  ] as const)('announces that a prompt is %s', async (state, expected) => {
    const fake = fakeUi({ view: testView({ deliveries: [entry('submitted')] }) });
    const ui = await driveUi(fake);
    fake.setView((view) => ({ ...view, deliveries: [entry(state, 'the pane is gone')] }));
    expect(ui.screen().replace(/\s+/g, ' ')).toContain(expected);
  });

  it('removes the notes of a prompt that arrived late from the draft, and no others', async () => {
    const sent = testEntry('unconfirmed', { text: 'a thought' });
    const fake = fakeUi({ view: testView({ deliveries: [sent] }) });
    const ui = await driveUi(fake);
    const arrives = () =>
      fake.setView((view) => ({ ...view, deliveries: [{ ...sent, state: 'delivered' }] }));
    await ui.type('oa thought, and one more\u001b');
    arrives();
    expect(ui.screen()).toContain('a thought, and one more');
    fake.setView((view) => ({ ...view, deliveries: [sent] }));
    await ui.type('ddoa thought\u001b');
    expect(ui.screen()).toMatch(/send 1 note/);
    arrives();
    expect(ui.screen()).toContain('Delivered');
    expect(ui.screen()).not.toMatch(/send 1 note/);
  });

  it('shows the open state of a prompt on its turn', async () => {
    const ui = await driveUi(fakeUi({ view: testView({ deliveries: [entry('staged')] }) }));
    expect(ui.rows()[2]).toContain('staged');
  });

  it('ends a cut message with an ellipsis, and shrinks it after a key press', async () => {
    const fake = fakeUi({ view: testView({ deliveries: [entry('submitted')] }) });
    const ui = await driveUi(fake, { size: { columns: 40, rows: 20 } });
    const reason = Array.from({ length: 60 }, (_, word) => `word${word}`).join(' ');
    fake.setView((view) => ({ ...view, deliveries: [entry('refused', reason)] }));
    const rows = ui.rows().slice(-5, -1);
    expect(rows[0]).toContain('Not sent');
    expect(rows.map((row) => row.endsWith('…'))).toEqual([false, false, false, true]);
    await ui.type('j');
    expect(ui.rows().at(-2)).toMatch(/^ Not sent.*…$/);
    expect(ui.rows().at(-3)).not.toContain('word');
  });

  it('presses Enter for a staged prompt only after confirmation', async () => {
    const fake = fakeUi({ view: testView({ deliveries: [entry('staged')] }) });
    const ui = await driveUi(fake);
    await ui.type('g\r');
    expect(ui.screen()).toContain('Press Enter in the AI pane for "Why does the parser');
    await ui.type('n');
    expect(fake.entered).toEqual([]);
    await ui.type('g\r');
    await ui.type('y');
    expect(fake.entered).toEqual(['out-1']);
  });

  it('announces a question of the AI, with the key to answer it', async () => {
    const fake = fakeUi();
    const ui = await driveUi(fake, { keys: { 'pane/answer': 'F2' } });
    fake.setView((view) => ({
      ...view,
      status: { ...view.status, state: 'waiting', dialog: testDialog('Go on?', ['Yes', 'No']) },
    }));
    expect(ui.screen()).toContain('The AI asks something: F2 answers it');
    fake.setView((view) => ({ ...view, status: { ...view.status, state: 'idle', dialog: null } }));
    expect(ui.screen()).not.toContain('The AI asks something');
  });

  it('announces a new response while an older one is read', async () => {
    const fake = fakeUi();
    const ui = await driveUi(fake);
    await ui.type('\r');
    fake.setView((view) => ({ ...view, turns: [testTurn('new'), ...view.turns] }));
    expect(ui.screen()).toContain('A new response has arrived');
    expect(ui.screen()).toContain('▸ 14:02  Why does the parser');
  });

  it('pulls a response that arrived while the draft had the focus, instead of the older one', async () => {
    const fake = fakeUi();
    const ui = await driveUi(fake);
    await ui.type('p');
    await ui.type('Omy note\u001b');
    fake.setView((view) => ({
      ...view,
      turns: [testTurn('new', { response: 'The newer answer.' }), ...view.turns],
    }));
    await ui.type('p');
    const screen = ui.screen();
    for (const shown of ['my note', 'The newer answer.', 'Pulled 1 response line'])
      expect(screen).toContain(shown);
    expect(screen).not.toContain('Let me look at the parser first.');
  });

  it('reports problems in the keys of the user', async () => {
    const ui = await driveUi(fakeUi(), { keys: { 'no/such': 'p' } });
    expect(ui.screen()).toContain('there is no action "no/such"');
  });
});
