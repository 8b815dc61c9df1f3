/**
 * Records real screens of the real AI CLIs: plays scenes in a private tmux and takes styled captures, each with the
 * facts behind it. Used by `scripts/record-screens.ts` and by the test that records again.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../../src/platform/process-state.ts';
import { run } from '../../src/platform/run.ts';
import { screenRulesFor } from '../../src/responses/screens/registry.ts';
import { type ClientName, type ClientSpec, clientSpec, clientsRoot } from './client-catalog.ts';
import type { PrivateTmux } from './private-tmux.ts';
import { type ClientVariant, type StartedClient, startClient } from './real-clients.ts';
import { removeTree } from './remove-tree.ts';
import {
  AFTER_TOOL,
  AIDER_FILE,
  ANSWERS,
  BEFORE_TOOL,
  COMMAND_TOOL,
  DRAFT,
  EDIT_TOOL,
  LONG_PASTE,
  promptFor,
  QUESTION_TOOL,
  sceneScript,
} from './screen-scenes.ts';
import { type ScriptedModel, startScriptedModel } from './scripted-model/server.ts';

/** One recording: the facts; its text is in `<case>.ansi` and `<case>.history.txt`. */
export interface RecordingFacts {
  readonly client: ClientName;
  readonly cli: ClientSpec['cli'];
  readonly version: string;
  readonly case: string;
  readonly columns: number;
  readonly rows: number;
  readonly command: string;
  readonly tmux: string;
  readonly title: string;
  readonly cursorRow: number;
  readonly cursorColumn: number;
  readonly alternate: boolean;
  readonly historySize: number;
  /** The prompt whose answer is on the screen, and the Markdown that the model sent. */
  readonly prompt: string | null;
  readonly answer: string | null;
}

export interface RecorderOptions {
  readonly client: ClientName;
  readonly columns: number;
  readonly out: string;
  readonly onShot?: (label: string) => void;
}

const RECORDING_ROWS = 30;

/** The longest pause that a client needs between a paste and Enter, with a margin. */
const SETTLE_MS = 500;
/** A loaded machine needs half a minute for what an idle one does in two seconds. */
const PATIENCE_MS = 120_000;
/** Spinners show their seconds only after a while. */
const WORKING_MS = 3_000;
/** Claude Code adds the elapsed time to its spinner only after half a minute. */
const WORKING_LONG_MS = 36_000;

/** The folder of a client's recordings at one width, below the fixture folder. */
export function recordingDir(root: string, spec: ClientSpec, columns: number): string {
  return path.join(root, `${spec.cli}-${spec.version}`, String(columns));
}

/** What a scene can do. */
interface Stage {
  readonly name: ClientName;
  readonly tmux: PrivateTmux;
  readonly model: ScriptedModel;
  send(text: string): Promise<void>;
  sendAndWait(name: string): Promise<void>;
  /** Sends a prompt that the model receives and never answers. */
  think(): Promise<void>;
  /** Waits until the client shows no more work. */
  atRest(): Promise<void>;
  shot(name: string, about?: { readonly prompt: string; readonly answer: string }): Promise<void>;
}

interface Scene {
  readonly name: string;
  readonly only?: readonly ClientName[];
  readonly variant?: ClientVariant;
  play(stage: Stage): Promise<void>;
}

async function interrupt(stage: Stage): Promise<void> {
  if (stage.name === 'aider') return await stage.tmux.keys('C-c');
  await stage.tmux.keys('Escape');
  // opencode asks for a second one.
  if (stage.name === 'opencode') {
    await sleep(300);
    await stage.tmux.keys('Escape');
  }
}

/** Moves from the multiple-choice page to the summary page. */
async function submitChecked({ name, tmux }: Stage): Promise<void> {
  await tmux.keys(name === 'opencode' ? 'Tab' : 'Right');
}

/** The clients' questions, in their words or in the script's. */
const DIALOG =
  /Do you want|Allow execution|Apply this change|Permission required|Would you like|Create new file|Which colour/;
const QUEUE = /queued|steering/i;
const AFTER_TOOL_ANSWER = `${BEFORE_TOOL}\n\n${AFTER_TOOL}`;

