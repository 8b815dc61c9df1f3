/** Manual actions of users on the working texts: read them, edit them, take over the disk's text. */
import { fail, ok, type Result } from '../lib/result.ts';
import type { CommandInput, CommandResult } from '../protocol/command.ts';
import type { AgentConflict } from '../protocol/commands/agent.ts';
import type { Conflict, Suggestion } from '../protocol/review.ts';
import { type ByteString, displayBytes, utf8Bytes } from '../review/core/bytes.ts';
import { type Decision, sameImage, stateOf } from '../review/core/file-state.ts';
import { lineTable } from '../review/core/line-table.ts';
import { pathProblem } from '../review/core/safe-path.ts';
import type { Proposals } from '../review/proposals/proposals.ts';
import { sidesOf } from '../review/showing/hunk-surroundings.ts';
import { imagePatch } from '../review/sources/folder-source.ts';
import { hasUndecided, type LogState } from './change-log.ts';
import { conflictOf } from './checkpoints/plan-rollback.ts';
import { factsOf, type LogSource } from './log-facts.ts';
import type { AgentRecords, StoredLayer, StoredSession } from './records.ts';

export interface WorkingTextsOptions extends LogSource {
  readonly records: AgentRecords;
  readonly proposals: Proposals;
}

const DISK_MOVED = 'the file on disk has changed since; it is merged before a save.';

/** The limit of a working text that is shown: it is sent in one message. */
const SHOWN_MAX_BYTES = 4 * 1024 * 1024;

export class WorkingTexts {
  readonly #options: WorkingTextsOptions;

  constructor(options: WorkingTextsOptions) {
    this.#options = options;
  }

