/** The Agent screen in the real companion, by keys alone: thirty files, a question, two hunks refused, saved, undone. */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { CompanionPane, copaneEnv } from '../../helpers/companion-pane.ts';
import { PrivateTmux } from '../../helpers/private-tmux.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import { type ScriptedModel, startScriptedModel } from '../../helpers/scripted-model/server.ts';
import { until } from '../../helpers/until.ts';

const FILES = 30;
const name = (index: number) => `notes/n${String(index).padStart(2, '0')}.md`;
const before = (index: number) => `# Note ${index}\n\n## Setup\n\nText ${index}\n`;
const after = (index: number) => before(index).replace('## Setup', '## Install');

let root = '';
let tmux: PrivateTmux | null = null;
let model: ScriptedModel | null = null;

afterEach(async () => {
  await tmux?.kill();
  await model?.close();
  removeTree(root);
});

/** A project of notes, a scripted model, an AI pane that only waits, and the companion beside it. */
async function open(size: { columns: number; rows: number }) {
  root = mkdtempSync(path.join(os.tmpdir(), 'copane-agent-'));
  const project = path.join(root, 'project');
  mkdirSync(path.join(project, 'notes'), { recursive: true });
  for (let index = 0; index < FILES; index++) writeFileSync(path.join(project, name(index)), before(index));
  const edits = Array.from({ length: FILES }, (_, index) => ({
    file_path: name(index),
    operation: 'replace',
    start_line: 3,
    end_line: 3,
    new_text: '## Install\n',
    rationale: 'Renamed.',
  }));
  model = await startScriptedModel({
    turns: [
      {
        when: 'Rename the heading',
        replies: [
          {
            text: 'I look for it.',
            tools: [{ name: 'search_project', input: { query: '## Setup', limit: 50 } }],
          },
          { tools: [{ name: 'clarify_user', input: { question: 'Every heading of that name?' } }] },
          { text: 'All of them.', tools: [{ name: 'propose_edits', input: { edits } }] },
        ],
      },
    ],
  });
  const place = { root, project };
  const config = path.join(copaneEnv(place).XDG_CONFIG_HOME ?? '', 'copane');
  mkdirSync(config, { recursive: true });
  writeFileSync(
    path.join(config, 'config.jsonc'),
    JSON.stringify({
      agent_mode: 'local',
      agent_local_url: `http://127.0.0.1:${model.port}/v1`,
      agent_local_model: 'scripted',
    }),
  );
  tmux = new PrivateTmux();
  await tmux.start({ argv: ['/bin/sh', '-c', 'exec cat'], env: copaneEnv(place), cwd: project, size });
  const companion = await CompanionPane.open(tmux, place);
  const text = (index: number) => readFileSync(path.join(project, name(index)), 'utf8');
  const saved = () =>
    Array.from({ length: FILES }, (_, index) => text(index)).filter(
      (content, index) => content === after(index),
    ).length;
  return { place, project, companion, text, saved };
}

async function screen(companion: CompanionPane, key: string, shows: string): Promise<void> {
  await companion.keys(key);
  await companion.until(shows, (text) => text.includes(shows));
}

test('renames a heading across thirty notes, with a restart in the middle', async () => {
  const { place, companion, text, saved } = await open({ columns: 80, rows: 30 });
  await screen(companion, '3', 'i writes the first instruction');
  await companion.keys('i');
  await companion.type('Rename the heading Setup to Install across all notes');
  await companion.keys('Enter');
  await companion.until('the question', (shown) => shown.includes('The model asks'));
  await companion.keys('i');
  await companion.type('yes');
  await companion.keys('Enter');
  await companion.until('the proposal', (shown) => /Proposal 30 hunks in 30 files/.test(shown));
  expect(saved()).toBe(0);

  // Two are refused, the rest is accepted: nothing is on disk yet.
  await screen(companion, 'Enter', '0/30 decided');
  await companion.keys('r');
  await companion.until('one rejected', (shown) => shown.includes('1/30 decided'));
  await companion.keys('r');
  await companion.until('two rejected', (shown) => shown.includes('2/30 decided'));
  await companion.keys('A');
  await companion.keys('y');
  await companion.until('all decided', (shown) => /✓28 ✗2/.test(shown) || shown.includes('30/30'));
  expect(saved()).toBe(0);

  // The companion that leads is killed; the next one has everything.
  await tmux?.run(['kill-pane', '-t', companion.pane]);
  const again = await CompanionPane.open(tmux as PrivateTmux, place);
  await screen(again, '3', 'Rename the heading');
  await screen(again, 'Enter', 'Proposal 30 hunks');
  await again.keys('C-s');
  await again.until('saved', (shown) => shown.includes('Saved 28 files'));
  await until('28 files on disk', () => saved() === 28);
  expect([text(0), text(1)]).toEqual([before(0), before(1)]);

  // Undoes one file, then all of them.
  await screen(again, 'b', 'Roll back to');
  await screen(again, 'Enter', 'How much of it');
  await again.keys('j', 'j', 'j', 'j', 'Enter');
  await again.until('the preview', (shown) => shown.includes('Would change') && shown.includes('+## Setup'));
  await again.keys('Enter');
  await again.until('rolled back', (shown) => shown.includes('Rolled back'));
  await again.keys('C-s');
  await until('one file is back', () => saved() === 27);
  await screen(again, 'b', 'Roll back to');
  await again.keys('G', 'Enter');
  await again.until('how much', (shown) => shown.includes('How much of it'));
  await again.keys('Enter');
  await again.until('the preview', (shown) => shown.includes('Would change'));
  await again.keys('Enter');
  await again.until('rolled back', (shown) => shown.includes('Rolled back'));
  await again.keys('C-s');
  await until('every file is back', () => saved() === 0);
  for (let index = 0; index < FILES; index++) expect(text(index)).toBe(before(index));
});