const SCENES: readonly Scene[] = [
  {
    name: 'composer',
    async play(stage) {
      await stage.shot('start');
      await stage.tmux.paste(DRAFT);
      await stage.tmux.until('the draft', (screen) => screen.includes('second line'));
      await stage.tmux.settled();
      await stage.shot('draft');
    },
  },
  {
    name: 'pill',
    async play(stage) {
      await stage.tmux.paste(LONG_PASTE);
      await stage.tmux.until('the paste', (screen) => /paste|line 30 of/i.test(screen));
      await stage.tmux.settled();
      await stage.shot('pill');
    },
  },
  {
    name: 'answers',
    async play(stage) {
      for (const [name, answer] of Object.entries(ANSWERS)) {
        await stage.sendAndWait(name);
        await stage.shot(`answer-${name}`, { prompt: promptFor(name), answer });
      }
    },
  },
  {
    name: 'marker',
    async play(stage) {
      await stage.send(`### PROMPT 2026-01-02 03:04:05\n\n${promptFor('marker')}\n\n### END PROMPT`);
      await stage.tmux.until('the answer', (screen) => /The answer behind the/.test(screen));
      await stage.atRest();
      await stage.shot('marker', {
        prompt: promptFor('marker'),
        answer: 'The answer behind the marker.',
      });
    },
  },
  {
    name: 'working',
    async play(stage) {
      await stage.think();
      await sleep(WORKING_MS);
      await stage.shot('working');
      // aider reads no keys while it works: a queued prompt is only in the terminal's buffer.
      if (stage.name === 'aider') return;
      await stage.send('a prompt for later');
      // Codex takes it into the running turn; all others show it as queued.
      if (stage.name !== 'codex') await stage.tmux.until('the queue', (screen) => QUEUE.test(screen));
      await sleep(SETTLE_MS);
      await stage.shot('queued');
    },
  },
  {
    name: 'interrupted',
    async play(stage) {
      await stage.think();
      await sleep(WORKING_MS);
      await interrupt(stage);
      await stage.atRest();
      await stage.shot('interrupted');
    },
  },
  {
    name: 'working-long',
    only: ['claude', 'claude-old'],
    async play(stage) {
      await stage.think();
      await sleep(WORKING_LONG_MS);
      await stage.shot('working-long');
    },
  },
  {
    name: 'streaming',
    async play(stage) {
      await stage.send(promptFor('streaming'));
      await stage.tmux.until('the stream', (screen) => /A paragraph that/.test(screen));
      await sleep(WORKING_MS);
      await stage.shot('streaming');
    },
  },
  ...(['command', 'edit', 'question'] as const).map(
    (kind): Scene => ({
      name: `dialog-${kind}`,
      async play(stage) {
        const tool = { command: COMMAND_TOOL, edit: EDIT_TOOL, question: QUESTION_TOOL }[kind][stage.name];
        const asks =
          stage.name === 'aider' ? kind === 'command' : tool !== null && !stage.name.startsWith('pi');
        if (!asks) return;
        await stage.send(promptFor(kind));
        await stage.tmux.until(`the ${kind} dialog`, (screen) => DIALOG.test(screen));
        await stage.tmux.settled(1_000);
        await stage.shot(`dialog-${kind}`);
        if (kind !== 'command') return;
        await stage.tmux.keys('Enter');
        if (stage.name !== 'aider') {
          await stage.tmux.until('the end of the turn', (screen) => /text\s+after\s+it/.test(screen));
        }
        await stage.atRest();
        const answer = stage.name === 'aider' ? AIDER_FILE : AFTER_TOOL_ANSWER;
        await stage.shot('after-tool', { prompt: promptFor('command'), answer });
      },
    }),
  ),
  {
    name: 'dialog-plan',
    only: ['claude', 'claude-old'],
    variant: 'plan',
    async play(stage) {
      await stage.send(promptFor('plan'));
      await stage.tmux.until('the plan dialog', (screen) => /Would you like/.test(screen));
      await stage.tmux.settled(1_000);
      await stage.shot('dialog-plan');
    },
  },
  {
    name: 'dialog-questions',
    only: ['claude', 'claude-old', 'opencode', 'gemini'],
    async play(stage) {
      await stage.send(promptFor('questions'));
      await stage.tmux.until('the first question', (screen) => /Which storage/.test(screen));
      await stage.tmux.settled(1_000);
      await stage.shot('dialog-questions');
      await stage.tmux.keys('Enter');
      await stage.tmux.until('the second question', (screen) => /Which clients/.test(screen));
      await stage.tmux.settled(1_000);
      await stage.tmux.keys('Enter');
      await stage.tmux.settled(1_000);
      await stage.shot('dialog-several');
      await submitChecked(stage);
      await stage.tmux.settled(1_000);
      await stage.shot('dialog-review');
    },
  },
  {
    name: 'tool',
    only: ['pi', 'pi-new'],
    async play(stage) {
      await stage.sendAndWait('command');
      await stage.shot('after-tool', { prompt: promptFor('command'), answer: AFTER_TOOL_ANSWER });
    },
  },
  {
    name: 'vim',
    only: ['claude', 'claude-old', 'gemini'],
    variant: 'vim',
    async play(stage) {
      await stage.shot('vim-start');
      await stage.tmux.type('a draft');
      await stage.tmux.until('the draft', (screen) => screen.includes('a draft'));
      await stage.shot('vim-insert');
      await stage.tmux.keys('Escape');
      await sleep(SETTLE_MS);
      await stage.shot('vim-normal');
      // Two keys: typed as one they could be mistaken for a paste.
      await stage.tmux.type('d');
      await stage.tmux.type('d');
      await stage.tmux.until('an empty composer', (screen) => !screen.includes('a draft'));
      await sleep(SETTLE_MS);
      await stage.shot('vim-normal-empty');
    },
  },
  {
    name: 'trust',
    only: ['claude', 'claude-old', 'gemini'],
    variant: 'untrusted',
    play: (stage) => stage.shot('dialog-trust'),
  },
  {
    name: 'mode-question',
    only: ['claude'],
    variant: 'mode-question',
    play: (stage) => stage.shot('dialog-mode'),
  },
];

