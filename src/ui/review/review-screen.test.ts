import { describe, expect, it } from 'vitest';
import { testHunk, testRefusal, testSuggestion } from '../../../test/helpers/review-fakes.ts';
import {
  cursorOf,
  openReviewScreen as open,
  threeHunks as three,
} from '../../../test/helpers/review-screen.ts';
import { fail } from '../../lib/result.ts';

describe('deciding', () => {
  it('shows a decision in the frame of its key, before it is confirmed, and goes to the next open hunk', async () => {
    let finish = (): void => undefined;
    const { ui, review } = await open({ wait: () => new Promise((resolve) => (finish = resolve)) });
    await ui.type('a');
    expect(ui.rows()[1]).toContain('1/3 decided');
    expect(ui.rows()[1]).toContain('✓1');
    expect(cursorOf(ui)).toBe('a2');
    expect(review.port.getSnapshot().open?.hunks[0]?.status).toBe('pending');
    finish();
    await ui.settle();
    expect(review.port.getSnapshot().open?.hunks[0]?.status).toBe('accepted');
    expect(ui.state().review.expected).toEqual({});
    expect(review.intents).toMatchObject([{ kind: 'accept', hunk: 'a1', seen: 'pending' }]);
  });

  it('decides on one hunk while others are loading, and on all only when loaded', async () => {
    const { ui, review } = await open({
      view: { isReading: true },
      suggestions: [{ ...three(), hunkCount: 900 }],
    });
    expect(ui.rows()[1]).toContain('0/900 decided');
    for (const key of ['A', 'X', 'f', 'F', 'enter']) {
      await ui.type(key === 'enter' ? '\r' : key);
      expect(ui.screen()).toContain('900 hunks are still loading');
    }
    await ui.type('a');
    expect(ui.rows()[1]).toContain('1/900 decided');
    expect(review.intents).toMatchObject([{ kind: 'accept', hunk: 'a1', seen: 'pending' }]);
    expect(ui.screen()).not.toContain('Every hunk is decided');
  });

  it('gives the hint of whoever refused, if there is one', async () => {
    const refuse = () => fail('refused', 'a.ts is read-only; nothing was written.', 'Make it writable.');
    const { ui } = await open({ refuse });
    await ui.type('a');
    await ui.settle();
    expect(ui.screen()).toContain('a.ts is read-only; nothing was written. Make it writable.');
    expect(ui.screen()).not.toContain('edits the text');
  });

  it('says in whole sentences what it left unchanged', async () => {
    const { ui } = await open({ notes: ['Still staged: a.ts: it differs.', 'The sandbox keeps b.ts.'] });
    await ui.type('r');
    await ui.settle();
    expect(ui.screen()).toContain('Still staged: a.ts: it differs. The sandbox keeps b.ts');
  });

  it('reverts what was refused, and says why and which keys help', async () => {
    const { ui } = await open({ refuse: () => testRefusal('The lines were changed since') });
    await ui.type('a');
    expect(ui.rows()[1]).toContain('0/3 decided');
    expect(cursorOf(ui)).toBe('a1');
    expect(ui.screen()).toContain('The lines were changed since. m edits the text, r rejects it.');
  });

  it('applies a burst of keys to one hunk after another', async () => {
    const { ui, review } = await open();
    await ui.type('ara');
    expect(review.intents.map((intent) => ('hunk' in intent ? intent.hunk : ''))).toEqual(['a1', 'a2', 'b1']);
    expect(ui.rows()[1]).toContain('3/3 decided');
    expect(ui.screen()).toContain('Enter finishes the review');
    await ui.type('u');
    await ui.settle();
    expect(ui.rows()[1]).toContain('2/3 decided');
    expect(ui.screen()).not.toContain('Every hunk is decided');
  });

  it('decides on the hunks of a file', async () => {
    const { ui, review } = await open();
    await ui.type('F');
    expect(review.intents).toMatchObject([{ kind: 'reject_file', hunk: 'a1' }]);
    expect(ui.rows()[1]).toContain('✗2');
    expect(cursorOf(ui)).toBe('b1');
  });

  it('says what did not fit', async () => {
    const [first, ...rest] = three().hunks;
    if (first === undefined) throw new Error('a hunk');
    const { ui } = await open({
      suggestions: [testSuggestion({ hunks: [{ ...first, status: 'conflict' }, ...rest] })],
    });
    await ui.type('nAy');
    expect(ui.screen()).toContain('Accepted 2 hunks; 1 hunk did not fit');
  });

  it('does nothing twice', async () => {
    const { ui, review } = await open();
    await ui.type('apa');
    expect(cursorOf(ui)).toBe('a2');
    await ui.type('ff');
    await ui.type('pf');
    expect(ui.screen()).toContain('Every hunk of this file is already decided');
    expect(review.intents).toHaveLength(3);
  });

  it('accepts the rest only after confirmation, with the revision that was seen', async () => {
    const { ui, review } = await open();
    await ui.type('A');
    expect(ui.screen()).toContain('Accept 3 open hunks?');
    expect(review.intents).toEqual([]);
    await ui.type('n');
    expect(review.intents).toEqual([]);
    await ui.type('A\r');
    expect(review.intents).toEqual([{ kind: 'accept_all' }]);
    expect(review.confirmed).toEqual([7]);
    expect(ui.screen()).toContain('Accepted 3 hunks: Enter finishes the review');
  });

  it('warns at each hunk, and names files that run by themselves before accepting all', async () => {
    const warning = 'This file runs by itself: direnv runs it';
    const hunks = [
      testHunk('a1', { file: '.envrc', warnings: [{ kind: 'runs', text: warning }] }),
      testHunk('b1', { warnings: [{ kind: 'hidden', text: '1 hidden character: U+3164 HANGUL FILLER' }] }),
    ];
    const { ui, review } = await open({ suggestions: [testSuggestion({ hunks })] });
    expect(ui.screen()).toContain(`! ${warning}`);
    await ui.type('A');
    expect(ui.screen()).toContain('Accept 2 open hunks? .envrc runs by itself.');
    expect(review.intents).toEqual([]);
    await ui.type('y');
    expect(review.intents).toEqual([{ kind: 'accept_all' }]);
  });

  it('undoes a file, and a joint accept, on one key each', async () => {
    const { ui } = await open();
    await ui.type('fu');
    expect(ui.rows()[1]).toContain('0/3 decided');
    expect(cursorOf(ui)).toBe('a1');
    await ui.type('Ay');
    expect(ui.rows()[1]).toContain('3/3 decided');
    await ui.type('u');
    expect(ui.rows()[1]).toContain('0/3 decided');
    expect(ui.screen()).toContain('3 decisions undone');
  });

  it('undoes the last decisions one by one and redoes them', async () => {
    const { ui, review } = await open();
    await ui.type('arn');
    await ui.type('uu');
    expect(ui.rows()[1]).toContain('0/3 decided');
    expect(cursorOf(ui)).toBe('a1');
    await ui.type('\u0012\u0012');
    expect(review.port.getSnapshot().open?.hunks.map(({ status }) => status)).toEqual([
      'accepted',
      'rejected',
      'pending',
    ]);
    await ui.type('Uy');
    expect(ui.rows()[1]).toContain('0/3 decided');
  });

  it('says that there is nothing to undo', async () => {
    const { ui, review } = await open();
    await ui.type('u');
    expect(ui.screen()).toContain('There is no decision to undo');
    await ui.type('\u0012');
    expect(ui.screen()).toContain('Nothing was undone here');
    expect(review.intents.map(({ kind }) => kind)).toEqual(['undo', 'redo']);
  });

  it('completes and discards only after confirmation', async () => {
    const { ui, review } = await open();
    await ui.type('\r');
    expect(ui.screen()).toContain('3 hunks stay undecided.');
    // Enter ends nothing.
    await ui.type('\r');
    expect(ui.screen()).not.toContain('stay undecided');
    await ui.type('d\rd');
    expect(ui.screen()).toContain('Discard this suggestion?');
    // The host asks, since it knows what was done with other reviews.
    expect([review.intents, review.confirmed]).toEqual([[{ kind: 'finish', sync: 'keep' }], []]);
    await ui.type('y');
    expect(review.intents.slice(1)).toEqual([{ kind: 'discard' }]);
    expect(ui.screen()).toContain('No suggestion is waiting for you.');
  });
});

