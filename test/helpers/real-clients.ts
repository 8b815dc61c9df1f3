/**
 * Starts a real AI CLI in a private tmux, offline, with a scripted model behind it. Each start has its own HOME; the
 * user's HOME, configuration and keys are neither read nor written.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CliId } from '../../src/protocol/cli-id.ts';
import { screenRulesFor } from '../../src/responses/screens/registry.ts';
import { type ClientName, clientCommand, clientSpec } from './client-catalog.ts';
import { screenOf } from './draw-screen.ts';
import { type PaneSize, PrivateTmux } from './private-tmux.ts';
import { until } from './until.ts';

/**
 * An unusual start: vim keys in the composer; a folder that the client does not know yet (it asks whether to trust it);
 * a choice that the client shows before its composer; its plan mode.
 */
export type ClientVariant = 'vim' | 'untrusted' | 'mode-question' | 'plan';

interface ClientPlace {
  /** The isolated HOME; created when missing. */
  readonly home: string;
  /** The project folder that the CLI works in; created when missing. */
  readonly project: string;
  /** Port of the scripted model. */
  readonly modelPort: number;
  readonly variant?: ClientVariant;
}

/** How to run a client: everything needed to start it in a pane, a shell or a child process. */
interface ClientLaunch {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** Writes text to a file and creates missing folders. */
function put(file: string, content: unknown): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`);
}

type Prepare = (place: ClientPlace) => {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
};

function prepareClaude({ home, project, modelPort, variant }: ClientPlace): ReturnType<Prepare> {
  put(path.join(home, '.claude.json'), {
    hasCompletedOnboarding: true,
    theme: 'dark',
    editorMode: variant === 'vim' ? 'vim' : 'normal',
    customApiKeyResponses: { approved: ['dummy'], rejected: [] },
    projects:
      variant === 'untrusted' ? {} : { [project]: { hasTrustDialogAccepted: true, allowedTools: [] } },
  });
  if (variant === 'mode-question') {
    put(path.join(home, '.claude/settings.json'), { permissions: { defaultMode: 'default' } });
  }
  return {
    // The current version starts in a mode where the model itself grants permissions: no dialog would appear.
    // As a setting instead of an argument, it opens a dialog at start-up.
    args: variant === 'mode-question' ? [] : ['--permission-mode', variant === 'plan' ? 'plan' : 'default'],
    env: {
      ANTHROPIC_API_KEY: 'dummy',
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${modelPort}`,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    },
  };
}

function prepareCodex({ home, project, modelPort, variant }: ClientPlace): ReturnType<Prepare> {
  const codexHome = path.join(home, '.codex');
  // It only asks about a repository.
  if (variant === 'untrusted') execFileSync('git', ['init', '-q', project]);
  put(
    path.join(codexHome, 'config.toml'),
    [
      'model = "mock"',
      'model_provider = "mock"',
      // It asks about a folder only if no setting says what is allowed there.
      ...(variant === 'untrusted' ? [] : ['approval_policy = "on-request"', 'sandbox_mode = "read-only"']),
      'check_for_update_on_startup = false',
      '[model_providers.mock]',
      'name = "mock"',
      `base_url = "http://127.0.0.1:${modelPort}/v1"`,
      'wire_api = "responses"',
      ...(variant === 'untrusted' ? [] : [`[projects."${project}"]`, 'trust_level = "trusted"']),
      '',
    ].join('\n'),
  );
  // By default Codex leaves a background server running, which outlives the test and its HOME.
  return { args: ['--no-daemon'], env: { CODEX_HOME: codexHome } };
}

function prepareOpencode({ home, project, modelPort, variant }: ClientPlace): ReturnType<Prepare> {
  put(path.join(project, 'opencode.json'), {
    $schema: 'https://opencode.ai/config.json',
    model: 'mock/mock',
    small_model: 'mock/mock',
    autoupdate: false,
    share: 'disabled',
    permission: { bash: 'ask', ...(variant === 'plan' ? {} : { edit: 'ask' }) },
    provider: {
      mock: {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL: `http://127.0.0.1:${modelPort}/v1`, apiKey: 'x' },
        models: { mock: { name: 'mock' } },
      },
    },
  });
  return {
    ...(variant === 'plan' ? { args: ['--agent', 'plan'] } : {}),
    env: {
      ...(variant === 'plan' ? { OPENCODE_EXPERIMENTAL_PLAN_MODE: '1' } : {}),
      XDG_DATA_HOME: path.join(home, '.local/share'),
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    },
  };
}

