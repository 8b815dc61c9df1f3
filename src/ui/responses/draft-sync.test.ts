import { describe, expect, test } from 'vitest';
import { driveUi } from '../../../test/helpers/ui-driver.ts';
import { fakeUi, testPane, testView } from '../../../test/helpers/ui-fakes.ts';
import { fail } from '../../lib/result.ts';
import type { AiPane } from '../../protocol/pane.ts';
import { EMPTY_DRAFT, reduceDraft } from '../../responses/core/draft.ts';
import { loadDraft } from './draft-state.ts';
import { paneKey } from './port.ts';

test('a note begun before a pane was followed moves to that pane, and only once', async () => {
  const pane = testPane('%1');
  const fake = fakeUi({ view: testView({ panes: [pane], selected: null, turns: [] }) });
  const ui = await driveUi(fake);
  await ui.type('oa thought\u001b');
  fake.setView((view) => ({ ...view, selected: paneKey(pane.identity) }));
  await ui.settle();
  expect(ui.screen()).toContain('a thought');
  await ui.type('s');
  expect(ui.screen()).toContain('1 note');
  await ui.type('\r');
  expect(fake.sent).toEqual(['a thought']);
  await ui.controller.stop();
  const left = [...fake.drafts.values()].find(({ key }) => key.pane === '');
  expect(left?.draft.lines ?? []).toEqual([]);
});

test('a note for a closed pane moves to the pane followed next, one for another pane stays', async () => {
  const [first, second, third] = [testPane('%1'), testPane('%2'), testPane('%3')];
  const follow = (pane: AiPane, panes: readonly AiPane[]) =>
    fake.setView((view) => ({ ...view, panes, selected: paneKey(pane.identity) }));
  const fake = fakeUi({ view: testView({ panes: [first, second], selected: paneKey(first.identity) }) });
  const ui = await driveUi(fake);
  await ui.type('oa thought\u001b');
  follow(first, [second]);
  await ui.settle();
  expect(ui.screen()).toContain('a thought');
  follow(second, [second, third]);
  await ui.settle();
  expect(ui.screen()).toContain('a thought');
  follow(third, [second, third]);
  await ui.settle();
  expect(ui.screen()).not.toContain('a thought');
});

test('what was written in the answer of a closed pane moves with a quote, and is on disk all the time', async () => {
  const [first, second] = [testPane('%1'), testPane('%2')];
  const follow = (pane: AiPane, panes: readonly AiPane[]) =>
    fake.setView((view) => ({ ...view, panes, selected: paneKey(pane.identity) }));
  const fake = fakeUi({ view: testView({ panes: [first, second], selected: paneKey(first.identity) }) });
  const ui = await driveUi(fake);
  for (const key of ['p', '\t', 'oa thought\u001b', 'jA, edited\u001b']) {
    await ui.type(key);
    await ui.settle();
  }
  follow(first, [second]);
  await ui.settle();
  follow(second, [second]);
  await ui.settle();
  await ui.controller.stop();
  const linesOf = (pane: string) =>
    [...fake.drafts.values()].find(({ key }) => key.pane.includes(pane))?.draft.lines.map(({ text }) => text);
  expect(linesOf('%1')).toEqual([]);
  expect(linesOf('%2')).toEqual(['> Let me look at the parser …', 'a thought', ', edited']);
});

const textsStored = (fake: ReturnType<typeof fakeUi>) =>
  [...fake.drafts.values()].map((each) => each.draft.lines.map(({ text }) => text));

