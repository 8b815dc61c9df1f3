/**
 * Real AI CLIs as workers of the agent, offline: each edits a copy with its own tools, the change is proposed, and it
 * asks before it runs a command and shows the whole command.
 */

import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createAcpLoop } from '../../src/agent/acp/acp-loop.ts';
import { REJECT } from '../../src/agent/acp/permission.ts';
import { secretRule } from '../../src/agent/tools/kept-back.ts';
import { runLoop } from '../helpers/agent-loop.ts';
import { adapterCommand, type ClientName, isInstalled } from '../helpers/client-catalog.ts';
import { prepareClient } from '../helpers/real-clients.ts';
import { removeTree } from '../helpers/remove-tree.ts';
import type { ScriptedReply, ScriptedTool } from '../helpers/scripted-model/script.ts';
import { type ScriptedModel, startScriptedModel } from '../helpers/scripted-model/server.ts';

const BEFORE = '# Setup\n\nText\n';
const AFTER = '# Install\n\nText\n';
/** A file that would appear beside the project. */
const COMMAND = 'date > ../../made.txt';

interface Worker {
  readonly name: ClientName;
  /** Its own program with this argument, or an adapter. */
  readonly speaks: { readonly arg: string } | { readonly adapter: Parameters<typeof adapterCommand>[0] };
  readonly edits: readonly ScriptedReply[];
  readonly runs: ScriptedTool;
  /** Its planning tool, if it has one. */
  readonly plans?: ScriptedTool;
}

const CWD = { cwd: 'working directory: ([^\\\\\\n]+)' };
const TODOS = { todos: [{ content: 'Rename', status: 'in_progress', priority: 'high', id: '1' }] };

const WORKERS: readonly Worker[] = [
  {
    name: 'gemini',
    speaks: { arg: '--acp' },
    edits: [{ tools: [{ name: 'write_file', input: { file_path: 'a.md', content: AFTER } }] }],
    runs: { name: 'run_shell_command', input: { command: COMMAND, description: 'Mark' } },
  },
  {
    name: 'opencode',
    speaks: { arg: 'acp' },
    edits: [{ tools: [{ name: 'write', input: { filePath: 'a.md', content: AFTER } }] }],
    runs: { name: 'bash', input: { command: COMMAND, description: 'Mark' } },
    plans: { name: 'todowrite', input: TODOS },
  },
  {
    name: 'claude',
    speaks: { adapter: 'claude-agent-acp' },
    edits: [
      { told: CWD, tools: [{ name: 'Read', input: { file_path: '{{cwd}}/a.md' } }] },
      { told: CWD, tools: [{ name: 'Write', input: { file_path: '{{cwd}}/a.md', content: AFTER } }] },
    ],
    runs: { name: 'Bash', input: { command: COMMAND, description: 'Mark' } },
  },
  {
    name: 'codex',
    speaks: { adapter: 'codex-acp' },
    edits: [
      {
        tools: [
          {
            name: 'exec_command',
            input: {
              cmd: "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a.md\n@@\n-# Setup\n+# Install\n*** End Patch\nEOF",
            },
          },
        ],
      },
    ],
    runs: {
      name: 'exec_command',
      input: { cmd: COMMAND, sandbox_permissions: 'require_escalated', justification: 'Mark' },
    },
  },
];

let root = '';
let model: ScriptedModel | null = null;
afterEach(async () => {
  await model?.close();
  removeTree(root);
});

const isHere = ({ name, speaks }: Worker) =>
  isInstalled(name) && ('arg' in speaks || adapterCommand(speaks.adapter) !== null);

describe.each(WORKERS)('$name', (worker) => {
  const { name, speaks, edits, runs, plans } = worker;
  it.skipIf(!isHere(worker))(
    'edits its copy, asks before a command, shows its plan; the project stays the same',
    async () => {
      root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'copane-acp-')));
      const project = path.join(root, 'project');
      mkdirSync(project);
      writeFileSync(path.join(project, 'a.md'), BEFORE);
      const steps = plans === undefined ? [] : [{ tools: [plans] }];
      model = await startScriptedModel({
        turns: [
          {
            when: 'Rename the heading',
            replies: [...edits, ...steps, { tools: [runs] }, { text: 'Done.' }],
          },
        ],
      });
      const home = path.join(root, 'home');
      const { argv, env } = prepareClient(name, { home, project, modelPort: model.port });
      const command = 'arg' in speaks ? [...argv, speaks.arg] : [adapterCommand(speaks.adapter) ?? ''];
      const ran = await runLoop({
        root: project,
        loop: createAcpLoop({
          command: () => command,
          env,
          home: path.join(root, 'copies'),
          skipIgnored: () => true,
          isSecret: () => secretRule([]),
          now: Date.now,
        }),
        input: { mode: 'acp', instruction: 'Rename the heading.' },
        answers: [REJECT],
      });
      expect(ran.outcome, JSON.stringify(ran.events)).toMatchObject({
        ok: true,
        value: {
          edits: [
            { file_path: 'a.md', operation: 'replace', start_line: 1, end_line: 1, new_text: '# Install\n' },
          ],
        },
      });
      expect(ran.asked).toEqual([expect.stringContaining(COMMAND)]);
      expect(ran.types).toContain('tool.call.completed');
      if (plans !== undefined) expect(ran.types).toContain('plan.updated');
      expect(JSON.stringify(ran.events)).not.toContain(path.join(root, 'copies'));
      expect(readFileSync(path.join(project, 'a.md'), 'utf8')).toBe(BEFORE);
      expect(existsSync(path.join(root, 'copies', 'made.txt'))).toBe(false);
    },
    180_000,
  );
});
