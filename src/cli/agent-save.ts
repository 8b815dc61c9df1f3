/** `copane agent save`: writes the decided changes of a project, or of one session. */
import path from 'node:path';
import { saveProject } from '../app/agent/save-project.ts';
import type { Result } from '../lib/result.ts';
import type { Client } from '../protocol/client.ts';
import type { AgentSaveResult } from '../protocol/commands/agent.ts';
import { tellSave } from './agent-output.ts';
import { type SessionFlags, sessionFor } from './agent-texts.ts';
import { type CliContext, EXIT_CONFLICT, ExitWith } from './cli-context.ts';
import { line, withReviewer } from './review-output.ts';

export async function save(
  context: CliContext,
  files: readonly string[],
  flags: SessionFlags,
): Promise<void> {
  const saved = await withReviewer(context, flags, (client) => saveBy(context, client, files, flags));
  if (flags.json) context.out(line(saved));
  else tellSave(context, writtenOf(saved));
  if (saved.status === 'conflict') throw new ExitWith(EXIT_CONFLICT);
  const isNothing = saved.written_files.length === 0;
  if (isNothing && flags.json !== true) context.say('copane: nothing to save: every decision is on disk.');
}

async function saveBy(
  context: CliContext,
  client: Client,
  files: readonly string[],
  flags: SessionFlags,
): Promise<Result<AgentSaveResult>> {
  if (flags.session === undefined && files.length === 0) {
    return saveProject(client, path.resolve(context.cwd, flags.root ?? '.'));
  }
  const session = await sessionFor(context, client, flags);
  if (!session.ok) return session;
  return client.request('agent/save', { session_id: session.value, files: [...files] });
}

/** Only the changes that this save wrote; files without hunks, such as the user's own edits, are left out. */
function writtenOf(saved: AgentSaveResult): AgentSaveResult {
  const known = new Map(saved.applied_files.map((file) => [file.file_path, file]));
  const none = { applied_hunks: 0, rejected_hunks: 0 };
  const applied_files = saved.written_files.map((file) => known.get(file) ?? { file_path: file, ...none });
  return { ...saved, applied_files };
}
