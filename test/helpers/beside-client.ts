/** The companion beside a real AI CLI that works through the scenes: the set-up for tests of dialogs and states. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { type ClientName, clientCommand, clientSpec } from './client-catalog.ts';
import { clientStages } from './client-stage.ts';
import { COPANE, CompanionPane, copaneEnv } from './companion-pane.ts';
import type { ClientVariant, StartedClient } from './real-clients.ts';
import { promptFor, sceneScript } from './screen-scenes.ts';
import type { Script } from './scripted-model/script.ts';
import type { ScriptedModel } from './scripted-model/server.ts';

/** How long a real AI CLI may take for an answer. */
export const PATIENCE_MS = 60_000;

export interface Beside {
  readonly name: ClientName;
  readonly companion: CompanionPane;
  readonly ai: StartedClient;
  readonly model: ScriptedModel;
  readonly project: string;
}

export interface BesideOptions {
  readonly columns: number;
  readonly variant?: ClientVariant;
  /** Turns that come before those of the scenes. */
  readonly turns?: Script['turns'];
  /** `copane init` first sets up its hooks. */
  readonly hooks?: boolean;
  readonly prepare?: (place: { readonly project: string }) => void;
}

/** The companion's own folders are beside the client's HOME. */
function setUpHooks(name: ClientName, env: StartedClient['launch']['env']): void {
  const home = env.HOME ?? '';
  const root = path.dirname(home);
  const ours = { ...copaneEnv({ root, project: path.join(root, 'project') }), HOME: home };
  execFileSync(COPANE, ['init', clientSpec(name).cli, '--yes'], { env: { ...env, ...ours } });
}

/** Returns what starts a client and a companion in a test; both are removed after it. */
export function besideClients(): (name: ClientName, options: BesideOptions) => Promise<Beside> {
  const startStage = clientStages();
  return async (name, { turns = [], hooks = false, ...options }) => {
    const script = (place: string): Script => {
      const scenes = sceneScript(name, place);
      return { ...scenes, turns: [...turns, ...scenes.turns] };
    };
    const { root, project, model, client } = await startStage(name, script, {
      ...options,
      ...(hooks ? { beforeStart: async ({ env }: StartedClient['launch']) => setUpHooks(name, env) } : {}),
      patienceMs: PATIENCE_MS,
      // By default it retries a service that refuses it, for minutes.
      ...(name.startsWith('claude') ? { env: { CLAUDE_CODE_MAX_RETRIES: '0' } } : {}),
    });
    return {
      name,
      companion: await CompanionPane.open(client.tmux, { root, project }),
      ai: client,
      model,
      project,
    };
  };
}

/** The text without white space and drawn lines: equal however it wraps. */
export const squeezed = (text: string) => text.replace(/[\s│┃╌─]+/g, '');

/** First selects a mode in which the client asks. */
export async function ask({ name, companion, ai }: Beside, kind: string): Promise<void> {
  if (name === 'codex' && /plan|question/.test(kind)) await ai.submit('/plan');
  await ai.submit(promptFor(kind));
  await companion.until(
    'the question',
    (screen) => /waiting for you|asks something/.test(screen),
    PATIENCE_MS,
  );
}

export async function openQuestion({ companion }: Beside): Promise<void> {
  await companion.keys('g', 'a');
  await companion.until(
    'the open question',
    (screen) => /─ The AI asks/.test(screen) && !screen.includes('not on its screen yet'),
  );
}

/** Marks the answer of that number and submits it. */
export async function answer({ companion }: Beside, number: string): Promise<void> {
  await companion.keys(number);
  await companion.until(`the mark on ${number}`, (screen) => new RegExp(`[▸>] ${number}\\b`).test(screen));
  await companion.keys('Enter');
}

/** Quits a client from its composer. */
export const QUIT: Readonly<Record<ClientName, string>> = {
  claude: '/exit',
  'claude-old': '/exit',
  codex: '/quit',
  opencode: '/exit',
  pi: '/quit',
  'pi-new': '/quit',
  gemini: '/quit',
  aider: '/exit',
};

/** Begins a new conversation. */
export const CLEAR: Readonly<Record<ClientName, string>> = {
  claude: '/clear',
  'claude-old': '/clear',
  codex: '/new',
  opencode: '/new',
  pi: '/new',
  'pi-new': '/new',
  gemini: '/clear',
  aider: '/clear',
};

/** The arguments that continue the last session. */
export const RESUME: Readonly<Record<ClientName, readonly string[]>> = {
  claude: ['--continue'],
  'claude-old': ['--continue'],
  codex: ['resume', '--last'],
  opencode: ['--continue'],
  pi: ['--continue'],
  'pi-new': ['--continue'],
  gemini: ['--resume', 'latest'],
  aider: ['--restore-chat-history'],
};

/** The arguments that continue a copy of it; pi's need its id after them. */
export const FORK: Readonly<Partial<Record<ClientName, readonly string[]>>> = {
  claude: ['--continue', '--fork-session'],
  'claude-old': ['--continue', '--fork-session'],
  codex: ['fork', '--last'],
  opencode: ['--continue', '--fork'],
  pi: ['--fork'],
  'pi-new': ['--fork'],
};

/** The client's program. */
export const programOf = (name: ClientName) => clientCommand(clientSpec(name));
