import { SERVER_CLIENT } from '../../protocol/command.ts';

/** A client's name at the beginning of a sentence. */
export function clientName(client: string | null): string {
  if (client === null) return 'Somebody';
  if (client.startsWith('nvim/')) return 'Neovim';
  return client === SERVER_CLIENT ? 'Another program' : 'Another copane';
}
