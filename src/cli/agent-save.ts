/** `copane agent save`: writes what is decided in a project, whichever session it is of, or in one session alone. */
import path from 'node:path';
import { ok, type Result } from '../lib/result.ts';
import type { Client } from '../protocol/client.ts';
import type { AgentSaveResult } from '../protocol/commands/agent.ts';
import { tellSave } from './agent-output.ts';
import { type SessionFlags, sessionFor } from './agent-texts.ts';
import { type CliContext, ExitWith } from './cli-context.ts';
import { line, withReviewer } from './review-output.ts';

const EXIT_CONFLICT = 3;
const NOTHING: AgentSaveResult = { status: 'completed', applied_files: [], conflicts: [] };

export async function save(
  context: CliContext,
  files: readonly string[],
  flags: SessionFlags,
): Promise<void> {
  const saved = await withReviewer(context, flags, (client) => saveBy(context, client, files, flags));
  if (flags.json) context.out(line(saved));
  else tellSave(context, saved);
  if (saved.status === 'conflict') throw new ExitWith(EXIT_CONFLICT);
  const isNothing = saved.applied_files.length === 0;
  if (isNothing && flags.json !== true)
    context.say('copane: nothing to save: all that is decided is on disk.');
}

async function saveBy(
  context: CliContext,
  client: Client,
  files: readonly string[],
  flags: SessionFlags,
): Promise<Result<AgentSaveResult>> {
  if (flags.session === undefined && files.length === 0) return saveAll(context, client, flags);
  const session = await sessionFor(context, client, flags);
  if (!session.ok) return session;
  return client.request('agent/save', { session_id: session.value, files: [...files] });
}

/** Each session by itself: one in conflict holds up none of the others. */
async function saveAll(
  context: CliContext,
  client: Client,
  flags: SessionFlags,
): Promise<Result<AgentSaveResult>> {
  const root = path.resolve(context.cwd, flags.root ?? '.');
  const sessions = await client.request('agent/sessions', { root, archived: true });
  if (!sessions.ok) return sessions;
  const [any] = sessions.value;
  const working = await (any === undefined
    ? ok([])
    : client.request('agent/working', { session_id: any.id, file_path: null }));
  if (!working.ok) return working;
  const unsaved = new Set(working.value.filter((file) => file.unsaved).map((file) => file.file_path));
  let all = NOTHING;
  for (const { id } of unsaved.size === 0 ? [] : sessions.value) {
    const one = await client.request('agent/save', { session_id: id, files: [] });
    if (!one.ok) return one;
    all = together(all, one.value);
  }
  return ok({ ...all, applied_files: all.applied_files.filter((file) => unsaved.has(file.file_path)) });
}

function together(a: AgentSaveResult, b: AgentSaveResult): AgentSaveResult {
  const isConflict = a.status === 'conflict' || b.status === 'conflict';
  return {
    status: isConflict ? 'conflict' : 'completed',
    applied_files: [...a.applied_files, ...b.applied_files],
    conflicts: [...a.conflicts, ...b.conflicts],
  };
}
