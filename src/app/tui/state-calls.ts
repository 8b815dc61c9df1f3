/** Alerts the user when an AI out of view waits or is done, and runs the state hook. Only one companion alerts. */
import { existsSync } from 'node:fs';
import { folderName, sessionTitle, wordsFor } from '../../lib/pane-names.ts';
import { errorMessage } from '../../lib/result.ts';
import { oneLine, sanitize } from '../../lib/sanitize.ts';
import type { Env } from '../../platform/paths.ts';
import { isAlive } from '../../platform/process-state.ts';
import { run } from '../../platform/run.ts';
import type { Config } from '../../protocol/config.ts';
import type { AiPane } from '../../protocol/pane.ts';
import { type KnownStates, type StateNews, stateNews } from '../../responses/core/state-news.ts';
import { printFor } from '../../tmux/core/formats.ts';
import type { TmuxPort } from '../../tmux/port.ts';
import { paneKey, type ResponsesPort } from '../../ui/responses/port.ts';

/** A slower hook is killed. */
const COMMAND_TIMEOUT_MS = 10_000;
/** The option of an AI pane with the pid of the companion that alerts for it. */
const CALLER_OPTION = '@copane_caller';
const SEPARATOR = '|~|';

export interface StateCallsOptions {
  readonly responses: Pick<ResponsesPort, 'getSnapshot' | 'subscribe'>;
  readonly tmux: TmuxPort;
  readonly env: Env;
  readonly config: Pick<Config, 'notify' | 'notify_command' | 'on_state'>;
  /** Rings the bell of the companion's terminal. */
  readonly ring: () => void;
  readonly onProblem: (message: string) => void;
}

export class StateCalls {
  readonly #options: StateCallsOptions;
  #states: KnownStates = new Map();
  /** Who alerted for each pane, by pid, at the last question: a closed pane cannot be asked. */
  readonly #callers = new Map<string, string>();
  /** Alerts keep the order of events; so do commands, but a slow command delays no alert. */
  #queue: Promise<void> = Promise.resolve();
  readonly #runs = new Map<readonly string[], Promise<void>>();
  #end: () => void = () => undefined;

  constructor(options: StateCallsOptions) {
    this.#options = options;
  }

  start(): void {
    this.#end = this.#options.responses.subscribe(() => this.#look());
    this.#look();
  }

  close(): void {
    this.#end();
  }