function preparePi({ home, modelPort }: ClientPlace): ReturnType<Prepare> {
  const agentDir = path.join(home, '.pi/agent');
  put(path.join(agentDir, 'models.json'), {
    providers: {
      mock: {
        baseUrl: `http://127.0.0.1:${modelPort}/v1`,
        api: 'openai-completions',
        apiKey: 'x',
        models: [{ id: 'mock' }],
      },
    },
  });
  return {
    args: ['--provider', 'mock', '--model', 'mock'],
    env: { PI_CODING_AGENT_DIR: agentDir, PI_OFFLINE: '1' },
  };
}

function prepareGemini({ home, modelPort, variant }: ClientPlace): ReturnType<Prepare> {
  put(path.join(home, '.gemini/settings.json'), {
    security: {
      auth: { selectedType: 'gemini-api-key' },
      ...(variant === 'untrusted' ? { folderTrust: { enabled: true } } : {}),
    },
    general: { disableAutoUpdate: true, vimMode: variant === 'vim' },
    privacy: { usageStatisticsEnabled: false },
  });
  return {
    args: ['-m', 'gemini-2.5-flash', ...(variant === 'plan' ? ['--approval-mode', 'plan'] : [])],
    env: {
      GEMINI_API_KEY: 'dummy',
      GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${modelPort}`,
      ...(variant === 'untrusted' ? {} : { GEMINI_CLI_TRUST_WORKSPACE: 'true' }),
    },
  };
}

function prepareAider({ home, modelPort }: ClientPlace): ReturnType<Prepare> {
  // A fresh price list saves the client a network look-up.
  put(path.join(home, '.aider/caches/model_prices_and_context_window.json'), {
    'openai/mock': { max_input_tokens: 128_000, input_cost_per_token: 0, output_cost_per_token: 0 },
  });
  return {
    args: [
      '--model=openai/mock',
      `--openai-api-base=http://127.0.0.1:${modelPort}/v1`,
      '--openai-api-key=x',
      '--no-check-update',
      '--no-show-release-notes',
      '--no-show-model-warnings',
      '--no-analytics',
      '--no-git',
    ],
  };
}

const PREPARE: Readonly<Record<ClientName, Prepare>> = {
  claude: prepareClaude,
  'claude-old': prepareClaude,
  codex: prepareCodex,
  opencode: prepareOpencode,
  pi: preparePi,
  'pi-new': preparePi,
  gemini: prepareGemini,
  aider: prepareAider,
};

/** The part of each client's start screen that shows it reads keys; text sent earlier is lost. */
const COMPOSER: Readonly<Record<ClientName, RegExp>> = {
  claude: /^❯/m,
  'claude-old': /^❯/m,
  // It draws its composer first and holds sent text; the model appears below once it has started.
  codex: /^ +mock\b.* · /m,
  // A continued session starts with an empty composer: only the line below it is always there.
  opencode: /^ *┃ +(?:Build|Plan) · mock/m,
  pi: /mock/,
  'pi-new': /mock/,
  gemini: /^ > .*(?:Type your message|for NORMAL mode)/m,
  aider: /^(ask|diff)?>\s*$/m,
};

