/**
 * Drives a real AI CLI through prompts as a user does and waits for each answer in the CLI's own session file, read
 * by the product's reader. Measures how long a prompt takes to reach the file.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../../src/platform/process-state.ts';
import type {
  TranscriptReader,
  TranscriptRef,
  TranscriptSession,
  TranscriptSnapshot,
} from '../../src/responses/transcripts/port.ts';
import { createTranscriptReaders } from '../../src/responses/transcripts/registry.ts';
import { matchSentText } from '../../src/responses/transcripts/sent-text.ts';
import { type ClientName, clientSpec } from './client-catalog.ts';
import { type StartedClient, startClient } from './real-clients.ts';
import type { ScriptedModel } from './scripted-model/server.ts';
import { until } from './until.ts';

/** Pause between keys that a client takes one by one. */
const SETTLE_MS = 500;
const ANSWER_TIMEOUT_MS = 120_000;
const PROOF_POLL_MS = 20;

/** What a client shows while it asks for permission; Enter takes the first choice, "once". */
const DIALOG =
  /Permission required|Allow execution|Apply this change|Do you want to (proceed|make this edit|create|overwrite)|Would you like to (run|make)/;

/** Keys that stop a working client. */
const STOP_KEYS: Readonly<Record<ClientName, readonly string[]>> = {
  claude: ['Escape'],
  'claude-old': ['Escape'],
  codex: ['Escape'],
  opencode: ['Escape', 'Escape'],
  pi: ['Escape'],
  'pi-new': ['Escape'],
  gemini: ['Escape'],
  aider: ['C-c'],
};

export interface DriveOptions {
  readonly home: string;
  readonly project: string;
  readonly model: ScriptedModel;
  readonly columns?: number;
  /** More arguments for the client. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export class DrivenClient {
  readonly name: ClientName;
  readonly started: StartedClient;
  readonly reader: TranscriptReader;
  /** ms from Enter to the prompt's record in the file, for each sent prompt. */
  readonly latenciesMs: number[] = [];
  readonly #sessions = new Map<string, TranscriptSession>();

  private constructor(name: ClientName, started: StartedClient, reader: TranscriptReader) {
    this.name = name;
    this.started = started;
    this.reader = reader;
  }

  static async start(name: ClientName, options: DriveOptions): Promise<DrivenClient> {
    const started = await startClient(name, {
      home: options.home,
      project: options.project,
      modelPort: options.model.port,
      size: { columns: options.columns ?? 90, rows: 40 },
      patienceMs: ANSWER_TIMEOUT_MS,
      // Its default mode reads every answer as a set of edits and asks the model again.
      args: options.args ?? (name === 'aider' ? ['--chat-mode', 'ask'] : []),
      env: options.env ?? {},
    });
    const reader = createTranscriptReaders({ isAlive }).get(clientSpec(name).cli);
    if (reader === undefined) throw new Error(`no reader for ${name}`);
    return new DrivenClient(name, started, reader);
  }

  async stop(): Promise<void> {
    await this.started.tmux.kill();
  }

  /** Pid of the client: the pane's own process. */
  async pid(): Promise<number | null> {
    const { tmux } = this.started;
    const outcome = await tmux.run(['display-message', '-p', '-t', tmux.pane, '#{pane_pid}']);
    const pid = Number(outcome.stdout.toString().trim());
    return Number.isInteger(pid) && pid > 0 ? pid : null;
  }

  async refs(): Promise<readonly TranscriptRef[]> {
    const { cwd, env } = this.started.launch;
    return this.reader.find({ cwd, env, pid: await this.pid() });
  }

  /** The session that contains `prompt`. */
  async sessionOf(prompt: string, turns = 100): Promise<TranscriptSnapshot | null> {
    for (const ref of await this.refs()) {
      const key = `${ref.path} ${ref.sessionId}`;
      const session = this.#sessions.get(key) ?? this.reader.open(ref);
      this.#sessions.set(key, session);
      const snapshot = await session.read({ turns });
      if (snapshot !== null && matchSentText(snapshot, prompt) !== null) return snapshot;
    }
    return null;
  }

