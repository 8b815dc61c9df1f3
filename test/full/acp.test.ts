/** Real AI CLIs as workers of the agent: each edits a copy by its own tools, offline, and the change is proposed. */

import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createAcpLoop } from '../../src/agent/acp/acp-loop.ts';
import { secretRule } from '../../src/agent/tools/kept-back.ts';
import { runLoop } from '../helpers/agent-loop.ts';
import { type ClientName, isInstalled } from '../helpers/client-catalog.ts';
import { prepareClient } from '../helpers/real-clients.ts';
import { removeTree } from '../helpers/remove-tree.ts';
import { type ScriptedModel, startScriptedModel } from '../helpers/scripted-model/server.ts';

const BEFORE = '# Setup\n\nText\n';
const AFTER = '# Install\n\nText\n';

const WORKERS = [
  {
    name: 'gemini',
    arg: '--acp',
    write: { name: 'write_file', input: { file_path: 'a.md', content: AFTER } },
  },
  { name: 'opencode', arg: 'acp', write: { name: 'write', input: { filePath: 'a.md', content: AFTER } } },
] as const satisfies readonly { name: ClientName; arg: string; write: object }[];

let root = '';
let model: ScriptedModel | null = null;
afterEach(async () => {
  await model?.close();
  removeTree(root);
});

describe.each(WORKERS)('$name', ({ name, arg, write }) => {
  it.skipIf(!isInstalled(name))(
    'edits its copy by its own tools; the project keeps its bytes',
    async () => {
      root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'copane-acp-')));
      const project = path.join(root, 'project');
      mkdirSync(project);
      writeFileSync(path.join(project, 'a.md'), BEFORE);
      model = await startScriptedModel({
        turns: [
          { when: 'Rename the heading', replies: [{ text: 'I do it.', tools: [write] }, { text: 'Done.' }] },
        ],
      });
      const { argv, env } = prepareClient(name, {
        home: path.join(root, 'home'),
        project,
        modelPort: model.port,
      });
      const ran = await runLoop({
        root: project,
        loop: createAcpLoop({
          command: () => [...argv, arg],
          env,
          home: path.join(root, 'copies'),
          skipIgnored: () => true,
          isSecret: () => secretRule([]),
          now: Date.now,
        }),
        input: { mode: 'acp', instruction: 'Rename the heading.' },
      });
      expect(ran.outcome).toMatchObject({
        ok: true,
        value: {
          message: 'I do it.\n\nDone.',
          edits: [
            { file_path: 'a.md', operation: 'replace', start_line: 1, end_line: 1, new_text: '# Install\n' },
          ],
        },
      });
      expect(ran.asked).toEqual([]);
      expect(ran.types).toContain('tool.call.completed');
      expect(readFileSync(path.join(project, 'a.md'), 'utf8')).toBe(BEFORE);
    },
    180_000,
  );
});
