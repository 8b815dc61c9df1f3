/**
 * Real AI CLIs as workers of the agent, offline, found on the PATH: each edits a copy by its own tools, the change is
 * proposed, and before it runs a command it asks, with the whole command. Then each is stopped, dies, and writes into the
 * project itself.
 */

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createAcpLoop } from '../../src/agent/acp/acp-loop.ts';
import { installedAgents } from '../../src/agent/acp/known-agents.ts';
import { ALLOW, REJECT } from '../../src/agent/acp/permission.ts';
import { secretRule } from '../../src/review/core/secret-files.ts';
import { type LoopRun, runLoop } from '../helpers/agent-loop.ts';
import {
  adapterCommand,
  type ClientName,
  clientCommand,
  clientSpec,
  isInstalled,
} from '../helpers/client-catalog.ts';
import { prepareClient } from '../helpers/real-clients.ts';
import { removeTree } from '../helpers/remove-tree.ts';
import type { ScriptedReply, ScriptedTool } from '../helpers/scripted-model/script.ts';
import { type ScriptedModel, startScriptedModel } from '../helpers/scripted-model/server.ts';
import { until } from '../helpers/until.ts';

const BEFORE = '# Setup\n\nText\n';
const AFTER = '# Install\n\nText\n';
/** It would leave a trace beside the project. */
const COMMAND = 'date > ../../made.txt';

interface Worker {
  readonly name: ClientName;
  /** As the Agent screen offers it. */
  readonly offered: readonly [name: string, ...command: string[]];
  readonly adapter?: Parameters<typeof adapterCommand>[0];
  readonly edits: readonly ScriptedReply[];
  readonly runs: (command: string) => ScriptedTool;
  /** What it plans with: Gemini CLI does not tell its plan, Codex offers an unknown model no tool for one, pi has none. */
  readonly plans?: ScriptedTool;
  /** It has no permissions: nothing that it does is asked for. */
  readonly isUnasked?: true;
}

const CWD = { cwd: 'working directory: ([^\\\\\\n]+)' };
const STEP = { content: 'Rename', activeForm: 'Rename', status: 'in_progress', priority: 'high', id: '1' };

const WORKERS: readonly Worker[] = [
  {
    name: 'gemini',
    offered: ['Gemini CLI', 'gemini', '--acp'],
    edits: [
      // Its list of steps is its own affair, and nothing to ask for.
      { tools: [{ name: 'write_todos', input: { todos: [{ description: 'Rename', status: 'pending' }] } }] },
      { tools: [{ name: 'write_file', input: { file_path: 'a.md', content: AFTER } }] },
    ],
    runs: (command) => ({ name: 'run_shell_command', input: { command, description: 'Mark' } }),
  },
  {
    name: 'opencode',
    offered: ['opencode', 'opencode', 'acp'],
    edits: [{ tools: [{ name: 'write', input: { filePath: 'a.md', content: AFTER } }] }],
    runs: (command) => ({ name: 'bash', input: { command, description: 'Mark' } }),
    plans: { name: 'todowrite', input: { todos: [STEP] } },
  },
  {
    name: 'claude',
    offered: ['Claude Code', 'claude-agent-acp'],
    adapter: 'claude-agent-acp',
    edits: [
      { told: CWD, tools: [{ name: 'Read', input: { file_path: '{{cwd}}/a.md' } }] },
      { told: CWD, tools: [{ name: 'Write', input: { file_path: '{{cwd}}/a.md', content: AFTER } }] },
    ],
    runs: (command) => ({ name: 'Bash', input: { command, description: 'Mark' } }),
    plans: { name: 'TodoWrite', input: { todos: [STEP] } },
  },
  {
    name: 'codex',
    offered: ['Codex', 'codex-acp'],
    adapter: 'codex-acp',
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
    runs: (cmd) => ({
      name: 'exec_command',
      input: { cmd, sandbox_permissions: 'require_escalated', justification: 'Mark' },
    }),
  },
  {
    name: 'pi-new',
    offered: ['pi', 'pi-acp'],
    adapter: 'pi-acp',
    edits: [{ tools: [{ name: 'write', input: { path: 'a.md', content: AFTER } }] }],
    runs: (command) => ({ name: 'bash', input: { command } }),
    isUnasked: true,
  },
];

let root = '';
let model: ScriptedModel | null = null;
afterEach(async () => {
  await model?.close();
  removeTree(root);
});

const isHere = ({ name, adapter }: Worker) =>
  isInstalled(name) && (adapter === undefined || adapterCommand(adapter) !== null);
const inProject = (name: string) => path.join(root, 'project', name);

/** Processes with the test's folder in their environment, beside this one. */
function processes(): readonly number[] {
  const isOurs = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(root);
    } catch {
      return false;
    }
  };
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) && isOurs(name) ? [Number(name)] : []));
}

const isOver = () =>
  until(
    'neither process nor copy',
    () => processes().length === 0 && readdirSync(path.join(root, 'copies')).length === 0,
    { show: () => `${processes()}` },
  );