it('finishes a review in the way used last, or with Tab in another', async () => {
  const { ui, review } = await open({ lastSync: 'push' });
  await ui.type('a\r');
  expect(ui.screen()).toContain('commit what was accepted and push it?');
  expect(ui.screen().replace(/\s+/g, ' ')).toContain('Tab: another way.');
  await ui.type('\t');
  expect(ui.screen()).toContain('What was accepted stays. 2 hunks stay undecided.');
  await ui.type('\ty');
  expect(review.intents.at(-1)).toEqual({ kind: 'finish', sync: 'commit' });
  const remapped = await open({ lastSync: 'push' }, undefined, { 'confirm/other': 'o' });
  await remapped.ui.type('a\r');
  expect(remapped.ui.screen().replace(/\s+/g, ' ')).toContain('o: another way.');
});

describe('modifying', () => {
  it('opens the resulting text at the line under the name of the file, and accepts the edited text', async () => {
    const seen: unknown[] = [];
    const { ui, review } = await open({}, (text, line, name) => {
      seen.push([line, name]);
      return text.replace('return x;', 'return x ?? 0;');
    });
    await ui.type('jjjjjm');
    expect(seen).toEqual([[4, 'a.ts']]);
    expect(review.intents).toMatchObject([{ kind: 'modify', hunk: 'a1', modified: { kind: 'text' } }]);
    const [intent] = review.intents;
    const modified =
      intent?.kind === 'modify' && intent.modified.kind === 'text' ? intent.modified.base64 : '';
    expect(Buffer.from(modified, 'base64').toString()).toContain('return x ?? 0;');
    expect(ui.screen()).toContain('modified');
  });

  it('opens the modified text when a hunk is modified again', async () => {
    const seen: string[] = [];
    const { ui, review } = await open({}, (text) => {
      seen.push(text);
      return `${text}more\n`;
    });
    await ui.type('m');
    await ui.type('p');
    expect(ui.screen()).toContain('replaced by your own text');
    await ui.type('m');
    expect(seen[1]).toBe(`${seen[0]}more\n`);
    expect(review.intents).toHaveLength(2);
  });

  it('does nothing without changes, or to a partly read hunk', async () => {
    const { ui, review } = await open({}, (text) => text);
    await ui.type('m');
    expect(ui.screen()).toContain('Nothing was changed');
    const partly = testSuggestion({ hunks: [testHunk('p', { diffComplete: false })] });
    const other = await open({ suggestions: [partly] }, () => 'spoiled');
    await other.ui.type('mM');
    expect([...review.intents, ...other.review.intents]).toEqual([]);
  });
});

