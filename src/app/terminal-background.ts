/** Whether the terminal is dark or light. Queries it outside tmux (OSC 11); `copane up` stores the answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { TmuxPort } from '../tmux/port.ts';
import type { KnownTerminal } from '../ui/app/surface.ts';
import { BACKGROUND_QUERY, backgroundOfColors, backgroundOfReply } from '../ui/kit/theme/detect.ts';
import type { Background } from '../ui/kit/theme/palette.ts';

/** Every terminal answers this query, so a terminal that answers nothing else does not know the query before it. */
const DEVICE_QUERY = '\u001b[c';
const DEVICE_REPLY = /\u001b\[\?[\d;]*c/;
/** Long enough for a terminal on the other side of the world. */
const ANSWER_TIMEOUT_MS = 600;

interface AskedTerminal {
  readonly stdin: Pick<NodeJS.ReadStream, 'setRawMode' | 'on' | 'off' | 'pause' | 'resume' | 'isRaw'>;
  readonly stdout: Pick<NodeJS.WriteStream, 'write'>;
}

/** The background that the terminal reports; null if it reports none. Keys typed meanwhile are lost. */
export async function askTerminal({ stdin, stdout }: AskedTerminal): Promise<Background | null> {
  let text = '';
  const answered = Promise.withResolvers<void>();
  const onData = (chunk: Uint8Array | string): void => {
    text += String(chunk);
    if (DEVICE_REPLY.test(text)) answered.resolve();
  };
  stdin.setRawMode(true);
  stdin.on('data', onData);
  stdin.resume();
  stdout.write(BACKGROUND_QUERY + DEVICE_QUERY);
  await Promise.race([answered.promise, sleep(ANSWER_TIMEOUT_MS)]);
  stdin.off('data', onData);
  stdin.pause();
  stdin.setRawMode(false);
  const start = text.indexOf('\u001b]11;');
  return start < 0 ? null : backgroundOfReply(text.slice(start));
}

/** The value of `COLORFGBG` for a background. */
export const colorsOf = (background: Background): string => (background === 'light' ? '0;15' : '15;0');

/** What tmux knows about the terminal that shows us: by itself (since 3.6), or from `copane up`. */
export async function terminalInTmux(tmux: TmuxPort): Promise<KnownTerminal> {
  const format = '#{client_theme} #{mouse}';
  const shown = await tmux.run([['display-message', '-p', format], ['show-environment']]);
  if (!shown.ok) return { background: null, hasMouse: false };
  const [facts = '', ...variables] = shown.value.split('\n');
  const [theme = '', mouse] = facts.split(' ');
  const colors = variables.find((line) => line.startsWith('COLORFGBG='));
  const background =
    theme === 'light' || theme === 'dark' ? theme : backgroundOfColors(colors?.slice('COLORFGBG='.length));
  return { background, hasMouse: mouse === '1' };
}
