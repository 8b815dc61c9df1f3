/** A snapshot of a folder's change log for views and saves. */
import { ok, type Result } from '../lib/result.ts';
import type { AgentLimits, DiffBundle } from '../protocol/agent.ts';
import { type ByteString, utf8Bytes } from '../review/core/bytes.ts';
import { runningLinks } from '../review/files/running-links.ts';
import type { BundleFacts } from './bundle.ts';
import type { ChangeLog } from './change-log.ts';
import { unsavedPaths } from './saver.ts';

export interface LogSource {
  readonly logOf: (root: string) => ChangeLog;
  readonly limits: AgentLimits;
}

export type LogFacts = BundleFacts & { readonly log: ChangeLog };

/** Checks the disk first, to include the user's changes. */
export async function factsOf({ logOf, limits }: LogSource, root: string): Promise<Result<LogFacts>> {
  const log = logOf(root);
  const synced = await log.sync();
  if (!synced.ok) return synced;
  const { state, moved } = synced.value;
  const unsaved = new Set(unsavedPaths(state));
  return ok({ log, state, moved, unsaved, limits, links: await runningLinks(root) });
}

/** Every path in a bundle, old and new. */
export function pathsOf(bundle: DiffBundle): Set<ByteString> {
  const names = bundle.files.flatMap((file) => [file.file_path, file.new_path ?? file.file_path]);
  return new Set(names.map((name) => utf8Bytes(name)));
}
