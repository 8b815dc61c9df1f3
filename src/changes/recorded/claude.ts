/**
 * Edits in Claude Code's sessions. Its results have the previous text with LF line ends, up to some 10,000 characters;
 * its backups for `/rewind` are bytes. Its patches lose tabs and are not used.
 */
import path from 'node:path';
import { readRegular } from '../../platform/regular-file.ts';
import { claudeFacts } from '../../responses/transcripts/claude-facts.ts';
import { asArray, asObject, asString, type JsonObject, parseJson } from '../../responses/transcripts/json.ts';
import type { ToolFact } from '../../responses/transcripts/tool-facts.ts';
import { utf8Bytes } from '../../review/core/bytes.ts';
import { exactBytes, exactText, lfText, normalisedText, sameText, withEndsOf } from '../core/file-text.ts';
import { askedBytes, replayed } from '../core/own-part.ts';
import {
  type Asked,
  type EditHunk,
  FILE_TEXT_MAX_BYTES,
  type FileText,
  type TurnEdit,
} from '../core/turn-edits.ts';
import {
  type CallAndResult,
  EditLog,
  eachTurn,
  pairCalls,
  type RecordedReader,
  side,
  type TurnWithFacts,
} from './port.ts';

/** Larger session files of sub-agents are left out. */
const SUBAGENT_MAX_BYTES = 64 * 1024 * 1024;
/** Sub-agents of sub-agents. */
const MAX_DEPTH = 5;
const EDIT_TOOLS = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit']);
const SHELL_TOOLS = new Set(['Bash', 'PowerShell']);

/** Where the session's other files are. */
interface Beside {
  readonly backups: string;
  readonly subagents: string;
}

export const readClaudeEdits: RecordedReader = async (turns, ref) => {
  const config = path.dirname(path.dirname(path.dirname(ref.path)));
  const beside: Beside = {
    backups: path.join(config, 'file-history', ref.sessionId),
    subagents: path.join(path.dirname(ref.path), ref.sessionId, 'subagents'),
  };
  return eachTurn(turns, (turn) => readTurn(turn, beside));
};

/** A call of the turn, by the AI itself or by a sub-agent. */
interface Step extends CallAndResult {
  readonly source: 'tool' | 'subagent';
}

async function readTurn({ turn, facts }: TurnWithFacts, beside: Beside) {
  const log = new EditLog();
  const files = new FilesOfTurn(facts, beside);
  const steps = await withSubagents(facts, beside, 0);
  // Sub-agents work in parallel with the AI: only times give the order.
  const timed = steps.map((step, index) => ({ step, index, at: (step.result ?? step.call)?.at ?? 0 }));
  for (const { step } of timed.sort((a, b) => a.at - b.at || a.index - b.index)) {
    const name = step.call?.name ?? '';
    if (SHELL_TOOLS.has(name)) tellCommand(log, step);
    else if (EDIT_TOOLS.has(name)) await tellEdit(log, step, files);
  }
  return log.turn(turn);
}

async function withSubagents(
  facts: readonly ToolFact[],
  beside: Beside,
  depth: number,
): Promise<readonly Step[]> {
  const source = depth === 0 ? 'tool' : 'subagent';
  const steps: Step[] = [];
  for (const pair of pairCalls(facts)) {
    steps.push({ ...pair, source });
    const agent = asString(asObject(pair.result?.value.told)?.agentId);
    if (agent === null || depth >= MAX_DEPTH || !/^[\w-]+$/.test(agent)) continue;
    const own = await factsOfFile(path.join(beside.subagents, `agent-${agent}.jsonl`));
    steps.push(...(await withSubagents(own, beside, depth + 1)));
  }
  return steps;
}

async function factsOfFile(file: string): Promise<readonly ToolFact[]> {
  const bytes = await readRegular(file, { maxBytes: SUBAGENT_MAX_BYTES }).catch(() => null);
  const lines = bytes === null ? [] : bytes.toString('utf8').split('\n');
  return lines.flatMap((line) => claudeFacts(parseJson(line)));
}

