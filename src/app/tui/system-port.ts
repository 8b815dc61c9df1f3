/** The surface's access to the system: the clipboard, the user's editor, the shell behind it. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextRound } from 'node:timers/promises';
import { errorMessage, fail, ok, type Result } from '../../lib/result.ts';
import { splitWords } from '../../lib/words.ts';
import { findOnPath } from '../../platform/exec.ts';
import type { Env } from '../../platform/paths.ts';
import { readRegular } from '../../platform/regular-file.ts';
import { temporaryFolder } from '../../platform/scratch.ts';
import type { TmuxPort } from '../../tmux/port.ts';
import type { SystemPort } from '../../ui/kit/ports.ts';
import { installedClis, openAi, tourCommand } from '../up/up.ts';

/** The most text that the editor may return. */
const EDITED_MAX_BYTES = 64 * 1024 * 1024;

export interface SystemPortOptions {
  readonly env: Env;
  readonly tmux: TmuxPort;
  /** The configured editor command; null for `$VISUAL`, then `$EDITOR`. */
  readonly editor: string | null;
  readonly project: () => string;
  /** Hands leadership over while this process is stopped, and takes it back. */
  readonly host: { pause(): Promise<void>; resume(): void | Promise<void> };
}

export function createSystemPort(options: SystemPortOptions): SystemPort {
  return {
    copy: (text) => copy(options.tmux, text),
    edit: (text, line, name) => editText(options, { text, line, name: fileNameOf(name) }),
    open: (file, line) => openFile(options, file, line),
    // Loaded on the first save: the first frame does not need it.
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

/** Splits our own pane; from a popup, which has no pane, opens a window of the session below it. */
async function startAi({ env, tmux, project }: SystemPortOptions, name: string): Promise<Result<string>> {
  const ai = name === 'tour' ? tourCommand() : [name];
  const session =
    env.TMUX_PANE === undefined ? await tmux.run([['display-message', '-p', '#{session_name}']]) : null;
  if (session?.ok === false) return session;
  const beside = session === null ? (env.TMUX_PANE ?? '') : `=${session.value.trim()}:`;
  return openAi(tmux, { beside, folder: project(), ai });
}

/** Stops until `fg`; false if no shell could continue us. Hands leadership over first, so that nobody waits for us. */
async function suspend(host: SystemPortOptions['host']): Promise<boolean> {
  await host.pause();
  // A clock could not tell: a busy machine can delay a process that was never stopped.
  let wasStopped = false;
  const onContinued = (): void => {
    wasStopped = true;
  };
  process.on('SIGCONT', onContinued);
  // Stops here until the shell's `fg`. Without a job-control shell the kernel ignores the signal.
  process.kill(process.pid, 'SIGTSTP');
  // The event loop reads the signal of `fg` in its next round; this round may be too late.
  await nextRound();
  await nextRound();
  process.off('SIGCONT', onContinued);
  await host.resume();
  return wasStopped;
}

/** Copies to tmux's newest buffer, which tmux passes to the terminal's clipboard (OSC 52). */
async function copy(tmux: TmuxPort, text: string): Promise<Result<string>> {
  const copied = await tmux.run([['load-buffer', '-w', '-']], { input: text });
  return copied.ok ? ok('to the clipboard and the tmux buffer') : copied;
}

/** Editors that accept `+LINE` before the file. */
const LINE_EDITORS = /^(?:n?vim?|vimx|gvim|view|nano|pico|emacs(?:client)?|micro|kak|joe|jed|mg|ne)$/;
const FALLBACK_EDITORS = ['nvim', 'vim', 'vi', 'nano'];

/** The command that opens `file` at `line` in the user's editor; fails if there is none. */
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

/** The last part of a path if it needs no quoting; else its extension, else the draft's name. */
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
  // An editor would create a new file, which nobody asked for.
  if (!existsSync(file)) return fail('not_found', `${file} is not there`);
  const words = editorCommand(options, file, line);
  if (!words.ok) return words;
  const ended = await runOnTerminal(words.value, options.env);
  return ended === null ? ok(undefined) : fail('refused', `the editor ended with ${ended}`);
}

/** Runs a program on our terminal; null on success, else what went wrong. */
function runOnTerminal([program = '', ...args]: readonly string[], env: Env): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'inherit', env });
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => resolve(code === 0 ? null : (signal ?? `exit code ${code}`)));
  });
}
