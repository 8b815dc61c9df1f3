import { expect, it } from 'vitest';
import { testTurn } from '../../../test/helpers/ui-fakes.ts';
import type { OutboxEntry } from '../../protocol/outbox.ts';
import { sortNotes } from './sort-notes.ts';

const NOTES = ['a.ts:3 I took this back:\n> -two\nWhy?', 'b.ts:7\n> +x\nNo.'];
const BOTH = `Please look.\n\n${NOTES.join('\n\n')}\n`;
const [FIRST = '', SECOND = ''] = NOTES;
const turns = (...prompts: readonly string[]) =>
  prompts.map((prompt, at) => testTurn(`t${prompts.length - at}`, { prompt }));
const NOWHERE = { draft: '', turns: [], deliveries: [] };
const delivery = (state: OutboxEntry['state'], text: string) => ({ state, text }) as OutboxEntry;

it('is all of them before anything was sent', () => {
  expect(sortNotes(NOTES, { ...NOWHERE, turns: turns('Change it.') }, 't1')).toEqual({
    fresh: NOTES,
    sent: [],
  });
});

it('leaves out reasons that the draft contains', () => {
  expect(sortNotes(NOTES, { ...NOWHERE, draft: `${FIRST}\n\nmine` }, 't1')).toEqual({
    fresh: [SECOND],
    sent: [],
  });
});

it('recognizes a reason in a later prompt, also with other white space', () => {
  const told = turns(BOTH.replaceAll('\n', '\r\n'), 'Change it.');
  expect(sortNotes(NOTES, { ...NOWHERE, turns: told }, 't1')).toEqual({ fresh: [], sent: NOTES });
});

it('treats an edited reason as a new one', () => {
  const edited = FIRST.replace('Why?', 'Why, really?');
  const places = { ...NOWHERE, turns: turns(BOTH, 'Change it.') };
  expect(sortNotes([edited, SECOND], places, 't1')).toEqual({ fresh: [edited], sent: [SECOND] });
  expect(sortNotes([`${FIRST}\nAnd how?`], places, 't1').fresh).toHaveLength(1);
});

it('offers the same text again if the AI repeated the change', () => {
  expect(sortNotes(NOTES, { ...NOWHERE, turns: turns('Again.', BOTH, 'Change it.') }, 't3').sent).toEqual([]);
});

it('counts unfinished sends, but not refused ones', () => {
  const sent = (state: OutboxEntry['state']) =>
    sortNotes(NOTES, { ...NOWHERE, deliveries: [delivery(state, BOTH)] }, 't1').sent.length;
  expect([sent('queued'), sent('submitted'), sent('refused'), sent('abandoned')]).toEqual([2, 2, 0, 0]);
});