function tellCommand(log: EditLog, { id, call, result }: Step): void {
  const told = asObject(result?.value.told);
  const denied = outcomeOf(result);
  // A command that was stopped while it ran is recorded like a refused one.
  const outcome = denied === 'refused' && result?.value.deniedBeforeRun !== true ? 'unknown' : denied;
  const input = asObject(call?.value.input);
  log.command({
    command: asString(input?.command) ?? '',
    cwd: asString(call?.value.cwd),
    at: call?.at ?? null,
    endedAt: input?.run_in_background === true ? null : (result?.at ?? null),
    exit: outcome === 'applied' && told?.interrupted !== true ? 0 : null,
    callId: id,
    outcome,
  });
}

function outcomeOf(result: ToolFact | null): TurnEdit['outcome'] {
  if (result === null) return 'unknown';
  if (result.value.isError !== true) return 'applied';
  return result.value.denial !== undefined || result.value.told === 'User rejected tool use'
    ? 'refused'
    : 'failed';
}

async function tellEdit(log: EditLog, step: Step, files: FilesOfTurn): Promise<void> {
  const { call, result, source } = step;
  const input = asObject(call?.value.input) ?? {};
  const failed = outcomeOf(result);
  // A tool that reads back its file and finds your changes fails, although its lines are in the file.
  const outcome = failed === 'failed' && result?.value.hasNotRun !== true ? 'unknown' : failed;
  const told = outcome === 'applied' ? asObject(result?.value.told) : null;
  const named =
    asString(told?.filePath) ??
    asString(told?.notebook_path) ??
    asString(input.file_path) ??
    asString(input.notebook_path);
  if (named === null) return;
  const file = path.resolve(asString(call?.value.cwd) ?? '/', named);
  const at = (result ?? call)?.at ?? null;
  const shared = { path: file, at, calledAt: call?.at ?? null, source, outcome };
  if (told === null) {
    log.edit({ ...shared, kind: 'edit', ...(outcome === 'unknown' ? { lost: 'no-result' } : {}) });
    return;
  }
  const before = await files.before(file, originalOf(told));
  const isNew = told.type === 'create';
  const after = afterOf(told, before);
  files.wrote(file, after);
  const isNormalised = [isNew ? undefined : before, after].some(
    (text) => text !== undefined && 'text' in text,
  );
  const isLost = after === undefined || (!isNew && before === undefined);
  log.edit({
    ...shared,
    kind: isNew ? 'add' : 'edit',
    ...(isNew ? {} : side('before', before)),
    ...side('after', after),
    lineEnds: isNormalised || isLost ? 'normalised' : 'exact',
    ...(isLost
      ? { ...patchOf(told), ...(after === undefined ? { asked: askedBytes(askedOf(told)) } : {}) }
      : {}),
  });
}

/** The patch for display: spaces at the start of a line may have been tabs. */
function patchOf(told: JsonObject): Partial<TurnEdit> {
  const hunks = asArray(told.structuredPatch).flatMap((each): EditHunk[] => {
    const hunk = asObject(each);
    if (typeof hunk?.oldStart !== 'number' || typeof hunk.newStart !== 'number') return [];
    const lines = asArray(hunk.lines).flatMap((line) => asString(line) ?? []);
    return [{ oldStart: hunk.oldStart, newStart: hunk.newStart, lines: withEnds(lines) }];
  });
  if (hunks.length === 0) return { lost: 'too-large' };
  const isLoose = hunks.some(({ lines }) => lines.some((line) => line[1] === ' '));
  return { patch: hunks, lost: isLoose ? 'loose' : 'too-large' };
}

function withEnds(lines: readonly string[]): readonly string[] {
  const ended: string[] = [];
  for (const line of lines) {
    if (!line.startsWith('\\ ')) ended.push(`${utf8Bytes(line)}\n`);
    else if (ended.length > 0) ended.push((ended.pop() ?? '').slice(0, -1));
  }
  return ended;
}

