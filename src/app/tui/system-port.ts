/** The surface's ways into the system: the clipboard, the user's editor, the shell behind it. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errorMessage, fail, ok, type Result } from '../../lib/result.ts';
import { splitWords } from '../../lib/words.ts';
import { findOnPath } from '../../platform/exec.ts';
import type { Env } from '../../platform/paths.ts';
import { readRegular } from '../../platform/regular-file.ts';
import { temporaryFolder } from '../../platform/scratch.ts';
import type { TmuxPort } from '../../tmux/port.ts';
import type { SystemPort } from '../../ui/kit/ports.ts';
import { installedClis, openAi, tourCommand } from '../up/up.ts';

/** Of what comes back from the editor. */
const EDITED_MAX_BYTES = 64 * 1024 * 1024;

export interface SystemPortOptions {
  readonly env: Env;
  readonly tmux: TmuxPort;
  /** The configured editor command; null: `$VISUAL`, then `$EDITOR`. */
  readonly editor: string | null;
  /** Folder of the followed pane's project. */
  readonly project: () => string;
  /** Gives up what others wait for while we are stopped, and takes it up again. */
  readonly host: { pause(): Promise<void>; resume(): void | Promise<void> };
}

/** Makes the port. */
export function createSystemPort(options: SystemPortOptions): SystemPort {
  return {
    copy: (text) => copy(options.tmux, text),
    edit: (text, line, name) => editText(options, { text, line, name: fileNameOf(name) }),
    open: (file, line) => openFile(options, file, line),
    // Loaded when something is saved: the first frame needs no writer of files.
    save: async (name, text) => (await import('./save-new.ts')).saveNew(options.project(), name, text),
    startable: () => startableClis(options.env),
    startAi: (name) => startAi(options, name),
    suspend: () => suspend(options.host),
  };
}

function startableClis(env: Env): readonly string[] {
  const installed = installedClis(env);
  return installed.length === 0 ? ['tour'] : installed;
}

/** Beside our own pane; from a popup, which has none, in a window of the session below it. */
async function startAi({ env, tmux, project }: SystemPortOptions, name: string): Promise<Result<string>> {
  const ai = name === 'tour' ? tourCommand() : [name];
  const session =
    env.TMUX_PANE === undefined ? await tmux.run([['display-message', '-p', '#{session_name}']]) : null;
  if (session?.ok === false) return session;
  const beside = session === null ? (env.TMUX_PANE ?? '') : `=${session.value.trim()}:`;
  return openAi(tmux, { beside, folder: project(), ai });
}

/** Stops until `fg`; false where no shell could continue us. The host is handed over first: nobody waits for a stopped leader. */
async function suspend(host: SystemPortOptions['host']): Promise<boolean> {
  await host.pause();
  const before = performance.now();
  // Stopped here, until the shell's `fg` continues us. Without a job-control shell the kernel ignores it.
  process.kill(process.pid, 'SIGTSTP');
  const wasStopped = performance.now() - before > STOPPED_MIN_MS;
  await host.resume();
  return wasStopped;
}

/** Nobody types `fg` faster; a signal that is ignored takes microseconds. */
const STOPPED_MIN_MS = 50;

/** Into tmux's newest buffer, which tmux also hands to the terminal's clipboard (OSC 52). */
async function copy(tmux: TmuxPort, text: string): Promise<Result<string>> {
  const copied = await tmux.run([['load-buffer', '-w', '-']], { input: text });
  return copied.ok ? ok('to the clipboard and the tmux buffer') : copied;
}

/** Editors that take `+LINE` before the file. */
const LINE_EDITORS = /^(?:n?vim?|vimx|gvim|view|nano|pico|emacs(?:client)?|micro|kak|joe|jed|mg|ne)$/;
const FALLBACK_EDITORS = ['nvim', 'vim', 'vi', 'nano'];

/** The words that open `file` at `line` in the user's editor; a failure when there is none. */
export function editorCommand(
  options: Pick<SystemPortOptions, 'env' | 'editor'>,
  file: string,
  line: number,
): Result<readonly string[]> {
  const { env } = options;
  const wanted =
    options.editor ??
    (env.VISUAL || env.EDITOR || FALLBACK_EDITORS.find((name) => findOnPath(name, env) !== null));
  const [program, ...args] = splitWords(wanted ?? '');
  if (program === undefined)
    return fail('not_found', 'no editor is set', 'Set $EDITOR, or "editor" in the config.');
  if (findOnPath(program, env) === null)
    return fail(
      'not_found',
      `there is no editor "${program}" on your PATH`,
      'Set $EDITOR to one that is installed.',
    );
  const at = LINE_EDITORS.test(path.basename(program)) ? [`+${line}`] : [];
  return ok([program, ...args, ...at, file]);
}

const DRAFT_NAME = 'draft.md';

/** The last part of a path that may stand on a command line as it is; else only its ending, else a draft's name. */
function fileNameOf(name = DRAFT_NAME): string {
  const base = path.basename(name);
  if (/^[\w][\w.-]{0,99}$/.test(base)) return base;
  const ending = path.extname(base);
  return /^\.\w{1,20}$/.test(ending) ? `text${ending}` : 'text';
}

interface Editing {
  readonly text: string;
  readonly line: number;
  readonly name: string;
}

async function editText(options: SystemPortOptions, { text, line, name }: Editing): Promise<Result<string>> {
  const folder = await mkdtemp(path.join(temporaryFolder(), 'copane-'));
  const file = path.join(folder, name);
  try {
    await writeFile(file, text, { mode: 0o600 });
    const words = editorCommand(options, file, line);
    if (!words.ok) return words;
    const ended = await runOnTerminal(words.value, options.env);
    if (ended !== null) return fail('refused', `the editor exited with ${ended}; nothing was changed`);
    return ok(String(await readRegular(file, { maxBytes: EDITED_MAX_BYTES })));
  } catch (thrown) {
    return fail('internal', `the text could not be passed to the editor: ${errorMessage(thrown)}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function openFile(options: SystemPortOptions, file: string, line: number): Promise<Result<void>> {
  // An editor would begin a new file, which nobody asked for.
  if (!existsSync(file)) return fail('not_found', `${file} is not there`);
  const words = editorCommand(options, file, line);
  if (!words.ok) return words;
  const ended = await runOnTerminal(words.value, options.env);
  return ended === null ? ok(undefined) : fail('refused', `the editor ended with ${ended}`);
}

/** Runs a program on our terminal; null when it ended well, else what became of it. */
function runOnTerminal([program = '', ...args]: readonly string[], env: Env): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'inherit', env });
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => resolve(code === 0 ? null : (signal ?? `exit code ${code}`)));
  });
}
