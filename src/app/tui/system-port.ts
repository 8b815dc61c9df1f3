/** The surface's ways into the system: the clipboard, the user's editor, the shell behind it. */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { errorMessage, fail, ok, type Result } from '../../lib/result.ts';
import { splitWords } from '../../lib/words.ts';
import { findOnPath } from '../../platform/exec.ts';
import type { Env } from '../../platform/paths.ts';
import type { TmuxPort } from '../../tmux/port.ts';
import type { SystemPort } from '../../ui/ports.ts';

export interface SystemPortOptions {
  readonly env: Env;
  readonly tmux: TmuxPort;
  /** The configured editor command; null: `$VISUAL`, then `$EDITOR`. */
  readonly editor: string | null;
}

/** Makes the port. */
export function createSystemPort(options: SystemPortOptions): SystemPort {
  return {
    copy: (text) => copy(options.tmux, text),
    edit: (text, line) => editText(options, text, line),
    suspend: async () => {
      // The shell's job control stops us; this goes on when `fg` continues the process.
      process.kill(process.pid, 'SIGTSTP');
    },
  };
}

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
      'Set $EDITOR to one that is there.',
    );
  const at = LINE_EDITORS.test(path.basename(program)) ? [`+${line}`] : [];
  return ok([program, ...args, ...at, file]);
}

async function editText(options: SystemPortOptions, text: string, line: number): Promise<Result<string>> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'copane-'));
  const file = path.join(folder, 'draft.md');
  try {
    await writeFile(file, text, { mode: 0o600 });
    const words = editorCommand(options, file, line);
    if (!words.ok) return words;
    const ended = await runOnTerminal(words.value, options.env);
    if (ended !== null) return fail('refused', `the editor ended with ${ended}; nothing was taken over`);
    return ok(await readFile(file, 'utf8'));
  } catch (thrown) {
    return fail('internal', `the text could not be handed to the editor: ${errorMessage(thrown)}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs a program on our terminal; null when it ended well, else what became of it. */
function runOnTerminal([program = '', ...args]: readonly string[], env: Env): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'inherit', env });
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => resolve(code === 0 ? null : (signal ?? `exit code ${code}`)));
  });
}