/** Writes the client's configuration into `place.home` (and the project) and returns how to run it. */
export function prepareClient(name: ClientName, place: ClientPlace): ClientLaunch {
  mkdirSync(place.home, { recursive: true });
  mkdirSync(place.project, { recursive: true });
  const { args = [], env = {} } = PREPARE[name](place);
  return {
    argv: [clientCommand(clientSpec(name)), ...args],
    env: {
      HOME: place.home,
      PATH: `${path.dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
      TERM: 'tmux-256color',
      LANG: 'C.UTF-8',
      SHELL: '/bin/sh',
      ...env,
    },
    cwd: place.project,
  };
}

export interface StartOptions extends ClientPlace {
  readonly size: PaneSize;
  /** More arguments for the client. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Time limit of its waits; the default suits a test on an idle machine. */
  readonly patienceMs?: number;
  /** Runs after the client's configuration is written and before the client starts. */
  readonly beforeStart?: (launch: ClientLaunch) => Promise<void>;
}

const START_TIMEOUT_MS = 120_000;

/** A started client; `tmux.kill()` in `afterAll` ends it. */
export interface StartedClient {
  readonly tmux: PrivateTmux;
  readonly launch: ClientLaunch;
  /** Pastes `text` in one frame, waits until the composer shows its end or a placeholder for it, presses Enter. */
  submit(text: string): Promise<void>;
  /** Starts the client again in the same pane, with more arguments, and waits until the screen is quiet. */
  restart(args: readonly string[]): Promise<void>;
}

/** How much of a text's end identifies it in a narrow pane. */
const TAIL_CHARS = 10;
/** Added after the look that showed the text; the slowest client measured needs 60 ms between paste and Enter. */
const SETTLE_MS = 200;
/** A composer that still holds the text this long after Enter has swallowed the Enter. */
const TAKEN_MS = 3_000;
const MAX_PRESSES = 3;
/** A client that continues a session draws its composer before it reads keys: a paste is then lost. */
const LOST_MS = 10_000;

/**
 * A client that is still starting or taking the paste swallows an Enter, so no fixed pause is enough; and a changed
 * screen proves nothing: a starting client draws by itself, and its old session may contain the same words.
 */
async function submit(tmux: PrivateTmux, text: string, cli: CliId): Promise<void> {
  const squeeze = (value: string) => value.replace(/\s+/g, '');
  const tail = squeeze(text.slice(text.trimEnd().lastIndexOf('\n') + 1)).slice(-TAIL_CHARS);
  const composer = async () => {
    const { cursorRow } = await tmux.facts();
    const screen = screenOf((await tmux.screen(true)).split('\n'), { cursorRow });
    return screenRulesFor(cli).read(screen).composer;
  };
  const isHeld = async () => {
    const held = await composer();
    return held.kind === 'pill' || (held.kind === 'draft' && squeeze(held.text).endsWith(tail));
  };
  let screen = '';
  const look = async () => {
    screen = await tmux.screen();
    return isHeld();
  };
  const held = (timeoutMs: number) =>
    until(`the composer to hold ${tail}`, look, { timeoutMs, intervalMs: SETTLE_MS / 2, show: () => screen });
  await tmux.paste(text);
  const isLost = await held(LOST_MS).then(
    () => false,
    () => true,
  );
  if (isLost && (await composer()).kind === 'empty') await tmux.paste(text);
  if (isLost) await held(START_TIMEOUT_MS);
  await sleep(SETTLE_MS);
  for (let press = 0; press < MAX_PRESSES; press += 1) {
    await tmux.keys('Enter');
    const deadline = Date.now() + TAKEN_MS;
    while (Date.now() < deadline) {
      await sleep(SETTLE_MS);
      if (!(await isHeld())) return;
    }
  }
}

/** Starts the client in a private tmux and waits until its composer accepts input. */
export async function startClient(name: ClientName, options: StartOptions): Promise<StartedClient> {
  const prepared = prepareClient(name, options);
  const launch = {
    ...prepared,
    argv: [...prepared.argv, ...(options.args ?? [])],
    env: { ...prepared.env, ...options.env },
  };
  await options.beforeStart?.(launch);
  const tmux = new PrivateTmux(options.patienceMs);
  try {
    await tmux.start({ ...launch, size: options.size });
    // With a dialog before the composer, we can only wait for its choice.
    const asksFirst = options.variant === 'untrusted' || options.variant === 'mode-question';
    const startMs = Math.max(START_TIMEOUT_MS, options.patienceMs ?? 0);
    const ready = asksFirst ? /[❯›●] ?\S/ : COMPOSER[name];
    await tmux.until(`the composer of ${name}`, (screen) => ready.test(screen), startMs);
    await tmux.settled();
  } catch (thrown) {
    await tmux.kill();
    throw thrown;
  }
  const restart = async (args: readonly string[]) => {
    await tmux.restart({ ...launch, argv: [...launch.argv, ...args] });
    await tmux.until(`the composer of ${name}`, (screen) => COMPOSER[name].test(screen), START_TIMEOUT_MS);
    // It reads the session first, and swallows an Enter meanwhile.
    await tmux.settled(2_000);
  };
  return { tmux, launch, submit: (text) => submit(tmux, text, clientSpec(name).cli), restart };
}
