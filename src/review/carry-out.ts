/** Has the review engine carry out the desk's plan. */
import { fail, ok, type Result } from '../lib/result.ts';
import type { CommandResult } from '../protocol/command.ts';
import type { Decisions } from './deciding/decisions.ts';
import { isMany } from './deciding/plan-decision.ts';
import type { Desk } from './desk/desk.ts';
import type { DeskAct, DeskCommand } from './desk/desk-plan.ts';
import { stepNow } from './desk/settle.ts';
import type { ReviewService } from './review-service.ts';

/** The engine's result; with `commit` and `pushed` if a review was finished. */
export type Carried = CommandResult<'review/decide'> &
  Partial<Pick<CommandResult<'review/finish'>, 'commit' | 'pushed'>>;

/** Returns the revision that an act may build on; see `revision` of a decision. */
type SeenBy = (client: string, revision: number) => number;

/** Carries out an act. `desk` is the current one, which may have changed since the act was planned. */
export async function carryOut(
  reviews: ReviewService,
  desk: Desk,
  { command, client }: DeskAct,
  seenBy: SeenBy,
): Promise<Result<Carried>> {
  const { decisions } = reviews;
  const { suggestion } = desk;
  switch (command.kind) {
    case 'decide':
      return decide(decisions, suggestion, command, (revision) => seenBy(client, revision));
    case 'step': {
      const known = command.step === null ? undefined : stepNow(desk, command.step);
      const hunks = known?.hunks ?? command.hunks;
      if (hunks.length === 0) return fail('refused', 'There is no decision to undo.');
      return decisions.step(suggestion, hunks, command.direction);
    }
    case 'step_all':
      return decisions.step(suggestion, null, command.direction);
    case 'split': {
      const ref = { suggestion, hunk: command.hunk };
      const lines = await decisions.linesOf(ref, command.lines, command.at ?? 1);
      return lines.ok ? decisions.cut(ref, lines.value) : lines;
    }
    case 'join':
      return decisions.cut({ suggestion, hunk: command.hunk }, null);
    case 'comment': {
      const { hunk, text } = command;
      return decisions.comment({ suggestion, hunk, comment: text, lines: command.lines });
    }
    case 'finish': {
      const ended = await reviews.finish({ ...command, suggestion });
      if (!ended.ok) return ended;
      const { commit, pushed, notes, ...summary } = ended.value;
      return ok({ suggestion: summary, hunks: [], notes, commit, pushed });
    }
    case 'reopen': {
      const again = await reviews.reopen(suggestion);
      return again.ok ? ok({ suggestion: again.value, hunks: [], notes: [] }) : again;
    }
  }
}

/** A decision on whole hunks enters the queue at once, so that later requests come after it. */
function decide(
  decisions: Decisions,
  suggestion: string,
  { confirmed, kind: _, ...decision }: Extract<DeskCommand, { kind: 'decide' }>,
  seen: (revision: number) => number,
): Promise<Result<Carried>> {
  const revision = confirmed === null ? decision.revision : seen(confirmed);
  const { hunk, lines } = decision;
  if (lines === null || isMany(hunk)) return decisions.decide({ ...decision, suggestion, revision });
  return decisions
    .linesOf({ suggestion, hunk }, lines, 1)
    .then((found) =>
      found.ok ? decisions.decide({ ...decision, suggestion, lines: found.value, revision }) : found,
    );
}
