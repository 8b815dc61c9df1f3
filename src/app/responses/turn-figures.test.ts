import { expect, it } from 'vitest';
import { ok } from '../../lib/result.ts';
import type { Client } from '../../protocol/client.ts';
import { markLooked, readFigures } from './turn-figures.ts';

const SESSION = { cli: 'pi', path: '/s', sessionId: 's' } as const;

/** A host with turns that changed so many files each, oldest first. */
function hostWith(files: readonly number[]) {
  const viewed = new Set<string>();
  const turns = files.map((count, at) => ({ turn: `t${at}`, files: count, added: 0, removed: 0 }));
  const request = async (name: string, { hunks = [] }: { hunks?: readonly string[] }) => {
    if (name === 'changes/list') return ok({ turns });
    if (name === 'review/viewed') return ok({ hunks: hunks.filter((hunk) => viewed.has(hunk)) });
    for (const hunk of hunks) viewed.add(hunk);
    return ok({});
  };
  return { request } as unknown as Client;
}

it.each([
  ['the newest changes, before the first look', [2, 3], [], 3],
  ['changes that a later answer without changes follows', [2, 3, 0], [], 3],
  ['no changes that were looked at', [2, 3], [1], 0],
  ['no changes from before the first look', [2, 3, 4], [1], 4],
  ['those of each answer since the first look', [2, 3, 4], [0], 7],
  ['those of an answer that was passed over', [1, 2, 4], [0, 2], 2],
  ['nothing where nothing has changed', [0, 0], [], 0],
  ['nothing without answers', [], [], 0],
])('counts %s', async (_, files, looked, unseen) => {
  const client = hostWith(files);
  await markLooked(
    client,
    SESSION,
    looked.map((at) => `t${at}`),
  );
  expect((await readFigures(client, SESSION))?.unseen).toBe(unseen);
});