  #look(): void {
    const { panes } = this.#options.responses.getSnapshot();
    const keyOf = ({ identity }: AiPane) => paneKey(identity);
    const { states, news } = stateNews(this.#states, panes, keyOf);
    this.#states = states;
    for (const pane of panes.filter((each) => !this.#callers.has(keyOf(each)))) {
      this.#callers.set(keyOf(pane), '');
      this.#then(() => this.#isMine(pane));
    }
    for (const one of news) this.#then(() => this.#tell(one));
  }

  #then(task: () => Promise<unknown>): void {
    this.#queue = this.#queue
      .then(async () => void (await task()))
      .catch((thrown: unknown) => this.#options.onProblem(errorMessage(thrown)));
  }

  async #tell(news: StateNews): Promise<void> {
    if (!(await this.#isMine(news.pane))) return;
    const { notify, notify_command, on_state } = this.#options.config;
    const clients = await this.#clients(news.pane);
    const isSeen = clients.some(({ sees }) => sees);
    this.#run(on_state, news, isSeen);
    if (news.call === null || isSeen) return;
    if (notify.includes('bell')) this.#options.ring();
    this.#run(notify_command, news, isSeen);
    if (notify.includes('message')) await this.#message(news, clients);
  }

  /** Whether this companion alerts for the pane: the first to write its pid there does, while it lives. */
  async #isMine({ identity }: AiPane): Promise<boolean> {
    const { tmux } = this.#options;
    const { paneId } = identity;
    const own = String(process.pid);
    const shown = await tmux.run([printFor(paneId, `#{${CALLER_OPTION}}`)]);
    const caller = (shown.ok && shown.value.trim()) || (this.#callers.get(paneKey(identity)) ?? '');
    this.#callers.set(paneKey(identity), caller);
    if (caller === own) return true;
    if (caller !== '' && isAlive(Number(caller))) return false;
    const isFree = `#{==:#{${CALLER_OPTION}},${caller}}`;
    const take = `set-option -p -t ${paneId} ${CALLER_OPTION} ${own} ; display-message -p mine`;
    const claimed = await tmux.run([['if-shell', '-F', '-t', paneId, isFree, take]]);
    const isMine = claimed.ok && claimed.value.trim() === 'mine';
    if (isMine) this.#callers.set(paneKey(identity), own);
    return isMine;
  }

  /** The attached terminals, and whether each shows the AI pane. */
  async #clients({
    identity,
  }: AiPane): Promise<readonly { readonly name: string; readonly sees: boolean }[]> {
    const asked = (...names: readonly string[]) => names.map((name) => `#{${name}}`).join(SEPARATOR);
    const { paneId } = identity;
    const answer = await this.#options.tmux.run([
      printFor(paneId, asked('window_id', 'window_zoomed_flag', 'pane_active')),
      ['list-clients', '-F', asked('client_control_mode', 'window_id', 'client_flags', 'client_name')],
    ]);
    const [pane = '', ...clients] = answer.ok ? answer.value.split('\n') : [];
    const [window = '', zoomed = '', active = ''] = pane.split(SEPARATOR);
    // A zoomed pane hides all others.
    const isHidden = window === '' || (zoomed === '1' && active !== '1');
    return clients.flatMap((line) => {
      const [control = '', itsWindow = '', flags = '', ...name] = line.split(SEPARATOR);
      if (control !== '0') return [];
      const sees = !isHidden && itsWindow === window && flags.split(',').includes('focused');
      return [{ name: name.join(SEPARATOR), sees }];
    });
  }

  async #message({ pane, call }: StateNews, clients: readonly { readonly name: string }[]): Promise<void> {
    const text = oneLine(sanitize(`${wordsFor(pane)} ${call ?? ''}`));
    // tmux expands formats and strftime sequences in messages.
    const plain = text.replace(/[#%]/g, '$&$&');
    for (const { name } of clients) {
      const shown = await this.#options.tmux.run([['display-message', '-c', name, plain]]);
      if (!shown.ok) this.#options.onProblem(shown.error.message);
    }
  }

  #run(argv: readonly string[] | null, news: StateNews, isSeen: boolean): void {
    if (argv === null) return;
    const before = this.#runs.get(argv) ?? Promise.resolve();
    this.#runs.set(
      argv,
      before.then(() => this.#runNow(argv, news, isSeen)),
    );
  }

  async #runNow([file = '', ...args]: readonly string[], news: StateNews, isSeen: boolean): Promise<void> {
    const { pane, state, call } = news;
    const env = {
      ...this.#options.env,
      COPANE_CLI: pane.cli,
      COPANE_STATE: state,
      COPANE_CALL: call ?? '',
      COPANE_PANE: pane.identity.paneId,
      COPANE_PLACE: pane.label,
      COPANE_FOLDER: pane.cwd,
      COPANE_TITLE: sessionTitle(pane.cli, pane.title, folderName(pane.cwd)),
      COPANE_SEEN: isSeen ? '1' : '0',
    };
    // Its folder may be gone. A child that it leaves running keeps its output open, so do not wait for that.
    const cwd = existsSync(pane.cwd) ? pane.cwd : '/';
    const done = await run(file, args, { env, cwd, timeoutMs: COMMAND_TIMEOUT_MS, ownSession: true });
    if (done.code === 0) return;
    const why = done.failure ?? `exit ${done.code}: ${done.stderr.trim().slice(0, 200)}`;
    this.#options.onProblem(`the command for a change of an AI's state failed: ${file}: ${why}`);
  }
}
