/** zsh with copane's client, connected to a scripted daemon; everything ends with the test. */
import { afterEach } from 'vitest';
import { ScriptedDaemon, type SeenRequest } from './scripted-daemon.ts';
import { type ZshOptions, ZshPty } from './zsh-pty.ts';

const cleanups: (() => unknown)[] = [];

/** Runs at the end of the test, the last one first. */
export function atEnd(cleanup: () => unknown): void {
  cleanups.push(cleanup);
}

/** A file that starts one must call this once. */
export function endWithTest(): void {
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });
}

/** Answers every line with two continuations; an empty line, where only a repair is requested, with none. */
export const CONTINUE = ({ input }: SeenRequest) =>
  input === '' ? [] : [`${input} --first`, `${input} --second`];

export async function startZsh(options: Partial<ZshOptions> = {}, answer = CONTINUE) {
  const daemon = await new ScriptedDaemon({ answer }).start();
  atEnd(() => daemon.stop());
  const zsh = new ZshPty({ socket: daemon.socket, ...options });
  atEnd(() => zsh.close());
  await zsh.ready();
  return { daemon, zsh };
}

export const PLUGINS = {
  suggestions: '/usr/share/zsh-autosuggestions/zsh-autosuggestions.zsh',
  highlighting: '/usr/share/zsh-syntax-highlighting/zsh-syntax-highlighting.zsh',
};
