/** Finds the session whose changes are requested: of an AI pane, a named one, or the newest; with tool calls. */

import { existsSync } from 'node:fs';
import path from 'node:path';
import { type PickTurns, TurnReader, type TurnsRead } from '../../changes/turn-reader.ts';
import { fail, ok, type Result } from '../../lib/result.ts';
import { copanePaths, type Env } from '../../platform/paths.ts';
import { isAlive } from '../../platform/process-state.ts';
import type { SeenSpan } from '../../protocol/changes.ts';
import type { Client } from '../../protocol/client.ts';
import type { SessionRef, TurnRange } from '../../protocol/turn-range.ts';
import { noTurn } from '../../responses/core/select-range.ts';
import type { TranscriptRef } from '../../responses/transcripts/port.ts';
import { createTranscriptReaders } from '../../responses/transcripts/registry.ts';
import { MAX_TURNS } from '../../responses/transcripts/turn-builder.ts';
import { BlobStore } from '../../store/blobs.ts';
import type { HostConnection } from '../client/host-connection.ts';
import { openHostNow } from '../host-access.ts';
import { projectOf } from '../responses/ai-pane.ts';
import { openPaneSession } from '../responses/pane-session.ts';
import { namedSession, sessionsOf } from '../sessions/past-sessions.ts';

export interface SessionQuery {
  /** An AI pane; null for the default one. */
  readonly pane: string | null;
  /** A session by id prefix or file; null if none is given. */
  readonly session: string | null;
  readonly cwd: string;
  /** How many of the newest turns to read; Infinity for all. */
  readonly turns: number;
}

export interface SessionChanges extends Pick<TurnsRead, 'changes' | 'turns'> {
  /** The project folder; paths are shown relative to it. */
  readonly root: string;
  /** Caveats for the user. */
  readonly notes: readonly string[];
}

/** Finds the n-th turn of a session (1 is the newest), as a review names it, and the folder to review in. */
export async function findTurn(
  env: Env,
  wanted: SessionQuery,
): Promise<Result<{ readonly source: TurnRange; readonly target: string; readonly note: string | null }>> {
  const found = await findSession(env, wanted);
  if (!found.ok) return found;
  const { ref, root, note } = found.value;
  const session = createTranscriptReaders({ isAlive }).get(ref.cli)?.open(ref);
  const turns = (await session?.read({ turns: wanted.turns }))?.turns ?? [];
  const turn = turns.at(-wanted.turns)?.id;
  if (turn === undefined) return noTurn(wanted.turns, turns.length);
  return ok({ source: { session: sessionOf(ref), from: turn, to: turn }, target: root, note });
}

/** What turns of a session changed, by its session file and the looks. `pick` selects among the newest turns. */
export async function readSessionChanges(
  env: Env,
  wanted: SessionQuery,
  pick: PickTurns,
): Promise<Result<SessionChanges>> {
  const found = await findSession(env, wanted);
  if (!found.ok) return found;
  const { ref, root, note } = found.value;
  const host = await hostThatLooked(env);
  const notes = note === null ? [] : [note];
  if (!host.ok) notes.push(`What a companion observed is not known: ${host.error.message}`);
  const client = host.ok ? host.value : null;
  try {
    const { stateDir } = copanePaths(env);
    const reader = new TurnReader({ blobs: new BlobStore(stateDir), seen: seenThrough(client, notes) });
    const read = await reader.some(sessionOf(ref), Math.min(wanted.turns, MAX_TURNS), pick);
    return read.ok ? ok({ root, notes, changes: read.value.changes, turns: read.value.turns }) : read;
  } finally {
    await client?.close();
  }
}

const sessionOf = ({ cli, path: file, sessionId }: TranscriptRef): SessionRef => ({
  cli,
  path: file,
  sessionId,
});

/** Null if no companion has ever observed files. */
async function hostThatLooked(env: Env): Promise<Result<HostConnection | null>> {
  const { stateDir } = copanePaths(env);
  return existsSync(path.join(stateDir, 'snapshots')) ? openHostNow(env) : ok(null);
}

const NOTHING_SEEN: SeenSpan = { root: null, looks: [], until: null, others: [], gap: null };

const seenThrough =
  (client: Client | null, notes: string[]) =>
  async (session: SessionRef, turns: readonly string[]): Promise<SeenSpan> => {
    if (client === null || turns.length === 0) return NOTHING_SEEN;
    const seen = await client.request('changes/seen', { session, turns: [...turns] });
    if (!seen.ok) notes.push(`What a companion observed is not known: ${seen.error.message}`);
    return seen.ok ? seen.value : NOTHING_SEEN;
  };

interface Found {
  readonly ref: TranscriptRef;
  readonly root: string;
  readonly note: string | null;
}

async function findSession(env: Env, wanted: SessionQuery): Promise<Result<Found>> {
  const root = projectOf(wanted.cwd);
  if (wanted.session !== null) {
    const named = namedSession(await sessionsOf(wanted.cwd, [env]), wanted.session);
    return named.ok ? ok({ ref: named.value, root, note: null }) : named;
  }
  const pane = await paneSession(env, wanted);
  if (pane.ok || wanted.pane !== null || pane.error.code !== 'not_found') return pane;
  const [newest] = await sessionsOf(wanted.cwd, [env]);
  if (newest === undefined)
    return fail(
      'not_found',
      `there is no AI pane, and no session of an AI CLI for ${wanted.cwd}`,
      'Go to the folder that the AI CLI ran in, or start one with: copane up',
    );
  const note = `No AI pane here: this is the newest session of ${root} (${newest.cli} ${newest.sessionId})`;
  return ok({ ref: newest, root, note });
}

async function paneSession(env: Env, { pane, turns }: SessionQuery): Promise<Result<Found>> {
  const opened = await openPaneSession(env, pane);
  if (!opened.ok) return opened;
  const { read, listing, responses, close } = opened.value;
  try {
    const reading = await read('transcript', Math.min(turns, MAX_TURNS));
    if (!reading.ok) return reading;
    const { ref } = reading.value;
    const { paneId } = listing.facts.identity;
    if (ref === null && responses.hasTranscript)
      return fail('not_found', `nothing was asked in pane ${paneId} yet`);
    if (ref === null)
      return fail(
        'not_found',
        `pane ${paneId} has no session file that copane knows`,
        'For all changes since the last commit: git diff',
      );
    return ok({ ref, root: projectOf(listing.facts.cwd), note: reading.value.turns[0]?.warning ?? null });
  } finally {
    await close();
  }
}