/** Names the recording process in a folder. */
const OWN_MARK = '.copane-recording';

/** The folder whose name the recordings show, and others of the same length: lines wrap at the same places. */
const BASE = '/home/dev';
const BASES = [BASE, ...Array.from({ length: 10 }, (_, at) => `/home/de${at}`)];

/** A folder for a recording by this process; null without the right to make one. */
function takeBase(): string | null {
  return BASES.find((base) => clearLeftover(base) && isFreeToMake(base)) ?? null;
}

function isFreeToMake(base: string): boolean {
  try {
    mark(base);
    return true;
  } catch {
    return false;
  }
}

function mark(base: string): void {
  mkdirSync(base);
  writeFileSync(path.join(base, OWN_MARK), String(process.pid));
}

/** Removes the leftovers of a killed recording; false when the folder is someone else's, or in use. */
function clearLeftover(base: string): boolean {
  if (!existsSync(base)) return true;
  const owner = path.join(base, OWN_MARK);
  if (!existsSync(owner) || isAlive(Number(readFileSync(owner, 'utf8')))) return false;
  removeTree(base);
  return true;
}

class Recorder {
  readonly #options: RecorderOptions;
  readonly #tmuxVersion: string;
  /** The folder that holds all of the client's files. */
  readonly #base: string;

  constructor(options: RecorderOptions, tmuxVersion: string, base: string) {
    this.#options = options;
    this.#tmuxVersion = tmuxVersion;
    this.#base = base;
  }