describe('lines', () => {
  it.each([
    ['jjjjvja', { kind: 'accept', hunk: 'a1', lines: { first: 4, last: 5 } }],
    ['vkkjr', { kind: 'reject', hunk: 'a1', lines: { first: 1, last: 1 } }],
    ['s', { kind: 'split', hunk: 'a1', lines: null, at: 1 }],
    ['jjjjvs', { kind: 'split', hunk: 'a1', lines: { first: 4, last: 4 } }],
    ['jjjjjjjjjs', { kind: 'split', hunk: 'a1', at: 9 }],
  ])('%s', async (keys, intent) => {
    const { ui, review } = await open();
    await ui.type(keys);
    expect(review.intents).toMatchObject([intent]);
  });

  it('split nothing if there is only one change, and say how to accept some of its lines', async () => {
    const { ui } = await open();
    await ui.type('s');
    await ui.settle();
    expect(ui.screen()).toContain('It is one change already; select some of its lines');
  });

  it('stay inside the hunk, and Esc ends the selection', async () => {
    const { ui } = await open();
    await ui.type('v');
    expect(ui.rows().at(-1)).toContain('SELECT');
    await ui.type('GGG');
    expect(cursorOf(ui)).toBe('a1');
    await ui.type('\u001b');
    expect(ui.state().review.anchor).toBeNull();
  });
});
