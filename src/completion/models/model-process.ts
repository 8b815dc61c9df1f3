/**
 * Starts a process that holds a GGUF model, and tells it things: a crash of native code ends that process and nothing
 * else. What is asked and answered is up to the two sides.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import type { Env } from '../../platform/paths.ts';

/** The first thing that it is told. */
export interface LoadMessage {
  readonly kind: 'load';
  /** Where node-llama-cpp is imported from: a file URL. */
  readonly module: string;
  readonly file: string;
  readonly contextTokens: number;
}

interface ModelProcessOptions {
  /** The program: a file that uses `gguf-runtime.ts`. */
  readonly program: string;
  readonly env: Env;
  /** The file of node-llama-cpp that is imported. */
  readonly runtime: string;
  /** The model. */
  readonly file: string;
  readonly contextTokens: number;
}

/** The process, told to load. Whoever starts it listens for its messages, its errors and its end. */
export function startModelProcess(options: ModelProcessOptions): ChildProcess {
  const { PATH, HOME, LANG } = options.env;
  const child = fork(options.program, [], {
    // Only what native code may need: a process of its own has no business with the user's keys.
    env: { PATH, HOME, LANG },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'json',
  });
  const { file, contextTokens } = options;
  tell<LoadMessage>(child, {
    kind: 'load',
    module: pathToFileURL(options.runtime).href,
    file,
    contextTokens,
  });
  return child;
}

/** Sends a message; a process that is gone hears nothing. */
export function tell<Message extends object>(child: ChildProcess, message: Message): void {
  if (child.connected) child.send(message, () => undefined);
}