  async playScene(scene: Scene): Promise<void> {
    const { client: name, columns } = this.#options;
    const base = this.#base;
    const project = path.join(base, 'project');
    const model = await startScriptedModel(sceneScript(name, project));
    let client: StartedClient | null = null;
    try {
      client = await startClient(name, {
        home: base,
        project,
        modelPort: model.port,
        size: { columns, rows: RECORDING_ROWS },
        patienceMs: PATIENCE_MS,
        ...(scene.variant === undefined ? {} : { variant: scene.variant }),
      });
      await scene.play(this.#stage(name, client, model));
    } finally {
      await client?.tmux.kill();
      await model.close();
      removeTree(base);
      mark(base);
    }
  }

  #stage(name: ClientName, client: StartedClient, model: ScriptedModel): Stage {
    const { tmux } = client;
    const send = client.submit;
    const rules = screenRulesFor(clientSpec(name).cli);
    /** Equal looks, and no work in progress: a loaded client can pause in the middle of an answer. */
    const atRest = async () => {
      await tmux.settled(1_500);
      await tmux.until('the end of the turn', (screen) => {
        const rows = screen.split('\n').map((text) => ({ text: text.trimEnd(), dim: [] }));
        const { columns: width } = this.#options;
        const reading = rules.read({ rows, width, title: '', cursorRow: null });
        return reading.state !== 'working';
      });
      await tmux.settled(1_500);
    };
    return {
      name,
      tmux,
      model,
      send,
      think: async () => {
        await send(promptFor('thinking'));
        const isTaken = () => model.requests.some(({ choice }) => choice.kind === 'reply');
        await tmux.until('the request', isTaken);
      },
      sendAndWait: async (kind) => {
        const before = model.requests.length;
        // In its usual mode, aider mistakes a code block for a broken edit and asks the model again.
        await send(name === 'aider' && kind === 'code' ? `/ask ${promptFor(kind)}` : promptFor(kind));
        const isTaken = () => model.requests.slice(before).some(({ choice }) => choice.kind === 'reply');
        await tmux.until(`the request for ${kind}`, isTaken);
        await atRest();
      },
      atRest,
      shot: (label, about) => this.#shot(label, client, model, about),
    };
  }

  async #shot(
    label: string,
    client: StartedClient,
    model: ScriptedModel,
    about: { readonly prompt: string; readonly answer: string } | undefined,
  ): Promise<void> {
    const { columns, out, client: name, onShot } = this.#options;
    const spec = clientSpec(name);
    const dir = recordingDir(out, spec, columns);
    mkdirSync(dir, { recursive: true });
    const { tmux } = client;
    const [screen, facts, history] = [await tmux.screen(true), await tmux.facts(), await tmux.history()];
    const { dead: _dead, ...told } = facts;
    const recording: RecordingFacts = {
      client: name,
      cli: spec.cli,
      version: spec.version,
      case: label,
      columns,
      rows: RECORDING_ROWS,
      command: commandLine(client, model.port),
      tmux: this.#tmuxVersion,
      ...told,
      // Until a program sets a title, tmux shows the machine's name there.
      title: told.title === os.hostname() ? 'host' : told.title.trimEnd(),
      prompt: about?.prompt ?? null,
      answer: about?.answer ?? null,
    };
    const put = (name: string, text: string) =>
      writeFileSync(path.join(dir, name), text.replaceAll(this.#base, BASE));
    put(`${label}.json`, `${JSON.stringify(recording, null, 2)}\n`);
    put(`${label}.ansi`, screen);
    if (about !== undefined) put(`${label}.history.txt`, history);
    onShot?.(`${spec.cli}-${spec.version}/${columns}/${label}`);
  }
}

/** The command without details of this machine: the clients' folder, the port. */
function commandLine(client: StartedClient, port: number): string {
  const [file = '', ...args] = client.launch.argv;
  const shown = file.startsWith(clientsRoot()) ? path.basename(file) : file;
  return [shown, ...args].join(' ').replaceAll(String(port), 'PORT');
}

/** Plays all (or the named) scenes of one client at one width and writes their recordings; false: no folder for it. */
export async function recordScreens(
  options: RecorderOptions,
  only: readonly string[] = [],
): Promise<boolean> {
  const base = takeBase();
  if (base === null) return false;
  const tmux = (await run('tmux', ['-V'])).stdout.toString('utf8').trim();
  const recorder = new Recorder(options, tmux, base);
  try {
    for (const scene of SCENES) {
      if (scene.only !== undefined && !scene.only.includes(options.client)) continue;
      if (only.length > 0 && !only.includes(scene.name)) continue;
      await recorder.playScene(scene);
    }
  } finally {
    removeTree(base);
  }
  return true;
}
