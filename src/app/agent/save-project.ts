/** Saves the decided changes of a project, in all its sessions. A conflict in one session does not stop the others. */
import { fail, ok, type Result } from '../../lib/result.ts';
import type { Client } from '../../protocol/client.ts';
import type { AgentSaveResult } from '../../protocol/commands/agent.ts';
import type { AgentOutcome } from '../../ui/agent/port.ts';

const NOTHING: AgentSaveResult = { status: 'completed', applied_files: [], written_files: [], conflicts: [] };

/** Includes archived sessions: decisions on their proposals may have been undone since. */
export async function saveProject(client: Client, root: string): Promise<Result<AgentSaveResult>> {
  const sessions = await client.request('agent/sessions', { root, archived: true });
  if (!sessions.ok) return sessions;
  let all = NOTHING;
  for (const { id } of sessions.value) {
    const one = await client.request('agent/save', { session_id: id, files: [] });
    if (!one.ok) return one;
    all = together(all, one.value);
  }
  return ok(all);
}

function together(a: AgentSaveResult, b: AgentSaveResult): AgentSaveResult {
  const isConflict = a.status === 'conflict' || b.status === 'conflict';
  return {
    status: isConflict ? 'conflict' : 'completed',
    applied_files: [...a.applied_files, ...b.applied_files],
    written_files: [...a.written_files, ...b.written_files],
    conflicts: [...a.conflicts, ...b.conflicts],
  };
}

/** The message for the user after a save. */
export function saveOutcome(saved: Result<AgentSaveResult>): Result<AgentOutcome> {
  if (!saved.ok) return saved;
  const { written_files: written, conflicts } = saved.value;
  const files = written.length === 1 ? written[0] : `${written.length} files`;
  const [conflict] = conflicts;
  if (conflict !== undefined) {
    const done = written.length === 0 ? 'Nothing was saved' : `Saved ${files}, but not`;
    return fail(
      'refused',
      `${done}: ${conflict.file_path}: ${conflict.reason}`,
      `R on screen 3 runs it again; in a shell, "copane agent merge ${conflict.file_path}" merges the text on disk.`,
    );
  }
  const words = written.length === 0 ? 'There is nothing to save' : `Saved ${files}`;
  return ok({ words, begun: null });
}