  /** Pastes, presses Enter and waits for the prompt's record. */
  async send(prompt: string): Promise<void> {
    const { tmux } = this.started;
    await tmux.settled();
    await this.started.submit(prompt);
    const sentAt = performance.now();
    await this.#wait(`the record of ${JSON.stringify(prompt)}`, async () => {
      await this.#answerDialog();
      return (await this.sessionOf(prompt)) !== null;
    });
    this.latenciesMs.push(Math.round(performance.now() - sentAt));
  }

  /** Sends and waits until the file has `parts` pieces of the answer. */
  async ask(prompt: string, parts = 1): Promise<void> {
    await this.send(prompt);
    await this.#wait(`the answer to ${JSON.stringify(prompt)}`, async () => {
      await this.#answerDialog();
      const snapshot = await this.sessionOf(prompt);
      const turn = snapshot?.turns.findLast((candidate) => candidate.prompt.startsWith(prompt.slice(0, 20)));
      return turn !== undefined && turn.parts.length >= parts && turn.progress !== 'streaming';
    });
    await this.started.tmux.settled();
  }

  /** Sends, and refuses when the client asks for permission. */
  async askAndRefuse(prompt: string): Promise<void> {
    const { tmux } = this.started;
    await tmux.settled();
    await this.started.submit(prompt);
    await tmux.until('a question for permission', (screen) => DIALOG.test(screen));
    await tmux.settled();
    await tmux.keys('Escape');
    await tmux.until('the question to be gone', (screen) => !DIALOG.test(screen));
    await tmux.settled(1_000);
  }

  /** Sends and stops the answer once `shown` is on the screen, or once this is true. */
  async askAndStop(prompt: string, shown: string | (() => boolean)): Promise<void> {
    const { tmux } = this.started;
    await tmux.settled();
    await this.started.submit(prompt);
    const isMet = typeof shown === 'string' ? async () => (await tmux.screen()).includes(shown) : shown;
    await this.wait(`the moment to stop ${JSON.stringify(prompt)}`, async () => isMet());
    for (const key of STOP_KEYS[this.name]) {
      await tmux.keys(key);
      await sleep(SETTLE_MS);
    }
    await tmux.settled(1_000, ANSWER_TIMEOUT_MS);
  }

  /** Types one of the CLI's own commands and Enter. */
  async command(text: string): Promise<void> {
    const { tmux } = this.started;
    await tmux.settled();
    await tmux.type(text);
    await tmux.until(text, (screen) => screen.includes(text));
    // Some open a menu, which accepts a choice once it is open.
    await tmux.settled();
    await tmux.keys('Enter');
    await tmux.settled(1_000);
  }

  /** Undoes the newest prompt in the conversation, as each client does it. */
  async rewindLast(): Promise<void> {
    const { tmux } = this.started;
    await tmux.settled();
    if (this.name === 'opencode') await this.command('/undo');
    else if (this.name === 'codex') await this.#rewindCodex();
    else if (this.name === 'gemini') await this.#rewindByMenu('/rewind', 1, 'Confirm Rewind');
    else if (this.name === 'pi') await this.#rewindByMenu('/tree', 2, 'No summary');
    else await this.#rewindClaude();
    await tmux.settled(1_000);
    // The undone prompt is in the composer.
    await tmux.keys('C-u');
  }

  async #rewindCodex(): Promise<void> {
    const { tmux } = this.started;
    await tmux.keys('Escape');
    await sleep(SETTLE_MS);
    await tmux.keys('Escape');
    await tmux.until('the prompts to go back to', (screen) => /↵ rewind/.test(screen));
    await tmux.keys('Enter');
    await tmux.until('the note', (screen) => screen.includes('reverted'));
  }

  /** A menu in which the wanted entry is `up` lines above, then a question whose first answer is the right one. */
  async #rewindByMenu(command: string, up: number, question: string): Promise<void> {
    const { tmux } = this.started;
    await this.command(command);
    for (let key = 0; key < up; key += 1) await tmux.keys('Up');
    await tmux.settled();
    await tmux.keys('Enter');
    await tmux.until(question, (screen) => screen.includes(question));
    await tmux.settled();
    await tmux.keys('Enter');
  }

  async #rewindClaude(): Promise<void> {
    const { tmux } = this.started;
    await tmux.keys('Escape');
    await tmux.keys('Escape');
    await tmux.until('the menu of prompts', (screen) => screen.includes('(current)'));
    await tmux.keys('Up');
    await tmux.settled();
    await tmux.keys('Enter');
    // In a low pane the last menu entries are out of sight.
    await tmux.until('the choice of what to restore', (screen) => /1\. Restore|Never mind/.test(screen));
    await tmux.keys('Enter');
  }

  async #answerDialog(): Promise<void> {
    const { tmux } = this.started;
    if (!DIALOG.test(await tmux.screen())) return;
    await tmux.keys('Enter');
    await sleep(SETTLE_MS);
  }

  /** Waits, and approves what the client asks meanwhile. */
  async wait(what: string, look: () => Promise<boolean>): Promise<void> {
    await this.#wait(what, async () => {
      await this.#answerDialog();
      return look();
    });
  }

  async #wait(what: string, look: () => Promise<boolean>): Promise<void> {
    let screen = '';
    await until(
      what,
      async () => {
        if (await look()) return true;
        screen = await this.started.tmux.screen();
        return false;
      },
      { timeoutMs: ANSWER_TIMEOUT_MS, intervalMs: PROOF_POLL_MS, show: () => screen },
    );
  }
}
