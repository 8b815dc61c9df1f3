/**
 * Edits in opencode's sessions: exact by the trees before and after each step, which include the work of commands; its
 * diffs lose line ends and indentation. Outside the trees (other folders, ignored files, no git) only requested edits
 * are known.
 */
import path from 'node:path';
import { namesIn } from '../../responses/transcripts/files.ts';
import { asArray, asObject, asString, asTime } from '../../responses/transcripts/json.ts';
import { openOpencodeStore } from '../../responses/transcripts/opencode-store.ts';
import type { TranscriptRef } from '../../responses/transcripts/port.ts';
import type { ToolFact } from '../../responses/transcripts/tool-facts.ts';
import { utf8Bytes } from '../../review/core/bytes.ts';
import { Repository } from '../../review/vcs/git.ts';
import { readOrNull } from '../../review/vcs/repository-place.ts';
import { exactText } from '../core/file-text.ts';
import { askedBytes, sideOf } from '../core/own-part.ts';
import type { Asked, TurnEdit } from '../core/turn-edits.ts';
import { unifiedHunks } from '../core/unified-hunks.ts';
import { realPathOf } from '../real-paths.ts';
import {
  EditLog,
  eachTurn,
  type NewEdit,
  ownAndRest,
  type RecordedReader,
  side,
  type TurnWithFacts,
} from './port.ts';
import { type TreeChange, treeChanges } from './trees.ts';

/** The most messages that are read of one sub-agent's session. */
const MAX_SUBAGENT_MESSAGES = 1_000;

export const readOpencodeEdits: RecordedReader = async (turns, ref) => {
  const store = openOpencodeStore(ref.path);
  const project = await store.project(ref.sessionId);
  const snapshots = project === null ? [] : await snapshotsOf(path.dirname(ref.path), project.id);
  const place: Place = { ref, folder: project?.folder ?? '/', snapshots };
  return eachTurn(turns, (turn, index) => readTurn(turn, place, nextTree(turns, index)));
};

interface Place {
  readonly ref: TranscriptRef;
  readonly folder: string;
  readonly snapshots: readonly Repository[];
}

async function snapshotsOf(data: string, project: string): Promise<readonly Repository[]> {
  const root = path.join(data, 'snapshot', project);
  const folders = (await readOrNull(path.join(root, 'HEAD'))) === null ? await namesIn(root) : ['.'];
  const opened = await Promise.all(folders.map((name) => snapshotAt(path.join(root, name))));
  return opened.filter((each) => each !== null);
}

async function snapshotAt(gitDir: string): Promise<Repository | null> {
  const config = await readOrNull(path.join(gitDir, 'config'));
  const top = /^\s*worktree\s*=\s*(.+?)\s*$/m.exec(config ?? '')?.[1];
  if (top === undefined || !path.isAbsolute(top)) return null;
  const opened = await Repository.at({ top, gitDir, commonDir: gitDir });
  return opened.ok ? opened.value : null;
}

/** One model call: its tools, between two trees. */
interface Step {
  readonly from: string | null;
  to: string | null;
  readonly tools: ToolFact[];
}

function stepsOf(facts: readonly ToolFact[]): readonly Step[] {
  const steps: Step[] = [];
  for (const fact of facts) {
    const tree = asString(fact.value.snapshot);
    const last = steps.at(-1);
    if (fact.name === 'step-start') {
      // A stopped step has no end tree: the next step begins where it left off.
      if (last !== undefined) last.to ??= tree;
      steps.push({ from: tree, to: null, tools: [] });
    } else if (fact.name === 'step-finish') {
      if (last !== undefined) last.to = tree;
    } else if (last === undefined) steps.push({ from: null, to: null, tools: [fact] });
    else last.tools.push(fact);
  }
  return steps;
}

/** The tree with which the next turn begins; null if there is none yet. */
function nextTree(turns: readonly TurnWithFacts[], index: number): string | null {
  const facts = turns.slice(index + 1).flatMap((turn) => turn.facts);
  return asString(facts.find(({ name }) => name === 'step-start')?.value.snapshot);
}

async function readTurn({ turn, facts }: TurnWithFacts, place: Place, next: string | null) {
  const log = new EditLog();
  const steps = stepsOf(facts);
  for (const step of steps) {
    const to = step.to ?? (step === steps.at(-1) ? next : null);
    await tellStep(log, { ...step, to }, place);
  }
  return log.turn(turn);
}

