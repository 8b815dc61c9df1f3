/** Rollback: choose a checkpoint, choose the scope, preview the changes, confirm. */

import type { Checkpoint } from '../../protocol/agent.ts';
import type { RollbackResult } from '../../protocol/commands/agent.ts';
import type { MenuRow } from '../kit/menu.ts';
import { type MoveRows, moveCommands } from '../kit/moves.ts';
import { foreign, type Row, span } from '../kit/row.ts';
import { count, formatMoment } from '../kit/time.ts';
import {
  type AgentFacts,
  type AgentHandler,
  type AgentHandlers,
  type AgentModel,
  type AgentOutcome,
  done,
  say,
} from './model.ts';
import { request } from './moves.ts';
import type { RollbackRequest } from './port.ts';

export const openCheckpoints: AgentHandler = (state, facts) =>
  facts.agent.checkpoints.length === 0
    ? say(state, facts, 'info', 'There is no checkpoint yet; a proposal makes one')
    : done({ ...state, overlay: { kind: 'checkpoints', cursor: 0 } });

/** The menu of possible rollbacks to a checkpoint. */
export function openRollback(state: AgentModel, facts: AgentFacts, checkpoint: string): AgentOutcome {
  const known = facts.agent.checkpoints.some((one) => one.checkpoint_id === checkpoint);
  if (!known) return say(state, facts, 'info', 'This checkpoint is no longer kept');
  return done({ ...state, overlay: { kind: 'rollback-scope', checkpoint, cursor: 0 } });
}

export function checkpointRows(facts: AgentFacts): readonly MenuRow[] {
  return facts.agent.checkpoints.map((checkpoint) => {
    const job = facts.agent.jobs.find(({ id }) => id === checkpoint.job_id);
    const before =
      checkpoint.kind === 'rollback' ? 'before a rollback' : `before: ${job?.instruction ?? 'a run'}`;
    return {
      left: [span(`${formatMoment(checkpoint.created_at, facts.now)}  `, 'dim'), foreign(before)],
      right: [span(count(checkpoint.affected_files.length, 'file'), 'dim')],
    };
  });
}

interface Scope {
  readonly words: string;
  readonly remark: string;
  readonly request: RollbackRequest;
}

/** The scopes of a rollback: everything since, only this run, or only its part in one file. */
function scopesOf({ checkpoint_id: checkpoint, affected_files: files }: Checkpoint): readonly Scope[] {
  const hunksOf = (one: Checkpoint['affected_files'][number]) => one.hunks.map(({ hunk_id }) => hunk_id);
  const scoped = (words: string, remark: string, hunks: readonly string[]): Scope => ({
    words,
    remark,
    request: { checkpoint, mode: 'scoped_selected', hunks },
  });
  const all = count(files.length, 'file');
  const hard: Scope = {
    words: 'The files as they were then: later edits in them are lost too',
    remark: all,
    request: { checkpoint, mode: 'hard_all', hunks: [] },
  };
  const changed = files.filter((file) => file.hunks.length > 0);
  if (changed.length === 0) return [hard];
  return [
    hard,
    scoped('Only what this run changed: later edits stay', all, changed.flatMap(hunksOf)),
    ...changed.map((file) =>
      scoped(`Only in ${file.file_path}`, count(file.hunks.length, 'hunk'), hunksOf(file)),
    ),
  ];
}

function scopes(facts: AgentFacts, checkpoint: string): readonly Scope[] {
  const found = facts.agent.checkpoints.find((one) => one.checkpoint_id === checkpoint);
  return found === undefined ? [] : scopesOf(found);
}

export function scopeRows(facts: AgentFacts, checkpoint: string): readonly MenuRow[] {
  return scopes(facts, checkpoint).map(({ words, remark }) => ({
    left: [foreign(words)],
    right: [span(remark, 'dim')],
  }));
}

/** Enter in one of the menus. */
export function chooseRollback(state: AgentModel, facts: AgentFacts): AgentOutcome {
  const { overlay } = state;
  const closed: AgentModel = { ...state, overlay: null };
  if (overlay?.kind === 'checkpoints') {
    const checkpoint = facts.agent.checkpoints[overlay.cursor];
    return checkpoint === undefined ? done(closed) : openRollback(closed, facts, checkpoint.checkpoint_id);
  }
  if (overlay?.kind !== 'rollback-scope') return done(state);
  const scope = scopes(facts, overlay.checkpoint)[overlay.cursor];
  return scope === undefined ? done(closed) : done(closed, { kind: 'agent-preview', to: scope.request });
}

/** Shows the preview of the changes. */
export function showPreview(
  state: AgentModel,
  facts: AgentFacts,
  to: RollbackRequest,
  result: RollbackResult,
): AgentOutcome {
  if (result.status === 'unchanged')
    return say(state, facts, 'info', 'The files are already as they were then');
  return done({ ...state, overlay: { kind: 'rollback', to, result, top: 0 } });
}

/** Rows of the preview. */
export function previewRows({ files, later_hunks: later, conflicts }: RollbackResult): readonly Row[] {
  const rows: Row[] = [];
  if (later > 0) {
    rows.push([span(`  ${count(later, 'later change')} ${later === 1 ? 'goes' : 'go'} as well`, 'warn')], []);
  }
  for (const conflict of conflicts)
    rows.push([foreign(`  ${conflict.file_path}: ${conflict.reason}`, 'warn')]);
  if (conflicts.length > 0)
    rows.push([], [span('  Choose one file, or the files as they were then: b opens the menu again.')], []);
  for (const { file_path: file, diff } of files) {
    rows.push([foreign(`  ${file}`, 'heading')]);
    for (const line of diff.trimEnd().split('\n')) rows.push([span('  '), foreign(line, roleOf(line))]);
    rows.push([]);
  }
  return rows;
}

function roleOf(line: string): 'added' | 'removed' | 'dim' | 'text' {
  if (line.startsWith('+')) return 'added';
  if (line.startsWith('-')) return 'removed';
  return line.startsWith('@@') ? 'dim' : 'text';
}

const scroll =
  (delta: MoveRows): AgentHandler =>
  (state) => {
    const { overlay, size } = state;
    if (overlay?.kind !== 'rollback') return done(state);
    const page = Math.max(1, size.rows - 5);
    const total = previewRows(overlay.result).length;
    const top = Math.max(0, Math.min(total - page, overlay.top + delta(page, total)));
    return done({ ...state, overlay: { ...overlay, top } });
  };

export const rollbackCommands: AgentHandlers = {
  ...moveCommands(scroll),
  'rollback/close': (state) => done({ ...state, overlay: null }),
  'rollback/do': (state) => {
    const { overlay } = state;
    if (overlay?.kind !== 'rollback' || overlay.result.status === 'conflict') return done(state);
    return request({ ...state, overlay: null }, { kind: 'rollback', to: overlay.to }, 'Rolling back');
  },
};