/** Null: not recorded. Notebooks and older versions use other names for it. */
function originalOf(told: JsonObject): string | null {
  return asString(told.originalFile) ?? asString(told.original_file) ?? asString(told.originalFileContents);
}

/** What the call left on disk; undefined if that depends on an unknown text before. */
function afterOf(told: JsonObject, before: FileText | undefined): FileText | undefined {
  // Both are written unchanged, whatever line ends the file had.
  const whole = asString(told.content) ?? asString(told.updated_file);
  if (whole !== null) return exactText(whole);
  const text = before === undefined ? null : lfText(before);
  if (text === null) return undefined;
  const now = replayed(text, askedOf(told));
  return now === null ? undefined : withEndsOf(before, now);
}

function askedOf(told: JsonObject): readonly Asked[] {
  const all = Array.isArray(told.edits) ? asArray(told.edits).map((each) => asObject(each) ?? {}) : [told];
  return all.map((one) => ({
    old: asString(one.oldString) ?? asString(one.old_string) ?? '',
    put: asString(one.newString) ?? asString(one.new_string) ?? '',
    isAll: one.replaceAll === true || one.replace_all === true,
  }));
}

/** Known facts about the turn's files: from backups, and from the edits so far. */
class FilesOfTurn {
  readonly #beside: Beside;
  /** Keyed by the tracked path. */
  readonly #backups = new Map<string, Backup>();
  readonly #folders: readonly string[];
  readonly #written = new Map<string, FileText | undefined>();

  constructor(facts: readonly ToolFact[], beside: Beside) {
    this.#beside = beside;
    this.#folders = [...new Set(facts.flatMap(({ value }) => asString(value.cwd) ?? []))];
    const marks = facts.filter(({ kind }) => kind === 'mark');
    // A newly tracked file is backed up just before its edit; the snapshot that names it comes later.
    for (const { value } of marks.filter(({ name }) => name === 'file-history-snapshot')) {
      for (const [file, backup] of Object.entries(asObject(value.trackedFileBackups) ?? {}))
        this.#note(file, asObject(backup));
    }
    for (const { value } of marks.filter(({ name }) => name === 'file-history-delta'))
      this.#note(asString(value.trackingPath) ?? '', asObject(value.backup));
  }

  #note(file: string, backup: JsonObject | null): void {
    if (backup === null) return;
    this.#backups.set(file, {
      folder: asString(backup.realParentDir),
      name: asString(backup.backupFileName),
    });
  }

  /** The text that an edit found, as exactly as known. `original`: what its own result says. */
  async before(file: string, original: string | null): Promise<FileText | undefined> {
    const told = original === null ? undefined : normalisedText(original);
    const known = this.#written.has(file) ? this.#written.get(file) : await this.#backup(file);
    if (known === undefined) return told;
    return told === undefined || sameText(known, told) ? known : told;
  }

  wrote(file: string, text: FileText | undefined): void {
    this.#written.set(file, text);
  }

  async #backup(file: string): Promise<FileText | undefined> {
    const found = [...this.#backups].find(([tracked, { folder }]) =>
      (folder === null ? this.#folders : [folder]).some((each) => isTracked(file, tracked, each)),
    );
    const name = found?.[1].name;
    if (name == null || !/^[\w-]+@v\d+$/.test(name)) return undefined;
    const stored = path.join(this.#beside.backups, name);
    const bytes = await readRegular(stored, { maxBytes: FILE_TEXT_MAX_BYTES }).catch(() => null);
    return bytes === null ? undefined : exactBytes(bytes);
  }
}

interface Backup {
  /** The file's own folder, or the project. Older versions do not say; then it is the AI's working folder. */
  readonly folder: string | null;
  /** Null: there was no file. */
  readonly name: string | null;
}

/** Paths are relative to the project inside it, and absolute outside. */
function isTracked(file: string, tracked: string, folder: string): boolean {
  if (file === tracked || file === path.join(folder, tracked)) return true;
  const isOwn = `${folder}/`.endsWith(`/${path.dirname(tracked)}/`);
  return isOwn && file === path.join(folder, path.basename(tracked));
}