async function tellStep(log: EditLog, step: Step, place: Place): Promise<void> {
  const subagents = await subagentTools(step.tools, place.ref);
  const tools = [...step.tools, ...subagents];
  for (const tool of tools.filter(({ name }) => name === 'bash')) tellCommand(log, tool, place.folder);
  const real = await realNames(tools, place.folder);
  const changes = step.from === null || step.to === null ? null : await changesOf(step.from, step.to, place);
  const seen = new Set<string>();
  if (changes !== null) {
    for (const edit of editsOf(changes, { tools, subagents: new Set(subagents), real })) {
      log.edit(edit);
      for (const file of [edit.path, edit.movedFrom]) if (file !== undefined) seen.add(file);
    }
  }
  const isRemoved = step.from !== null && changes === null;
  for (const tool of tools)
    tellTool(log, tool, { real, seen, isRemoved, isSubagent: subagents.includes(tool) });
}

/** The real path of a file that a call names. */
type RealName = (named: string) => string;

/** An edit through a link is one of the file that the trees have. */
async function realNames(tools: readonly ToolFact[], folder: string): Promise<RealName> {
  const known = new Map<string, string>();
  for (const name of tools.flatMap(namedBy)) known.set(name, await realPathOf(path.resolve(folder, name)));
  return (name) => known.get(name) ?? name;
}

interface StepChange extends TreeChange {
  readonly file: string;
}

async function changesOf(
  from: string,
  to: string,
  { snapshots }: Place,
): Promise<readonly StepChange[] | null> {
  for (const repository of snapshots) {
    const changes = await treeChanges(repository, from, to);
    if (!changes.ok) continue;
    const top = await realPathOf(repository.top);
    return changes.value.map((change) => ({ ...change, file: path.join(top, change.path) }));
  }
  return null;
}

interface StepTools {
  readonly tools: readonly ToolFact[];
  readonly subagents: ReadonlySet<ToolFact>;
  readonly real: RealName;
}

function editsOf(changes: readonly StepChange[], { tools, subagents, real }: StepTools): readonly NewEdit[] {
  const moves = tools.flatMap((tool) => movesOf(tool, real));
  const edits: NewEdit[] = [];
  for (const { file, path: _, isLarge, ...change } of changes) {
    const into = moves.find(({ from }) => from === file);
    if (into !== undefined && change.kind === 'delete' && changes.some((one) => one.file === into.to))
      continue;
    const origin = moves.find(({ to }) => to === file);
    const before = changes.find((one) => one.file === origin?.from && one.kind === 'delete')?.before;
    const moved: Partial<NewEdit> =
      origin === undefined || change.kind !== 'add'
        ? {}
        : { kind: 'rename', movedFrom: origin.from, ...side('before', before) };
    const edit: NewEdit = { ...change, ...moved, path: file, source: 'step-tree' };
    const named = tools.filter(
      (tool) => tool.value.status === 'completed' && namedBy(tool).some((name) => real(name) === file),
    );
    const last = named.at(-1);
    if (isLarge) edits.push({ ...edit, lost: 'too-large' });
    else if (last === undefined) edits.push({ ...edit, by: 'unknown' });
    else {
      const by: NewEdit = {
        ...edit,
        ...timesOf(last),
        ...(subagents.has(last) ? { source: 'subagent' } : {}),
      };
      edits.push(
        ...ownAndRest(by, (from) =>
          named.flatMap((tool) => askedBy(tool, from, (name) => real(name) === file)),
        ),
      );
    }
  }
  return edits;
}

const timesOf = ({ at, value }: ToolFact): Pick<NewEdit, 'at' | 'calledAt'> => ({
  at: asTime(asObject(value.time)?.end) ?? at,
  calledAt: at,
});

/** The edits that a call requested in a file whose text was `from`. */
function askedBy(
  { name, value }: ToolFact,
  from: readonly string[],
  isFile: (named: string) => boolean,
): readonly Asked[] {
  const input = asObject(value.input) ?? {};
  const content = asString(input.content);
  if (name === 'write') return content === null ? [] : [{ old: from.join(''), put: utf8Bytes(content) }];
  const patches = patchFiles(value).filter(({ filePath, movePath }) =>
    [filePath, movePath].some((named) => isFile(asString(named) ?? '')),
  );
  const hunks = patches.flatMap(({ patch }) => unifiedHunks(asString(patch) ?? '') ?? []);
  if (name === 'apply_patch')
    return hunks.map(({ lines }) => ({ old: sideOf(lines, '+').join(''), put: sideOf(lines, '-').join('') }));
  const asked = [input, ...asArray(input.edits).map((each) => asObject(each) ?? {})].flatMap((one) => {
    const [old, put] = [asString(one.oldString), asString(one.newString)];
    return old === null || put === null ? [] : [{ old, put, isAll: one.replaceAll === true }];
  });
  return askedBytes(asked);
}

