/** The sessions of a project, of every AI CLI, running or ended: lists, searches and reads them. */
import path from 'node:path';
import { setImmediate as pause } from 'node:timers/promises';
import { errorMessage, fail, ok, type Result } from '../../lib/result.ts';
import { copanePaths, type Env } from '../../platform/paths.ts';
import { isAlive } from '../../platform/process-state.ts';
import type { PastSession } from '../../protocol/past-session.ts';
import type { Turn } from '../../protocol/turn.ts';
import type { SessionRef } from '../../protocol/turn-range.ts';
import { turnTitle } from '../../responses/core/turn.ts';
import type { TranscriptRef } from '../../responses/transcripts/port.ts';
import { createTranscriptReaders } from '../../responses/transcripts/registry.ts';
import { MAX_TURNS } from '../../responses/transcripts/turn-builder.ts';
import { type IndexedSession, MAX_SESSIONS, SessionIndex, sessionKey } from '../../store/session-index.ts';
import { projectOf } from '../responses/ai-pane.ts';

/** The number of sessions that an error message lists. */
const NAMED_SESSIONS = 5;
/** How much of a long session's beginning is searched for its first prompt. */
const HEAD_BYTES = 1024 * 1024;

/** The sessions of a folder, of every AI CLI, newest first. `places`: environments that locate their files. */
export async function sessionsOf(cwd: string, places: readonly Env[]): Promise<readonly TranscriptRef[]> {
  const readers = [...createTranscriptReaders({ isAlive }).values()];
  const folders = [...new Set([cwd, projectOf(cwd)])];
  const asked = readers.flatMap((reader) =>
    folders.flatMap((folder) =>
      places.map((env) => reader.find({ cwd: folder, pid: null, env, limit: MAX_SESSIONS })),
    ),
  );
  const refs = (await Promise.all(asked)).flat();
  // After a rewind Codex continues in a new file under the same id: the newest file holds the conversation.
  const newest = new Map<string, TranscriptRef>();
  for (const ref of refs.sort((a, b) => a.modifiedAt - b.modifiedAt))
    newest.set(`${ref.cli} ${ref.sessionId}`, ref);
  return [...newest.values()].sort((a, b) => b.modifiedAt - a.modifiedAt).slice(0, MAX_SESSIONS);
}

/** Finds a session of a folder by id prefix or file; a failure lists the existing ones. */
export function namedSession(sessions: readonly TranscriptRef[], wanted: string): Result<TranscriptRef> {
  const file = path.resolve(wanted);
  // An empty word, from a script's empty variable, is the beginning of every id.
  const isNamed = (id: string) => wanted !== '' && id.startsWith(wanted);
  const found = sessions.filter((ref) => ref.path === file || isNamed(ref.sessionId));
  const [ref] = found;
  const list = (some: readonly TranscriptRef[]) =>
    some
      .slice(0, NAMED_SESSIONS)
      .map(({ cli, sessionId }) => `${sessionId} (${cli})`)
      .join(', ');
  if (ref === undefined) {
    const hint =
      sessions.length === 0 ? 'Go to the folder that the AI CLI ran in.' : `There are: ${list(sessions)}`;
    return fail('not_found', `this folder has no session ${wanted === '' ? 'without a name' : wanted}`, hint);
  }
  if (found.length > 1)
    return fail('invalid', `${wanted} is the beginning of several sessions: ${list(found)}`);
  return ok(ref);
}

/** The turns of a session, newest first; fails if its file cannot be read. */
export async function readSession(
  session: SessionRef,
  turns: number = MAX_TURNS,
): Promise<Result<readonly Turn[]>> {
  const { snapshot, failure } = await snapshotOf(session, { turns });
  if (snapshot === null)
    return fail('not_found', failure ?? `the session ${session.sessionId} cannot be read any more`);
  return ok(snapshot.turns.toReversed());
}

async function snapshotOf(
  session: SessionRef,
  { turns = MAX_TURNS, headBytes }: { readonly turns?: number; readonly headBytes?: number } = {},
) {
  const ref: TranscriptRef = { ...session, tie: 'older', modifiedAt: 0 };
  const readers = createTranscriptReaders({ isAlive, ...(headBytes === undefined ? {} : { headBytes }) });
  const opened = readers.get(session.cli)?.open(ref);
  return { snapshot: (await opened?.read({ turns })) ?? null, failure: opened?.failure() ?? null };
}

/** What the index keeps of a session. */
async function toIndexed(session: TranscriptRef): Promise<IndexedSession> {
  const { turns, complete } = (await snapshotOf(session)).snapshot ?? { turns: [], complete: true };
  // Only the newest turns of a long session are read: its title is at its beginning.
  const head = complete ? null : (await snapshotOf(session, { headBytes: HEAD_BYTES })).snapshot;
  const first = head?.turns[0] ?? turns[0];
  const title = first === undefined ? '' : turnTitle(first);
  return { session, changedAt: session.modifiedAt, title, turns, more: !complete };
}

export interface SessionsWish {
  readonly cwd: string;
  /** Only sessions with a turn that contains all of these words; null for all sessions. */
  readonly words: string | null;
  /** The environment of an AI CLI running there, which may keep its files elsewhere; null if unknown. */
  readonly running: Env | null;
}

/** The sessions of a folder, newest first; with `words`, those with a turn that contains all. Updates the index. */
export async function listSessions(
  env: Env,
  { cwd, words, running }: SessionsWish,
): Promise<Result<readonly PastSession[]>> {
  const refs = await sessionsOf(cwd, running === null ? [env] : [env, running]);
  let index: SessionIndex | null = null;
  try {
    index = SessionIndex.open(path.join(copanePaths(env).cacheDir, 'sessions.db'));
    const known = index.known();
    for (const ref of refs) {
      if (known.get(sessionKey(ref)) === ref.modifiedAt) continue;
      index.put(await toIndexed(ref));
      await pause();
    }
    const listed = words === null ? index.list(refs) : index.search(refs, words);
    return ok(listed.filter(({ answers, title }) => answers > 0 || title !== ''));
  } catch (thrown) {
    return fail('internal', `the index of sessions cannot be used: ${errorMessage(thrown)}`);
  } finally {
    index?.close();
  }
}