/** Has the worker that stands alone on the PATH do a job of these replies. */
async function work(
  { name, adapter, offered }: Worker,
  replies: readonly ScriptedReply[],
  about: Pick<LoopRun, 'deps' | 'answers'>,
) {
  const project = inProject('');
  mkdirSync(project);
  writeFileSync(inProject('a.md'), BEFORE);
  model = await startScriptedModel({ turns: [{ when: 'Rename the heading', replies }] });
  const place = { home: path.join(root, 'home'), project: path.join(root, 'project'), modelPort: model.port };
  const { env } = prepareClient(name, place);
  const programs = [clientCommand(clientSpec(name)), adapter === undefined ? null : adapterCommand(adapter)];
  const folders = programs.flatMap((program) => (program === null ? [] : [path.dirname(program)])).reverse();
  const given = { ...env, PATH: [...folders, env.PATH].join(':') };
  const [title, ...command] = offered;
  expect(installedAgents(given)[0]).toEqual({ name: title, command });
  return runLoop({
    root: path.join(root, 'project'),
    loop: createAcpLoop({
      command: () => null,
      env: given,
      home: path.join(root, 'copies'),
      skipIgnored: () => true,
      isSecret: () => secretRule([]),
      now: Date.now,
    }),
    input: { mode: 'acp', instruction: 'Rename the heading.' },
    ...about,
  });
}

/** Does something once the worker has said so much; its reply stays open. */
function onceItSpeaks(act: () => void): {
  readonly delta: (text: string) => void;
  readonly said: () => string;
} {
  let said = '';
  const delta = (text: string) => {
    const before = said;
    said += text;
    if (said.includes('word by word') && !before.includes('word by word')) act();
  };
  return { delta, said: () => said };
}
const SLOW: ScriptedReply = {
  text: 'I go on word by word until somebody stops me, or something does.',
  chunkSize: 16,
  chunkDelayMs: 50,
  held: true,
};

describe.each(WORKERS)('$name', (worker) => {
  const { edits, runs, plans, isUnasked } = worker;
  const cases: readonly [string, () => Promise<void>][] = [
    [
      'edits its copy, asks before a command, shows its plan; the project keeps its bytes',
      async () => {
        const steps = plans === undefined ? [] : [{ tools: [plans] }];
        const asks = isUnasked ? [] : [{ tools: [runs(COMMAND)] }];
        const ran = await work(worker, [...edits, ...steps, ...asks, { text: 'Done.' }], {
          answers: [REJECT],
        });
        expect(ran.outcome, JSON.stringify(ran.events)).toMatchObject({
          ok: true,
          value: {
            edits: [
              {
                file_path: 'a.md',
                operation: 'replace',
                start_line: 1,
                end_line: 1,
                new_text: '# Install\n',
              },
            ],
            message: expect.not.stringContaining('Changed in the project'),
          },
        });
        expect(ran.asked).toEqual(isUnasked ? [] : [expect.stringContaining(COMMAND)]);
        expect(ran.types).toContain('tool.call.completed');
        const planned = ran.events.flatMap((event) =>
          event.type === 'plan.updated' ? event.data.steps : [],
        );
        expect(planned.slice(0, 1)).toEqual(
          plans === undefined ? [] : [{ text: 'Rename', status: 'in_progress' }],
        );
        expect(JSON.stringify(ran.events)).not.toContain(path.join(root, 'copies'));
        expect(readFileSync(inProject('a.md'), 'utf8')).toBe(BEFORE);
        expect(existsSync(path.join(root, 'copies', 'made.txt'))).toBe(false);
        await isOver();
      },
    ],
    [
      'is stopped while it speaks: nothing of it is left',
      async () => {
        const abort = new AbortController();
        const { delta, said } = onceItSpeaks(() => abort.abort());
        const ran = await work(worker, [SLOW], { deps: { signal: abort.signal, delta } });
        expect(ran.outcome).toMatchObject({ ok: false, error: { code: 'cancelled' } });
        expect(said()).toContain('I go on word by word');
        await isOver();
      },
    ],
    [
      'dies while it speaks: that is said in one line, with what it is',
      async () => {
        const { delta } = onceItSpeaks(() => {
          for (const pid of processes()) process.kill(pid, 'SIGKILL');
        });
        const ran = await work(worker, [SLOW], { deps: { delta } });
        const program = worker.offered[1];
        expect(ran.outcome).toMatchObject({
          ok: false,
          error: {
            code: 'provider',
            // Some have something to say of their children that were killed as well.
            message: expect.stringMatching(
              `^${program} failed to answer: it ended with SIGKILL(: [^\\n]+)?$`,
            ),
          },
        });
        expect(readFileSync(inProject('a.md'), 'utf8')).toBe(BEFORE);
        await isOver();
      },
    ],
    [
      'writes into the project by a command: it is asked with these words, and told',
      async () => {
        const ran = await work(
          worker,
          [{ tools: [runs(`date > ${inProject('a.md')}`)] }, { text: 'Done.' }],
          {
            answers: [ALLOW],
          },
        );
        expect(ran.asked).toEqual(
          isUnasked
            ? []
            : [expect.stringContaining('to work on the project itself, not on its copy: date > ')],
        );
        expect(ran.outcome, JSON.stringify(ran.events)).toMatchObject({
          ok: true,
          value: {
            edits: [],
            message: expect.stringContaining('Changed in the project itself meanwhile: a.md.'),
          },
        });
        await isOver();
      },
    ],
  ];
  it.skipIf(!isHere(worker)).each(cases)(
    '%s',
    async (_, play) => {
      root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'copane-acp-')));
      await play();
    },
    300_000,
  );
});

it.skipIf(!isInstalled('pi') || adapterCommand('pi-acp') === null)(
  'a pi that is too old for its adapter is refused in one sentence, before it is waited for',
  async () => {
    root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'copane-acp-')));
    const pi = WORKERS.find(({ adapter }) => adapter === 'pi-acp') ?? expect.unreachable();
    const ran = await work({ ...pi, name: 'pi' }, pi.edits, {});
    expect(ran.outcome).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/^pi-acp needs pi 1\.6 or later; .*pi is 0\.73\.1\.$/) },
    });
    await isOver();
  },
);
