/**
 * Whether the user's terminal is dark or light. Outside tmux it is asked itself (OSC 11), and `copane up` leaves the
 * answer in the environment of the session; inside, tmux is asked for that, and for what it knows by itself.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { TmuxPort } from '../tmux/port.ts';
import type { KnownTerminal } from '../ui/app/surface.ts';
import { BACKGROUND_QUERY, backgroundOfColors, backgroundOfReply } from '../ui/kit/theme/detect.ts';
import type { Background } from '../ui/kit/theme/palette.ts';

/** Every terminal answers it: one that answers this alone does not know the question before it. */
const DEVICE_QUERY = '\u001b[c';
const DEVICE_REPLY = /\u001b\[\?[\d;]*c/;
/** A terminal at the other end of the world has answered by then. */
const ANSWER_TIMEOUT_MS = 600;

interface AskedTerminal {
  readonly stdin: Pick<NodeJS.ReadStream, 'setRawMode' | 'on' | 'off' | 'pause' | 'resume' | 'isRaw'>;
  readonly stdout: Pick<NodeJS.WriteStream, 'write'>;
}

/** The background by the terminal's own answer; null when it gives none. What was typed meanwhile is lost. */
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

/** `COLORFGBG` as terminals set it. */
export function colorsOf(background: Background): string {
  return background === 'light' ? '0;15' : '15;0';
}

/** What tmux knows of the terminal that shows us: by itself (from 3.6 on), or by what `copane up` left in the session. */
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
