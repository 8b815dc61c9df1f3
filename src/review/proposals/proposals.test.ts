import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { compose, image, testEdit } from '../../../test/helpers/agent-proposals.ts';
import { openTestReviews, type TestReviews } from '../../../test/helpers/review-service.ts';
import { formatProposal } from '../../agent/core/proposal-patch.ts';

let root: string;
let reviews: TestReviews;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'copane-proposals-'));
  mkdirSync(path.join(root, 'target'));
  reviews = openTestReviews(path.join(root, 'state'));
});
afterEach(() => {
  reviews.close();
  rmSync(root, { recursive: true, force: true });
});

it('keep their revision if the wanted decisions are already made', async () => {
  const files = { 'a.ts': 'one\ntwo\n' };
  const edit = testEdit(files, {
    file_path: 'a.ts',
    operation: 'replace',
    start_line: 2,
    end_line: 2,
    new_text: 'TWO',
  });
  const composed = compose(files, [edit]);
  if (!composed.ok) throw new Error(JSON.stringify(composed.faults));
  const { proposals } = reviews.service;
  const added = await proposals.add({
    patch: formatProposal(composed.files),
    bases: new Map([['a.ts', image('a.ts', files['a.ts'])]]),
    results: new Map(),
    split: () => null,
    target: path.join(root, 'target'),
    description: '',
    source: 'agent',
    author: null,
    notes: {},
    decision: 'pending',
    alongside: () => undefined,
  });
  if (!added.ok) throw new Error(added.error.message);
  const { id, hunks } = added.value;
  const accept = async () => {
    expect(await proposals.redecide(id, new Map(hunks.map((hunk) => [hunk.id, 'accepted'])))).toMatchObject({
      ok: true,
    });
    const now = await proposals.open(id);
    return now.ok && now.value.stored.revision;
  };
  const first = await accept();
  expect(first).toBeGreaterThan(added.value.revision);
  expect(await accept()).toBe(first);
});
