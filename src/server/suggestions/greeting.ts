/** The first message of every stream: what waits for a review, and where to resume from. */
import { bothSpellings } from '../../protocol/suggestion-spelling.ts';
import { encodeBrief } from './encode.ts';
import { listFor } from './operations.ts';
import type { Streams } from './streams.ts';
import { authorOf, type Who } from './who.ts';

const WELCOME = "Connected. Send {type: 'subscribe', workingDirectory: '/path'} to filter suggestions.";

/** `connected`, as JSON text. Events that come while the list is made may tell of it again, never too little. */
export async function greeting(
  streams: Streams,
  who: Who,
  folder: string | null,
  seq: number,
): Promise<string> {
  const listed = await listFor(streams.host, who, folder);
  const suggestions = listed.ok ? listed.value.map(encodeBrief) : [];
  return JSON.stringify(
    bothSpellings({
      type: 'connected',
      message: WELCOME,
      seq,
      role: who.role,
      author: authorOf(who),
      suggestions,
    }),
  );
}
