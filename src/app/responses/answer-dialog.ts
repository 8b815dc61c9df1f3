/** Answers the question of an AI CLI, but only the one that was read: checks the screen before and after each key. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Failure, fail, ok, type Result } from '../../lib/result.ts';
import { randomId } from '../../platform/crypto.ts';
import type { Choice } from '../../protocol/dialog.ts';
import {
  ANSWER_BEGINS,
  type AnswerProgress,
  type AnswerRequest,
  type AnswerStep,
  nextAnswerStep,
} from '../../responses/core/answer.ts';
import { screenRulesFor } from '../../responses/screens/registry.ts';
import { viewPane } from '../../tmux/capture.ts';
import { isSamePane } from '../../tmux/core/formats.ts';
import { normalise } from '../../tmux/core/normalise.ts';
import type { PaneListing } from '../../tmux/panes.ts';
import type { TmuxPort } from '../../tmux/port.ts';
import { paste, pressKeys } from '../../tmux/typing.ts';

/** The pause between two checks of the screen. */
const LOOK_GAP_MS = 60;
/** A pointer moves within a few frames; the next dialog may have to wait for a server. */
const MOVE_PATIENCE_MS = 2_000;
const ANSWER_PATIENCE_MS = 10_000;
/** Measured: Claude Code drops an Enter within 100 ms of its question, and even later on a loaded machine. */
const READY_MS = 1_000;
/** One key for each row of a long list, and a few for lost keys. */
const MAX_KEYS = 60;

export interface DialogAnswer extends AnswerRequest {
  /** When the question appeared, ms since the epoch; null when unknown. */
  readonly since: number | null;
}

/** Gives this answer if the pane still shows the question that was read; else fails with what it shows instead. */
export async function answerDialog(
  tmux: TmuxPort,
  listing: PaneListing,
  wanted: DialogAnswer,
): Promise<Result<void>> {
  const pane = listing.facts.identity;
  const now = Date.now();
  await sleep(Math.max(0, (wanted.since ?? now) + READY_MS - now));
  let progress: AnswerProgress = ANSWER_BEGINS;
  for (let keys = 0; keys < MAX_KEYS; keys += 1) {
    const step = await stepSoon(tmux, listing, wanted, progress);
    if (!step.ok) return step;
    if (step.value.kind === 'done') return ok(undefined);
    const sent =
      step.value.kind === 'paste'
        ? await paste(tmux, { id: randomId(), pane, text: normalise(wanted.words ?? '') })
        : await pressKeys(tmux, pane, step.value.keys);
    if (!sent.ok) return sent;
    progress = step.value.next;
  }
  return fail('unconfirmed', 'the marked answer could not be reached: answer it in the AI pane');
}

type Ready = Extract<AnswerStep, { kind: 'done' | 'keys' | 'paste' }>;

/** Checks the screen until there is something to do. */
async function stepSoon(
  tmux: TmuxPort,
  listing: PaneListing,
  wanted: AnswerRequest,
  progress: AnswerProgress,
): Promise<Result<Ready>> {
  const patienceMs = progress.phase === 'pressed' ? ANSWER_PATIENCE_MS : MOVE_PATIENCE_MS;
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const now = await look(tmux, listing);
    if (!now.ok) return now;
    const step = nextAnswerStep(wanted, progress, now.value);
    if (step.kind !== 'wait' && step.kind !== 'refused') return ok(step);
    if (step.kind === 'refused' || Date.now() > deadline) return failed(step.failure);
    await sleep(LOOK_GAP_MS);
  }
}

const failed = (error: Failure): Result<never> => ({ ok: false, error });

async function look(tmux: TmuxPort, { facts, cli }: PaneListing): Promise<Result<Choice | null>> {
  const view = await viewPane(tmux, facts.identity.paneId);
  if (!view.ok) return view;
  if (!isSamePane(view.value.facts, facts.identity))
    return fail('refused', 'another program runs in the AI pane now; nothing was answered');
  // A program that ended after the answer leaves its question on the screen.
  return ok(view.value.facts.dead ? null : screenRulesFor(cli).read(view.value.screen).choice);
}
