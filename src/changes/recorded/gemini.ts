/**
 * Edits in Gemini CLI's log: whole texts before and after. `replace` records both with LF, whatever is on disk;
 * `write_file` records the exact text before. A refused call has its whole diff; only the status differs.
 */
import path from 'node:path';
import { smallFile } from '../../responses/transcripts/files.ts';
import { asObject, asString } from '../../responses/transcripts/json.ts';
import type { ToolFact } from '../../responses/transcripts/tool-facts.ts';
import { exactText, normalisedText, withEndsOf } from '../core/file-text.ts';
import type { TurnEdit } from '../core/turn-edits.ts';
import { EditLog, type RecordedReader, side } from './port.ts';

const MAX_ROOT_BYTES = 16 * 1024;
/** Replaces bytes that are not UTF-8, in the record and on disk. */
const REPLACEMENT = '\ufffd';

const OUTCOMES: Readonly<Record<string, TurnEdit['outcome']>> = {
  success: 'applied',
  cancelled: 'refused',
  error: 'failed',
};

export const readGeminiEdits: RecordedReader = async (turns, ref) => {
  const root = path.join(path.dirname(path.dirname(ref.path)), '.project_root');
  const cwd = (await smallFile(root, MAX_ROOT_BYTES))?.trim() || '/';
  return turns.map(({ turn, facts }) => {
    const log = new EditLog();
    for (const fact of facts) {
      if (fact.name === 'run_shell_command') tellCommand(log, fact, cwd);
      else tellEdit(log, fact, cwd);
    }
    return log.turn(turn);
  });
};

/** A stopped call is in a message that was written after it, so its start is unknown. */
function askedAtOf(askedAt: unknown, at: number | null): number | null {
  if (typeof askedAt !== 'number') return at;
  return at !== null && askedAt >= at ? null : askedAt;
}

function tellCommand(log: EditLog, { id, at, value }: ToolFact, cwd: string): void {
  const args = asObject(value.args) ?? {};
  const folder = asString(args.dir_path) ?? asString(args.directory) ?? '.';
  log.command({
    command: asString(args.command) ?? '',
    cwd: path.resolve(cwd, folder),
    at: askedAtOf(value.askedAt, at),
    endedAt: at,
    callId: id,
    // Stopped while running, or refused: both are recorded alike.
    outcome: value.status === 'cancelled' ? 'unknown' : (OUTCOMES[asString(value.status) ?? ''] ?? 'unknown'),
  });
}

function tellEdit(log: EditLog, fact: ToolFact, cwd: string): void {
  const { at, value } = fact;
  const args = asObject(value.args) ?? {};
  const shown = asObject(value.shown);
  const file = path.resolve(cwd, asString(shown?.filePath) ?? asString(args.file_path) ?? '');
  const outcome = OUTCOMES[asString(value.status) ?? ''] ?? 'unknown';
  const calledAt = typeof value.askedAt === 'number' ? value.askedAt : null;
  const shared = { path: file, at, calledAt, outcome };
  const put = asString(shown?.newContent);
  if (outcome !== 'applied' || put === null) {
    const lost = outcome === 'applied' ? 'not-recorded' : outcome === 'unknown' ? 'no-result' : undefined;
    log.edit({ ...shared, kind: 'edit', ...(lost === undefined ? {} : { lost }) });
  } else if (shown?.isNewFile === true) {
    log.edit({ ...shared, kind: 'add', ...side('after', exactText(put)) });
  } else log.edit({ ...shared, kind: 'edit', ...texts(fact.name, asString(shown?.originalContent), put) });
}

function texts(tool: string, original: string | null, put: string): Partial<TurnEdit> {
  if (original === null)
    return { ...side('after', normalisedText(put)), lineEnds: 'normalised', lost: 'not-recorded' };
  const before = tool === 'write_file' ? exactText(original) : normalisedText(original);
  const after = tool === 'write_file' ? withEndsOf(before, put) : normalisedText(put);
  if (original.includes(REPLACEMENT)) return { ...side('after', after), lost: 'not-recorded' };
  const isExact = after !== undefined && 'bytes' in after;
  const lost = before === undefined || after === undefined ? ({ lost: 'too-large' } as const) : {};
  return {
    ...side('before', before),
    ...side('after', after),
    lineEnds: isExact ? 'exact' : 'normalised',
    ...lost,
  };
}