  /** Hunks of a proposal with the reason why they do not fit the current text. */
  async withConflicts(layer: StoredLayer, suggestion: Suggestion): Promise<Result<Suggestion>> {
    const facts = await factsOf(this.#options, layer.root);
    if (!facts.ok) return facts;
    const { state, moved } = facts.value;
    const hunks = suggestion.hunks.map((hunk) => {
      const isMoved = moved.has(utf8Bytes(hunk.file)) && hunk.status === 'pending';
      const reason = conflictOf(state, layer.suggestion, hunk.id) ?? (isMoved ? DISK_MOVED : null);
      if (reason === null) return hunk;
      // A decided hunk stays so, and says why it is not in the text.
      return {
        ...hunk,
        reason,
        status: hunk.status === 'pending' && !isMoved ? ('conflict' as const) : hunk.status,
      };
    });
    return ok({ ...suggestion, hunks });
  }

  /** The three sides of a hunk against the current text; against the disk's if that has changed. */
  async sides(layer: StoredLayer, hunk: string): Promise<Result<Conflict | null>> {
    const facts = await factsOf(this.#options, layer.root);
    if (!facts.ok) return facts;
    const { log, state, moved } = facts.value;
    const files = state.layers.find(({ id }) => id === layer.suggestion)?.files ?? [];
    const review = files.find((file) => file.find(hunk) !== null);
    const change = review?.find(hunk) ?? null;
    if (review === undefined || change === null) return fail('not_found', `Hunk not found: ${hunk}`);
    const path = review.path();
    const found = moved.has(path) ? await log.disk(path) : ok(state.working.tree.get(path) ?? null);
    if (!found.ok) return found;
    return ok(sidesOf(review, change, lineTable(found.value?.bytes ?? new Uint8Array(0))));
  }

  /** The user's own edit of a working text. */
  async edit(
    session: StoredSession,
    input: CommandInput<'agent/edit'>,
  ): Promise<Result<CommandResult<'agent/edit'>>> {
    const { proposals, records } = this.#options;
    const path = utf8Bytes(input.file_path);
    const problem = pathProblem(path);
    if (problem !== null) return fail('refused', problem);
    const facts = await factsOf(this.#options, session.root);
    if (!facts.ok) return facts;
    const { log, state } = facts.value;
    const rejected = input.settles_conflicts ? await this.#rejectConflicts(state, path) : ok(0);
    if (!rejected.ok) return rejected;
    const tracked = await log.track([path]);
    const after = tracked.ok ? await log.state() : tracked;
    if (!after.ok) return after;
    const old = after.value.working.tree.get(path) ?? null;
    if (old !== null && old.type !== 'file')
      return fail('refused', `${input.file_path} is not a regular file.`);
    const bytes = new TextEncoder().encode(input.text);
    const updated = { path, type: 'file' as const, executable: old?.executable ?? false, bytes };
    if (sameImage(old, updated)) return ok({ suggestion_id: null, rejected_hunks: rejected.value });
    const added = await proposals.add({
      target: log.root,
      description: `Your edits of ${input.file_path}`,
      source: 'your edits',
      author: null,
      notes: {},
      decision: 'accepted',
      patch: imagePatch(old, updated),
      bases: new Map([[path, old]]),
      results: new Map([[path, updated]]),
      split: () => null,
      // Based on the working text, including undecided hunks.
      alongside: (suggestion) =>
        void records.inside.addLayer({ root: log.root, suggestion, origin: 'user', job: null }),
    });
    return added.ok ? ok({ suggestion_id: added.value.id, rejected_hunks: rejected.value }) : added;
  }

  async #rejectConflicts(state: LogState, path: ByteString): Promise<Result<number>> {
    let count = 0;
    for (const layer of state.layers) {
      const stuck = layer.files
        .filter(({ subject }) => subject.oldPath === path || subject.newPath === path)
        .flatMap((review) =>
          review.changes.filter((change) => conflictOf(state, layer.id, change.id) !== null),
        );
      if (stuck.length === 0) continue;
      count += stuck.length;
      const wanted = new Map(stuck.map((change): [string, Decision] => [change.id, 'rejected']));
      const done = await this.#options.proposals.redecide(layer.id, wanted, 'reject');
      if (!done.ok) return done;
    }
    return ok(count);
  }

  /** Takes over the disk's text as the user's own edits. */
  async merge(session: StoredSession, filePath: string): Promise<Result<CommandResult<'agent/merge'>>> {
    const facts = await factsOf(this.#options, session.root);
    if (!facts.ok) return facts;
    const { log, state, moved } = facts.value;
    const path = utf8Bytes(filePath);
    const file = state.tracked.get(path);
    if (file === undefined) return fail('not_found', `No proposal contains ${filePath}.`);
    if (moved.has(path)) {
      const found = await log.disk(path);
      if (!found.ok) return found;
      const taken = await log.takeDisk(file, found.value);
      if (!taken.ok) return taken;
    }
    const after = await log.state();
    return after.ok ? ok({ conflicts: conflictsIn(after.value, path) }) : after;
  }

  /** The working texts that differ from the disk, or the named one. */
  async working(
    session: StoredSession,
    filePath: string | null,
  ): Promise<Result<CommandResult<'agent/working'>>> {
    const facts = await factsOf(this.#options, session.root);
    if (!facts.ok) return facts;
    const { state, moved, unsaved } = facts.value;
    const listed = [...state.tracked.keys()].flatMap((path) => {
      const name = displayBytes(path);
      if (filePath !== null && filePath !== name) return [];
      const image = state.working.tree.get(path) ?? null;
      const undecided = undecidedIn(state, path);
      const conflict = moved.get(path) ?? conflictsIn(state, path)[0]?.reason ?? null;
      const isDirty = unsaved.has(path) || undecided > 0 || conflict !== null || hasUndecided(state, path);
      if (filePath === null && !isDirty) return [];
      const isShown = image === null || image.bytes.length <= SHOWN_MAX_BYTES;
      const text = image === null ? null : Buffer.from(image.bytes).toString('utf8');
      const about = { file_path: name, unsaved: unsaved.has(path), undecided, conflict };
      return [filePath === null || !isShown ? about : { ...about, text }];
    });
    return ok(listed);
  }
}

function conflictsIn(state: LogState, path: ByteString): AgentConflict[] {
  return state.layers.flatMap((layer) =>
    layer.files
      .filter(({ subject }) => subject.oldPath === path || subject.newPath === path)
      .flatMap((review) =>
        review.changes.flatMap((change) => {
          const reason = conflictOf(state, layer.id, change.id);
          return reason === null ? [] : [{ file_path: displayBytes(path), hunk_id: change.id, reason }];
        }),
      ),
  );
}

function undecidedIn(state: LogState, path: ByteString): number {
  return state.layers
    .filter((layer) => !layer.ended)
    .flatMap((layer) => layer.files)
    .filter(({ subject }) => subject.oldPath === path || subject.newPath === path)
    .flatMap((review) =>
      review.changes.filter((change) => stateOf(review.state, change.id).decision === 'pending'),
    ).length;
}
