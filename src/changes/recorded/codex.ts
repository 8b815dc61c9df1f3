/**
 * Edits in Codex's rollouts: exact diffs with one line of context and line numbers, but no whole texts. An added file
 * and an overwritten one look the same. Only the `FileChange` of a call shows its effect.
 */
import path from 'node:path';
import { askedByCodex, commandByArgv } from '../../responses/transcripts/asked.ts';
import { headOf } from '../../responses/transcripts/files.ts';
import { asObject, asString, type JsonObject, parseJson } from '../../responses/transcripts/json.ts';
import type { ToolFact } from '../../responses/transcripts/tool-facts.ts';
import { exactText } from '../core/file-text.ts';
import type { TurnEdit } from '../core/turn-edits.ts';
import { unifiedHunks } from '../core/unified-hunks.ts';
import { EditLog, pairCalls, type RecordedReader, side, type TurnWithFacts } from './port.ts';

const HEAD_BYTES = 16 * 1024;
const PATCH_FILE = /^\*\*\* (Add|Update|Delete) File: (.+)$/gm;

export const readCodexEdits: RecordedReader = async (turns, ref) => {
  const cwd = await folderOf(ref.path);
  return turns.map((turn) => readTurn(turn, cwd));
};

async function folderOf(file: string): Promise<string> {
  const head = await headOf(file, HEAD_BYTES);
  return asString(parseJson(/"cwd":\s*("(?:[^"\\]|\\.)*")/.exec(head)?.[1] ?? '')) ?? '/';
}

function readTurn({ turn, facts }: TurnWithFacts, cwd: string) {
  const log = new EditLog();
  const idsOf = (kind: string) => new Set(facts.flatMap(({ name, id }) => (name === kind ? [id] : [])));
  const [changed, executed] = [idsOf('FileChange'), idsOf('CommandExecution')];
  const processes = new Set(facts.map(({ value }) => asString(value.process_id)));
  let calledAt: number | null = null;
  for (const fact of facts) {
    if (fact.kind === 'call') calledAt = fact.at;
    if (fact.name === 'FileChange') tellChanges(log, fact);
    else if (fact.name === 'CommandExecution') tellCommand(log, fact, calledAt);
  }
  for (const { id, call, result } of pairCalls(facts)) {
    const isCommand = call !== null && COMMAND_TOOLS.has(call.name) && !executed.has(id);
    if (isCommand && isUnrecorded(result, processes)) tellUnrecorded(log, call, result);
    if (call?.name !== 'apply_patch' || changed.has(id)) continue;
    tellUnchanged(log, { call, result, cwd });
  }
  return log.turn(turn);
}

const OUTCOMES: Readonly<Record<string, TurnEdit['outcome']>> = {
  completed: 'applied',
  declined: 'refused',
  failed: 'failed',
};

function tellChanges(log: EditLog, { at, value }: ToolFact): void {
  const outcome = OUTCOMES[asString(value.status) ?? ''] ?? 'unknown';
  const calledAt = typeof value.startedAt === 'number' ? value.startedAt : null;
  for (const [file, told] of Object.entries(asObject(value.changes) ?? {})) {
    const change = asObject(told);
    if (change === null) continue;
    log.edit({ at, calledAt, outcome, ...fromChange(file, change) });
  }
}

function fromChange(file: string, change: JsonObject): Pick<TurnEdit, 'path' | 'kind'> & Partial<TurnEdit> {
  const content = asString(change.content);
  const text = content === null ? undefined : exactText(content);
  const lost = text === undefined ? ({ lost: 'too-large' } as const) : {};
  if (change.type === 'add')
    return { path: file, kind: 'add', ...side('after', text), lost: lost.lost ?? 'before-not-recorded' };
  if (change.type === 'delete') return { path: file, kind: 'delete', ...side('before', text), ...lost };
  const hunks = unifiedHunks(asString(change.unified_diff) ?? '');
  const patch = hunks === null ? ({ lost: 'not-recorded' } as const) : { patch: hunks };
  const moved = asString(change.move_path);
  if (moved === null) return { path: file, kind: 'edit', ...patch };
  return { path: moved, movedFrom: file, kind: 'rename', ...patch };
}

/** Its recorded start may be its end. It began, at the latest, when the AI called it or an earlier one. */
function tellCommand(log: EditLog, { id, at, value }: ToolFact, calledAt: number | null): void {
  const startedAt = typeof value.startedAt === 'number' ? value.startedAt : at;
  log.command({
    command: commandByArgv(value.command) ?? '',
    cwd: (asString(value.cwd) ?? '').replace(/^file:\/\//, '') || null,
    at: calledAt === null || startedAt === null ? startedAt : Math.min(calledAt, startedAt),
    endedAt: at,
    exit: typeof value.exit_code === 'number' ? value.exit_code : null,
    callId: id,
    outcome: value.status === 'declined' ? 'refused' : value.status === 'failed' ? 'failed' : 'applied',
  });
}

const COMMAND_TOOLS = new Set(['exec_command', 'shell', 'local_shell_call', 'exec']);

const ABORTED = /^aborted by user/im;
const RUNNING = /running with session ID (\S+)/i;

/** Only the end of a command that ran is recorded: this one was stopped or refused, or is still running. */
function isUnrecorded(result: ToolFact | null, ended: ReadonlySet<string | null>): boolean {
  const output = asString(result?.value.output) ?? '';
  const running = RUNNING.exec(output)?.[1];
  return result === null || ABORTED.test(output) || (running !== undefined && !ended.has(running));
}

function tellUnrecorded(log: EditLog, { id, name, at, value }: ToolFact, result: ToolFact | null): void {
  const asked = askedByCodex(name, asString(value.input) ?? '');
  const command = asked?.kind === 'command' ? asked.text : '';
  const isOver = ABORTED.test(asString(result?.value.output) ?? '');
  const endedAt = isOver ? (result?.at ?? null) : null;
  log.command({ command, at, endedAt, callId: id, outcome: 'unknown' });
}

interface Unchanged {
  readonly call: ToolFact;
  readonly result: ToolFact | null;
  readonly cwd: string;
}

/** A call without a change: refused, failed, never run, or from a version that recorded none. */
function tellUnchanged(log: EditLog, { call, result, cwd }: Unchanged): void {
  const output = asString(result?.value.output) ?? '';
  const outcome =
    result === null
      ? 'unknown'
      : /^(aborted by user|patch rejected)|rejected by user/i.test(output)
        ? 'refused'
        : /Success\. Updated/.test(output)
          ? 'applied'
          : 'failed';
  const lost = outcome === 'applied' ? 'not-recorded' : outcome === 'unknown' ? 'no-result' : undefined;
  const kinds = { Add: 'add', Update: 'edit', Delete: 'delete' } as const;
  for (const [, verb = '', name = ''] of (asString(call.value.input) ?? '').matchAll(PATCH_FILE)) {
    log.edit({
      path: path.resolve(cwd, name),
      kind: kinds[verb as keyof typeof kinds],
      at: call.at,
      outcome,
      ...(lost === undefined ? {} : { lost }),
    });
  }
}
