import { describe, expect, it } from 'vitest';
import { testAgentView, testSession } from '../../../test/helpers/agent-fakes.ts';
import { openAgent } from '../../../test/helpers/agent-screen.ts';
import { ok } from '../../lib/result.ts';
import type { ContextRow } from '../../protocol/agent.ts';

function row(fields: Partial<ContextRow> = {}): ContextRow {
  return {
    id: 'r1',
    kind: 'file',
    file_path: 'a.md',
    start_line: null,
    end_line: null,
    content: 'x'.repeat(400),
    pinned: false,
    ...fields,
  };
}

const withRows = (...rows: ContextRow[]) => testAgentView({ open: testSession({ context_rows: rows }) });

describe('context', () => {
  it('shows rows with their size, pins and removes them', async () => {
    const { ui, agent } = await openAgent(
      withRows(row(), row({ id: 'r2', file_path: 'b.md', start_line: 3, end_line: 9 })),
    );
    expect(ui.screen()).toContain('2 rows, ~200 tokens');
    expect(ui.screen()).toContain('b.md:3-9');
    await ui.type('\t');
    await ui.type('j');
    await ui.type('p');
    await ui.type('x');
    expect(agent.acts).toEqual([
      {
        kind: 'context',
        session: 's1',
        rows: [row(), row({ id: 'r2', file_path: 'b.md', start_line: 3, end_line: 9, pinned: true })],
      },
      { kind: 'context', session: 's1', rows: [row()] },
    ]);
  });

  it.each([
    ['the changes that git lists', 'ajj\u001b[A\r', 'diff'],
    ['the response of screen 1', 'ajj\r', 'response'],
  ])('adds %s', async (_, keys, kind) => {
    const { ui, agent } = await openAgent();
    for (const key of keys.match(/\u001b\[A|./gs) ?? []) await ui.type(key);
    await ui.settle();
    const [act] = agent.acts;
    expect(act?.kind === 'context' && act.rows.map((one) => one.kind)).toEqual([kind]);
  });

  it('adds the lines selected on screen 1', async () => {
    const { ui, agent } = await openAgent();
    for (const key of ['1', '\r', 'j', 'v', 'j', '3', 'a', 'j', 'j', 'j', '\r']) await ui.type(key);
    await ui.settle();
    const [act] = agent.acts;
    const [row] = act?.kind === 'context' ? act.rows : [];
    expect(row?.kind).toBe('selection');
    expect(row?.content.split('\n')).toHaveLength(2);
  });

  it('adds a file by its name', async () => {
    const { ui, agent } = await openAgent();
    await ui.type('a');
    await ui.type('\r');
    await ui.type('notes/a.md');
    await ui.type('\r');
    await ui.settle();
    const [act] = agent.acts;
    expect(act?.kind === 'context' && act.rows.map((one) => one.file_path)).toEqual(['notes/a.md']);
  });
});

describe('rolling back', () => {
  it('previews the changes before anything is done', async () => {
    const { ui, agent } = await openAgent();
    await ui.type('b');
    await ui.type('\r');
    await ui.type('jj');
    await ui.type('\r');
    await ui.settle();
    expect(agent.previewed).toEqual([{ checkpoint: 'c1', mode: 'scoped_selected', hunks: ['h1'] }]);
    expect(ui.screen()).toContain('+## Setup');
    expect(ui.screen()).toContain('1 later change goes as well');
    expect(agent.acts).toEqual([]);
    await ui.type('q');
    expect(agent.acts).toEqual([]);
    await ui.type('b');
    await ui.type('\r');
    await ui.type('\r');
    await ui.settle();
    await ui.type('\r');
    expect(agent.acts).toEqual([{ kind: 'rollback', to: { checkpoint: 'c1', mode: 'hard_all', hunks: [] } }]);
  });

  it('does nothing if later edits conflict', async () => {
    const { ui, agent } = await openAgent();
    agent.preview = ok({
      checkpoint_id: 'c1',
      mode: 'scoped_selected',
      status: 'conflict',
      files: [],
      later_hunks: 0,
      conflicts: [{ file_path: 'guide.md', hunk_id: 'h1', reason: 'edited since' }],
      undo_checkpoint_id: null,
    });
    await ui.type('b');
    await ui.type('\r');
    await ui.type('\r');
    await ui.settle();
    expect(ui.screen()).toContain('guide.md: edited since');
    expect(ui.screen()).toContain('Choose one file');
    expect(ui.screen()).not.toContain('Enter roll back');
    await ui.type('\r');
    expect(agent.acts).toEqual([]);
  });
});
