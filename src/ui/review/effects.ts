/** Runs the Review screen's effects and turns their results into a state change and a message. */

import { fail, ok, type Result, withStop } from '../../lib/result.ts';
import type { IntentPaint } from '../../protocol/intent.ts';
import { editorOf } from '../kit/editor.ts';
import { done, type ReviewEffect, type ReviewEffectContext, say, sayFailure, track } from './model.ts';
import { withEndOf } from './modify.ts';
import { changeReview, openReview } from './moves.ts';
import { afterIntent, paintIntent } from './outcome.ts';
import type { ScopeWish } from './port.ts';

type IntentEffect = Extract<ReviewEffect, { kind: 'review' }>;
type EditEffect = Extract<ReviewEffect, { kind: 'edit-hunk' }>;

/** Starts an effect; a defect in a port is rethrown and ends the process. */
export async function runReviewEffect(
  effect: Exclude<ReviewEffect, { kind: 'review-newest' | 'to-draft' | 'save-project' }>,
  context: ReviewEffectContext,
): Promise<void> {
  switch (effect.kind) {
    case 'review':
      return intend(effect, context);
    case 'edit-hunk':
      return edit(effect, context);
    case 'edit-comment':
      return editComment(effect.text, context);
    case 'edit-file':
      return editFile(effect, context);
    case 'start-review':
      return track(
        context,
        `Reading the changes: ${effect.name}`,
        context.ports.review.begin(effect.source, effect.name),
        (state, _facts, { id }) => done(openReview(state, id)),
      );
    case 'mark-seen':
      return track(context, null, context.ports.review.markViewed(effect.hunks, effect.isSeen), (state) =>
        done(state),
      );
    case 'keep-look':
      return context.ports.review.look?.keep(effect.look);
    case 'review-refresh':
      return refresh(effect.isQuiet, context);
    case 'review-reopen':
      return track(context, null, context.ports.review.reopenLast(), (state, facts, { id }) =>
        say(openReview(state, id), facts, 'ok', 'The review is open again'),
      );
    case 'review-scope':
      return openScope(effect.scopes, context);
  }
}

function openScope(scopes: readonly ScopeWish[], context: ReviewEffectContext): Promise<void> {
  const opened = firstScope(scopes, context);
  return track(context, 'Reading the changes', opened, (state, facts, { id, scope, why }) => {
    const { widened } = state.review;
    const all = scope.turns === null ? id : null;
    const shown = changeReview(openReview(state, id), { widened: widened && { ...widened, all } });
    const words = `${why}Shown: ${scope.label}`;
    return say(shown, facts, 'info', words, { kind: 'review-refresh', isQuiet: true });
  });
}

/** `why`: the reason for skipping a scope. */
async function firstScope(
  [scope, ...others]: readonly ScopeWish[],
  context: ReviewEffectContext,
  why = '',
): Promise<Result<{ readonly id: string; readonly scope: ScopeWish; readonly why: string }>> {
  if (scope === undefined) return fail('not_found', 'There is no other scope');
  const opened = await context.ports.review.openScope(scope);
  if (opened.ok) return ok({ id: opened.value, scope, why });
  return others.length === 0 ? opened : firstScope(others, context, `${withStop(opened.error.message)} `);
}

function refresh(isQuiet: boolean, context: ReviewEffectContext): Promise<void> {
  const what = isQuiet ? null : 'Loading the suggestions';
  return track(context, what, context.ports.review.refresh(), (state, facts) =>
    isQuiet ? done(state) : say(state, facts, 'ok', 'Refreshed'),
  );
}

async function intend(effect: IntentEffect, context: ReviewEffectContext): Promise<void> {
  const { suggestion, intent, confirmed, what } = effect;
  context.apply((state, facts) => done({ ...state, busy: { what, since: facts.now } }));
  let painted = effect.hunks;
  const onPaint = (paint: IntentPaint) => {
    painted = [...new Set([...painted, ...Object.keys(paint.statuses)])];
    context.apply((state) => done(paintIntent(state, effect, paint)));
  };
  const result = await context.ports.review.intend(suggestion, { intent, confirmed, onPaint });
  context.apply((state, facts) =>
    afterIntent({ ...state, busy: null }, facts, { ...effect, hunks: painted }, result),
  );
}

/** Gives the terminal to the editor; its result is accepted in place of the hunk. */
async function edit(effect: EditEffect, context: ReviewEffectContext): Promise<void> {
  const { ports, handOver } = context;
  const { suggestion, hunk, as, text, line, name } = effect;
  const edited = await handOver(() => ports.system.edit(text, line, name));
  if (!edited.ok) return context.apply((state, facts) => sayFailure(state, facts, edited));
  const after = as === 'text' ? withEndOf(text, edited.value) : edited.value;
  if (after === text) {
    return context.apply((state, facts) =>
      say(state, facts, 'info', 'Nothing was changed; the hunk is as it was'),
    );
  }
  const modified = { kind: as, base64: Buffer.from(after, 'utf8').toString('base64') };
  const intent = { kind: 'modify', hunk, seen: null, modified } as const;
  const what = 'Applying the edited text';
  await intend({ kind: 'review', suggestion, intent, confirmed: null, what, hunks: [] }, context);
}

function editComment(text: string, context: ReviewEffectContext): Promise<void> {
  const edited = context.handOver(() => context.ports.system.edit(text, 1, 'comment.md'));
  return track(context, null, edited, (state, _facts, words) => {
    const { overlay } = state;
    if (overlay?.kind !== 'comment') return done(state);
    return done({ ...state, overlay: { ...overlay, editor: editorOf(words.trimEnd()) } });
  });
}

/** Opens the user's file in the user's editor: what it saves is an edit like any other outside the review. */
function editFile(
  { suggestion, hunk, offset }: Extract<ReviewEffect, { kind: 'edit-file' }>,
  context: ReviewEffectContext,
): Promise<void> {
  const { review, system } = context.ports;
  const open = async (): Promise<Result<void>> => {
    const located = await review.locate(suggestion, hunk);
    if (!located.ok) return located;
    const { file, line } = located.value;
    const opened = await context.handOver(() => system.open(file, line + offset));
    return opened.ok ? review.refresh() : opened;
  };
  return track(context, null, open(), (state) => done(state));
}
