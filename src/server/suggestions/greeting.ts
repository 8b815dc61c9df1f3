/** The first message of every stream: the open suggestions, and the position to resume from. */
import { encodeBrief } from '../../protocol/encode-suggestion.ts';
import { listFor } from './operations.ts';
import type { Streams } from './streams.ts';
import { authorOf, type Who } from './who.ts';

const WELCOME = "Connected. Send {type: 'subscribe', working_directory: '/path'} to filter suggestions.";

/** `connected`. Events during the making of the list may repeat parts of it, but none is missing. */
export async function greeting(
  { host }: Streams,
  who: Who,
  folder: string | null,
  seq: number,
): Promise<Record<string, unknown>> {
  const listed = await listFor(host, who, folder);
  const suggestions = listed.ok ? listed.value.map(encodeBrief) : [];
  return { type: 'connected', message: WELCOME, seq, role: who.role, author: authorOf(who), suggestions };
}
