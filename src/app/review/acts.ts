/** What a reader does to a suggestion, as commands of the host. */
import { ok, type Result } from '../../lib/result.ts';
import type { Client } from '../../protocol/client.ts';
import type { CommandParams, CommandResult } from '../../protocol/command.ts';
import type { Hunk, SuggestionSummary } from '../../protocol/review.ts';
import type { ReviewAct } from '../../ui/review/port.ts';

export interface Acted {
  /** Null when only a hunk came back. */
  readonly summary: SuggestionSummary | null;
  readonly hunks: readonly Hunk[];
}

/** Asks the host for what the reader does. */
export async function runAct(client: Client, suggestion: string, act: ReviewAct): Promise<Result<Acted>> {
  switch (act.kind) {
    case 'decide':
    case 'modify':
      return decided(await client.request('review/decide', decideParams(suggestion, act)));
    case 'undo':
      return decided(await client.request('review/undo', { suggestion, hunk: act.hunk }));
    case 'redo':
      return decided(await client.request('review/redo', { suggestion, hunk: act.hunk }));
    case 'split':
      return decided(await client.request('review/split', { suggestion, hunk: act.hunk, ...act.lines }));
    case 'join':
      return decided(await client.request('review/join', { suggestion, hunk: act.hunk }));
    case 'comment': {
      const { kind: _, ...about } = act;
      const commented = await client.request('review/comment', { suggestion, ...about });
      return commented.ok ? ok({ summary: null, hunks: [commented.value] }) : commented;
    }
    case 'finish': {
      const sandbox = act.how === 'discard' ? 'revert' : 'keep';
      const finished = await client.request('review/finish', { suggestion, how: act.how, sandbox });
      return finished.ok ? ok({ summary: finished.value, hunks: [] }) : finished;
    }
  }
}

function decided(result: Result<CommandResult<'review/decide'>>): Result<Acted> {
  return result.ok ? ok({ summary: result.value.suggestion, hunks: result.value.hunks }) : result;
}

/** Builds on nothing that was done before: a decision on one whole hunk, a step of one. */
export function isPlain(act: ReviewAct): boolean {
  const isOfOne = act.kind === 'decide' || act.kind === 'undo' || act.kind === 'redo';
  return isOfOne && act.hunk !== 'all' && linesOf(act) === null;
}

/** The lines of a hunk that are decided on; null for all of it. */
export function linesOf(act: ReviewAct): { readonly first: number; readonly last: number } | null {
  return act.kind === 'decide' ? (act.lines ?? null) : null;
}

function decideParams(
  suggestion: string,
  act: Extract<ReviewAct, { kind: 'decide' | 'modify' }>,
): CommandParams<'review/decide'> {
  if (act.kind === 'modify') {
    const { hunk, modified } = act;
    return {
      suggestion,
      hunk,
      action: 'modify',
      modified:
        modified.kind === 'merge'
          ? modified
          : { kind: modified.kind, base64: Buffer.from(modified.text, 'utf8').toString('base64') },
    };
  }
  const { hunk, action, file = null, revision = null } = act;
  return { suggestion, hunk, action, lines: act.lines ?? null, file, revision, onlyFitting: hunk === 'all' };
}
