import { describe, expect, it } from 'vitest';
import { fakeReview } from '../../../test/helpers/review-fakes.ts';
import { driveUi } from '../../../test/helpers/ui-driver.ts';
import {
  fakeUi,
  TEST_NOW,
  testDialog,
  testEntry,
  testPane,
  testTurn,
  testView,
} from '../../../test/helpers/ui-fakes.ts';
import { paneKey } from '../responses/port.ts';

describe('overlays', () => {
  const panes = [
    testPane('%1', { state: 'working' }),
    testPane('%2', { cli: 'codex', state: 'waiting', label: 'api:2.1' }),
  ];
  const view = () => testView({ panes, selected: paneKey(testPane('%1').identity) });

  it('lists the panes, marks the waiting one, and follows the chosen one', async () => {
    const fake = fakeUi({ view: view() });
    const ui = await driveUi(fake);
    expect(ui.rows()[0]).toContain('* claude');
    await ui.type('t');
    expect(ui.screen()).toMatch(/\* codex {2}api:2\.1.*waiting for you/);
    await ui.type('j\r');
    expect(fake.ports.responses.getSnapshot().selected).toBe(paneKey(testPane('%2').identity));
    expect(ui.screen()).toContain('Following codex in parser, pane api:2.1');
  });

  it('puts what distinguishes panes before what they share, which a narrow pane cuts', async () => {
    const branch = 'feature/a-long-branch-name';
    const alike = [
      testPane('%1', { title: '✳ Fix the flush', branch }),
      testPane('%2', { title: '✳ Review auth', branch }),
    ];
    const ui = await driveUi(fakeUi({ view: testView({ panes: alike, selected: null }) }), {
      size: { columns: 44, rows: 20 },
    });
    await ui.type('t');
    expect(ui.screen()).toMatch(/claude {2}1\.1 {2}Fix the flush\b[\s\S]*claude {2}1\.2 {2}Review auth\b/);
  });

  it.each([
    ['gone', true],
    ['suspended', true],
    ['idle', false],
  ] as const)('offers another pane first if the AI is %s: %j', async (state, isOffered) => {
    const status = { state, since: TEST_NOW, dialog: null, writing: null };
    const ui = await driveUi(fakeUi({ view: testView({ status }) }), { size: { columns: 40, rows: 12 } });
    expect(ui.rows().at(-1)?.includes('t AI panes')).toBe(isOffered);
  });

  it('lists the keys of the current context only', async () => {
    const ui = await driveUi(fakeUi());
    await ui.type('?');
    expect(ui.screen()).toContain('List of responses');
    expect(ui.screen()).not.toContain('insert mode');
    await ui.type('G');
    expect(ui.screen()).toContain('Quit; the draft is kept');
    await ui.type('q');
    expect(ui.state().overlay).toBeNull();
  });

  it('runs a command by name from the palette', async () => {
    const ui = await driveUi(fakeUi());
    await ui.type('\u0010screen 3\r');
    expect(ui.state().screen).toBe('agent');
    expect(ui.screen()).toContain('proposes edits');
  });

  it('answers a question of the AI only by a choice and Enter', async () => {
    const dialog = testDialog('Run this?\n  rm -rf build', ['Yes', 'No']);
    const fake = fakeUi({
      view: testView({ status: { state: 'waiting', since: TEST_NOW, dialog, writing: null } }),
    });
    const ui = await driveUi(fake);
    await ui.type('ga');
    expect(ui.screen()).toContain('rm -rf build');
    // Enter right away could only confirm a choice that nobody made.
    await ui.type('\r');
    expect(ui.screen()).toContain('No answer is selected');
    await ui.type('2');
    expect(fake.answered).toEqual([]);
    await ui.type('\r');
    expect(fake.answered).toEqual(['No']);
  });

  it('says in full why a turn has no response', async () => {
    const warning = `unexpected status 401: ${'the service refused this key, '.repeat(6)}so log in again`;
    const turn = testTurn('t', { response: '', parts: [], warning });
    const ui = await driveUi(fakeUi({ view: testView({ turns: [turn] }) }));
    expect(ui.screen().replace(/\s+/g, ' ')).toContain('so log in again');
  });

  it('keeps a question open that the AI has not drawn yet, or redraws', async () => {
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

  it('goes back with q: to screen 1, to the list, out', async () => {
    const ui = await driveUi(fakeUi());
    await ui.type('\r2q');
    expect(ui.state()).toMatchObject({ screen: 'responses', responses: { focus: 'reading' } });
    await ui.type('q');
    expect(ui.state().responses.focus).toBe('list');
    expect(ui.events).toEqual([]);
    await ui.type('q');
    expect(ui.events).toEqual(['quit']);
  });

  it('quits with Ctrl+C anywhere, but asks while a prompt is being typed', async () => {
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

  it('saves one under a name, and nothing without a name', async () => {
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

  it('offers a diff for review, and no other code', async () => {
    const { review, ui } = await open();
    await ui.type('a');
    expect(ui.screen()).toContain('This block is not a diff');
    expect(review.offered).toEqual([]);
    await ui.type('bja');
    expect(review.offered).toEqual([DIFF]);
    expect(ui.screen()).toContain('Offered for review (1 hunk)');
  });

  it('does not offer either among the panes', async () => {
    const ui = await driveUi(fakeUi());
    await ui.type('t');
    expect(ui.screen()).not.toContain('w save');
  });
});
