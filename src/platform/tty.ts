/** Tells how a terminal reads: by line (canonical mode, with a maximum length) or by key. */
import { run } from './run.ts';

/** Most bytes in a canonical-mode line without its end: 4096 on Linux, 1024 on macOS and the BSDs. */
const CANONICAL_LINE_MAX_BYTES: Readonly<Partial<Record<NodeJS.Platform, number>>> = { linux: 4095 };
const OTHER_LINE_MAX_BYTES = 1023;
const STTY_TIMEOUT_MS = 2000;

/** The longest line that the terminal accepts; null if its program reads keys, or it cannot be queried. */
export async function canonicalLineMaxBytes(tty: string, platform: NodeJS.Platform): Promise<number | null> {
  if (tty === '') return null;
  const flag = platform === 'linux' ? '-F' : '-f';
  const { code, stdout } = await run('stty', [flag, tty, '-a'], { timeoutMs: STTY_TIMEOUT_MS });
  if (code !== 0 || !/(?:^|\s)icanon(?:\s|;|$)/m.test(stdout.toString('utf8'))) return null;
  return CANONICAL_LINE_MAX_BYTES[platform] ?? OTHER_LINE_MAX_BYTES;
}