/** The files of a call, as it names them. */
function namedBy({ name, value }: ToolFact): readonly string[] {
  const input = asObject(value.input);
  const single = asString(input?.filePath);
  if (name !== 'apply_patch') return single === null ? [] : [single];
  return patchFiles(value).flatMap(({ filePath, movePath }) =>
    [filePath, movePath].flatMap((file) => asString(file) ?? []),
  );
}

function patchFiles(value: ToolFact['value']) {
  return asArray(asObject(value.metadata)?.files).map((file) => asObject(file) ?? {});
}

function movesOf(
  { value }: ToolFact,
  real: RealName,
): readonly { readonly from: string; readonly to: string }[] {
  return patchFiles(value).flatMap(({ filePath, movePath }) => {
    const [from, to] = [asString(filePath), asString(movePath)];
    return from === null || to === null ? [] : [{ from: real(from), to: real(to) }];
  });
}

function tellCommand(log: EditLog, { id, at, value }: ToolFact, folder: string): void {
  const input = asObject(value.input);
  const exit = asObject(value.metadata)?.exit;
  log.command({
    command: asString(input?.command) ?? '',
    cwd: path.resolve(folder, asString(input?.workdir) ?? '.'),
    at,
    endedAt: asTime(asObject(value.time)?.end),
    exit: typeof exit === 'number' ? exit : null,
    callId: id,
    // Stopped while running, or while waiting for permission: both are recorded alike.
    outcome: ABORTED.test(asString(value.error) ?? '') ? 'unknown' : outcomeOf(value),
  });
}

const ABORTED = /Tool execution aborted/;

function outcomeOf(value: ToolFact['value']): TurnEdit['outcome'] {
  if (value.status === 'completed') return 'applied';
  if (value.status !== 'error') return 'unknown';
  const isRefused = /rejected permission|Tool execution aborted/.test(asString(value.error) ?? '');
  return isRefused ? 'refused' : 'failed';
}

interface ToolContext {
  readonly real: RealName;
  /** Files that the trees already cover. */
  readonly seen: ReadonlySet<string>;
  /** The trees of the step have been removed since. */
  readonly isRemoved: boolean;
  readonly isSubagent: boolean;
}

/** What the trees lack: refused and failed calls, and files that no tree holds. */
function tellTool(log: EditLog, tool: ToolFact, { real, seen, isRemoved, isSubagent }: ToolContext): void {
  const { value, name } = tool;
  if (name === 'bash' || name === 'task') return;
  const outcome = outcomeOf(value);
  const input = asObject(value.input);
  const files = namedBy(tool).map(real);
  for (const file of files.filter((one) => outcome !== 'applied' || !seen.has(one))) {
    const shared = {
      path: file,
      ...timesOf(tool),
      outcome,
      ...(isSubagent ? { source: 'subagent' as const } : {}),
    };
    const content = asString(input?.content);
    const isKnown = outcome === 'applied' && name === 'write' && content !== null;
    const isNew = asObject(value.metadata)?.exists === false;
    if (isKnown && isNew) log.edit({ ...shared, kind: 'add', ...side('after', exactText(content)) });
    else if (isKnown)
      log.edit({ ...shared, kind: 'edit', ...side('after', exactText(content)), lost: 'not-recorded' });
    else if (outcome === 'applied') {
      const asked = askedBy(tool, [], (named) => real(named) === file);
      const lost = isRemoved ? 'removed' : 'not-recorded';
      log.edit({ ...shared, kind: 'edit', lost, ...(asked.length === 0 ? {} : { asked }) });
    } else log.edit({ ...shared, kind: 'edit', ...(outcome === 'unknown' ? { lost: 'no-result' } : {}) });
  }
}

/** The tools of the sub-agents that this step started: its trees hold their work, too. */
async function subagentTools(tools: readonly ToolFact[], ref: TranscriptRef): Promise<readonly ToolFact[]> {
  const store = openOpencodeStore(ref.path);
  const found: ToolFact[] = [];
  for (const { name, value } of tools) {
    const session = name === 'task' ? asString(asObject(value.metadata)?.sessionId) : null;
    if (session === null) continue;
    const page = await store.page(session, MAX_SUBAGENT_MESSAGES, { withTools: true }).catch(() => null);
    const facts = page?.messages.flatMap(({ parts }) => parts.flatMap((part) => part.facts)) ?? [];
    found.push(...facts.filter(({ kind }) => kind === 'result'));
  }
  return found;
}
