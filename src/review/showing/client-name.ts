import { SERVER_CLIENT } from '../../protocol/command.ts';

/** How a client is called in a sentence, at its beginning. */
export function clientName(client: string | null): string {
  if (client === null) return 'Somebody';
  if (client.startsWith('nvim/')) return 'Neovim';
  return client === SERVER_CLIENT ? 'Another program' : 'Another copane';
}