describe('no part of an incomplete draft is sent', () => {
  const pane = testPane('%1');
  const followed = paneKey(pane.identity);

  /** The stored draft has an earlier note, and arrives only after `arrive`. */
  async function openSlowly() {
    const fake = fakeUi({ view: testView({ panes: [pane], selected: followed, turns: [] }) });
    const { load, save } = fake.ports.draft;
    const key = fake.ports.draft.keyOf(fake.ports.responses.getSnapshot());
    const { draft } = reduceDraft(loadDraft(EMPTY_DRAFT), { type: 'draft/append', text: 'an older thought' });
    await save(key, draft, 0);
    const gate = Promise.withResolvers<void>();
    (fake.ports.draft as { load: typeof load }).load = async (of) => {
      await gate.promise;
      return load(of);
    };
    return { fake, ui: await driveUi(fake), arrive: gate.resolve };
  }

  test('while the AI pane is still unknown', async () => {
    const fake = fakeUi({ view: testView({ panes: [], selected: null, turns: [], isLooking: true }) });
    const ui = await driveUi(fake);
    await ui.type('oa thought\u001b');
    await ui.type('s');
    expect(ui.screen()).toContain('The draft is still being loaded');
    await ui.type('\r');
    expect(fake.sent).toEqual([]);
    fake.setView((view) => ({ ...view, panes: [pane], selected: followed, isLooking: false }));
    await ui.settle();
    expect(ui.screen()).toContain('This will be sent');
    await ui.type('\r');
    expect(fake.sent).toEqual(['a thought']);
  });

  test('while the stored part is loading: the preview shows all of it once loaded', async () => {
    const { fake, ui, arrive } = await openSlowly();
    await ui.type('oa thought\u001b');
    await ui.type('s\r');
    expect(fake.sent).toEqual([]);
    arrive();
    await ui.settle();
    await ui.type('\r');
    expect(fake.sent).toEqual(['an older thought\na thought']);
  });

  test('and none of it is lost if the companion quits then', async () => {
    const { fake, ui, arrive } = await openSlowly();
    await ui.type('oa thought\u001b');
    const stopped = ui.controller.stop();
    arrive();
    await stopped;
    expect(textsStored(fake)).toEqual([['an older thought', 'a thought']]);
  });

  test('when loading failed: the next key retries, and then it is saved', async () => {
    const fake = fakeUi({ view: testView({ panes: [pane], selected: followed, turns: [] }) });
    const { load } = fake.ports.draft;
    let fails = true;
    (fake.ports.draft as { load: typeof load }).load = async (of) =>
      fails ? fail('internal', 'No answer') : load(of);
    const ui = await driveUi(fake);
    await ui.type('oa thought\u001b');
    expect(ui.screen()).toContain('The draft could not be loaded: No answer');
    fails = false;
    await ui.type('j');
    await ui.settle();
    await ui.controller.stop();
    expect(textsStored(fake)).toEqual([['a thought']]);
  });
});

test('someone writing while the pane is found keeps writing: no key becomes a command', async () => {
  const pane = testPane('%1');
  const fake = fakeUi({ view: testView({ panes: [pane], selected: null, turns: [] }) });
  const ui = await driveUi(fake);
  await ui.type('o');
  fake.setView((view) => ({ ...view, selected: paneKey(pane.identity) }));
  await ui.settle();
  await ui.type('q? s\u001b');
  await ui.type('s');
  await ui.type('\r');
  expect(fake.sent).toEqual(['q? s']);
});

test('notes leave their old draft only when they are on disk in the new one', async () => {
  const pane = testPane('%1');
  const fake = fakeUi({ view: testView({ panes: [pane], selected: null, turns: [] }) });
  const ui = await driveUi(fake);
  const { save } = fake.ports.draft;
  let holds = true;
  const ports = fake.ports.draft as { save: typeof save };
  ports.save = async (key, draft, revision) =>
    holds && key.pane !== '' ? fail('internal', 'the disk is full') : save(key, draft, revision);
  const noteIn = (isPane: boolean) =>
    [...fake.drafts.values()].some(
      ({ key, draft }) =>
        (key.pane !== '') === isPane && draft.lines.some(({ text }) => text === 'a thought'),
    );
  await ui.type('oa thought\u001b');
  fake.setView((view) => ({ ...view, selected: paneKey(pane.identity) }));
  await ui.settle();
  expect([noteIn(false), noteIn(true)]).toEqual([true, false]);
  holds = false;
  await ui.type('x');
  await ui.type('u');
  await ui.controller.stop();
  expect([noteIn(false), noteIn(true)]).toEqual([false, true]);
});

test('a change stored by another companion during loading is not missed', async () => {
  const fake = fakeUi();
  const { load } = fake.ports.draft;
  const ports = fake.ports.draft as { load: typeof load };
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  ports.load = async (key) => {
    const early = await load(key);
    await released;
    return early;
  };
  const ui = await driveUi(fake);
  const line = { id: 1, text: 'from the other', tag: 'note', changed: false, origin: null } as const;
  fake.writeDraft(fake.ports.draft.keyOf(fake.ports.responses.getSnapshot()), {
    lines: [line],
    pulls: [],
    nextLineId: 2,
  });
  release();
  await ui.settle();
  await ui.settle();
  await ui.type('\t\t');
  expect(ui.screen()).toContain('from the other');
});
