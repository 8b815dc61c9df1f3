import { expect, it } from 'vitest';
import { fakeAgent, testAgentView } from '../../../test/helpers/agent-fakes.ts';
import { openAgent } from '../../../test/helpers/agent-screen.ts';
import type { DiffBundle } from '../../protocol/agent.ts';
import { diffRole } from './diff-card.ts';

type Hunk = DiffBundle['files'][number]['hunks'][number];

const hunk = (patch: string, accepted: boolean | null): Hunk => ({
  hunk_id: patch,
  patch,
  accepted,
  edit_ids: [],
  oversized_hunk: false,
  conflict: null,
  warnings: [],
});

function bundle(accepted: boolean | null): DiffBundle {
  const file = { base_file_hash: null, conflict: null, saved: false };
  return {
    job_id: 'j1',
    suggestion_id: 'sugg_1',
    files: [
      {
        ...file,
        file_path: 'guide.md',
        new_path: null,
        change: 'modify',
        hunks: [hunk('@@ -12 +12 @@\n-## Setup\n+## Install\n', accepted)],
      },
      { ...file, file_path: 'old.md', new_path: 'new.md', change: 'rename', hunks: [] },
    ],
  };
}

const CTRL_O = '\x0f';

async function open(diff: DiffBundle | null) {
  const agent = fakeAgent(testAgentView());
  agent.diff = diff;
  const opened = await openAgent(agent.getSnapshot(), `\r${CTRL_O}`, agent);
  await opened.ui.settle();
  return opened;
}

it('opens to the diff of a proposal right below it, and closes again', async () => {
  const { ui } = await open(bundle(null));
  const rows = ui.rows().map((row) => row.trim().replace(/^▌ ?/, ''));
  const at = rows.findIndex((row) => row.includes('Proposal'));
  expect(rows.slice(at, at + 6)).toEqual([
    expect.stringContaining('Proposal 42 hunks'),
    '',
    expect.stringMatching(/Diff 2 files/),
    'modify guide.md',
    '@@ -12 +12 @@',
    '-## Setup',
  ]);
  expect(ui.screen()).toContain('rename old.md → new.md');
  await ui.type(CTRL_O);
  expect(ui.screen()).not.toContain('Diff 2 files');
});

it('reloads it each time, with the decisions since', async () => {
  const { ui, agent } = await open(bundle(null));
  agent.diff = bundle(true);
  await ui.type(CTRL_O);
  await ui.type(CTRL_O);
  await ui.settle();
  expect(ui.screen()).toContain('@@ -12 +12 @@ ✓');
});

it('is empty for a proposal that is gone', async () => {
  const { ui } = await open(null);
  expect(ui.screen()).toContain('Diff 0 files');
});

it.each([
  ['+a', 'added'],
  ['-a', 'removed'],
  [' a', 'dim'],
  ['@@ -1 +1 @@', 'dim'],
])('%j is %s', (text, role) => expect(diffRole(text)).toBe(role));
