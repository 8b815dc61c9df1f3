/** The first message of every stream: what waits for a review, and where to resume from. */
import { bothSpellings } from '../../protocol/suggestion-spelling.ts';
import type { Role } from '../../protocol/suggestion-wire.ts';
import { encodeBrief } from './encode.ts';
import { listFor } from './operations.ts';
import type { Streams } from './streams.ts';

const WELCOME = "Connected. Send {type: 'subscribe', workingDirectory: '/path'} to filter suggestions.";

/** `connected`, as JSON text. Events that come while the list is made may tell of it again, never too little. */
export async function greeting(
  streams: Streams,
  role: Role,
  folder: string | null,
  seq: number,
): Promise<string> {
  const { host, home } = streams;
  const listed = await listFor({ host, home, role }, folder);
  const suggestions = listed.ok ? listed.value.map(encodeBrief) : [];
  return JSON.stringify(bothSpellings({ type: 'connected', message: WELCOME, seq, role, suggestions }));
}
