/** Where an edit goes, as models write it: understood, or refused by name; never taken for a whole new file. */
import { expect, test } from 'vitest';
import { AgentStage, propose, read } from '../../../test/helpers/agent-play.ts';

const stage = new AgentStage({ 'b.md': 'alpha\nbeta\ngamma\ndelta\n', 'src/c.ts': 'one\ntwo\n' });

async function played(call: object) {
  const { outcome, requests } = await stage.play([
    { calls: [read('b.md'), read('src/c.ts')] },
    { calls: [propose(call)] },
  ]);
  const told = JSON.stringify(requests.at(-1));
  if (!outcome.ok) return { edits: [], told };
  const edits = outcome.value.edits.map(({ file_path, start_line, end_line }) => [
    file_path,
    start_line,
    end_line,
  ]);
  return { edits, told };
}

test.each([
  { lines: '2-3' },
  { lines: '2:3' },
  { lines: 'L2-L3' },
  { lines: 'from 2 to 3' },
  { lines: [2, 3] },
  { line_range: '2, 3' },
  { lineRange: [2, 3] },
  { range: { start: 2, end: 3 } },
  { range: { start: { line: 2 }, end: { line: 3 } } },
  { location: { start_line: 2, end_line: 3 } },
  { span: '2..3' },
])('a range: %j', async (place) => {
  const { edits } = await played({ file_path: 'b.md', new_text: 'BETA\n', ...place });
  expect(edits).toEqual([['b.md', 2, 3]]);
});

test.each([{ lines: '2' }, { line_range: 2 }, { lines: [2] }, { position: 'line 2' }])(
  'one line: %j',
  async (place) => {
    const { edits } = await played({ file_path: 'b.md', new_text: 'BETA\n', ...place });
    expect(edits).toEqual([['b.md', 2, 2]]);
  },
);

test.each([
  { insert_after: 'alpha' },
  { anchor: 'beta' },
  { before: 'gamma' },
  { range: '@@ -2,1 +2,1 @@' },
  { lines: 'all of them' },
  { lines: '3-2' },
  { offset: 12 },
  { section: 'beta' },
  { target_line: 2 },
  { char_index: 7 },
])('a place that nobody understands is refused by its name: %j', async (place) => {
  const { edits, told } = await played({ file_path: 'b.md', new_text: 'BETA\n', ...place });
  expect(edits).toEqual([]);
  expect(told).toContain(`propose_edits has no \\"${Object.keys(place)[0]}\\"`);
});

const BETA = { old_text: 'beta', new_text: 'BETA' };
const TWO = { old_text: 'two', new_text: 'TWO' };
test.each([
  { edits: { 'b.md': BETA, 'src/c.ts': TWO } },
  { edits: { 'b.md': [BETA], 'src/c.ts': [TWO] } },
  { changes: { 'b.md': [BETA], 'src/c.ts': TWO } },
  { 'b.md': [BETA], 'src/c.ts': [TWO] },
  { 'b.md': BETA, 'src/c.ts': TWO },
])('edits by file: %j', async (call) => {
  const { outcome } = await stage.play([
    { calls: [read('b.md'), read('src/c.ts')] },
    { calls: [['propose_edits', call]] },
  ]);
  expect(
    outcome.ok && outcome.value.edits.map(({ file_path, start_line }) => [file_path, start_line]),
  ).toEqual([
    ['b.md', 2],
    ['src/c.ts', 2],
  ]);
});
