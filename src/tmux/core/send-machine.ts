/**
 * Types a prompt into an AI CLI, as a state machine without I/O: events in, effects out. Two rules hold on every path:
 * a paste happens at most once, ever; Enter is repeated only while the composer provably holds the text. The record on
 * disk is written before the act (`pasted` before the paste): what may have happened counts as done, so that the text
 * is never typed twice after a crash.
 */
import { assertNever, type Failure, fail } from '../../lib/result.ts';
import { isSamePane } from './formats.ts';
import {
  type Baseline,
  baselineOf,
  type Look,
  NO_BASELINE,
  rowsBelow,
  type Standing,
  standingOf,
} from './send-evidence.ts';
import { checkBeforePaste } from './send-guards.ts';
import type {
  ProofKind,
  SendEffect,
  SendEvent,
  SendOutcome,
  SendRequest,
  SendState,
  SendStep,
} from './send-model.ts';

/** The first step: the record, then a look. */
export function startSend(): SendStep {
  return {
    state: { phase: 'inspecting', sinceMs: null },
    effects: [{ kind: 'record' }, { kind: 'look', afterMs: 0, thorough: true, since: null }],
  };
}

/** Presses Enter on a text that is already in the composer: the user requested it after `staged`. */
export function startSubmit(nowMs: number): SendStep {
  return {
    state: {
      phase: 'settling',
      sinceMs: nowMs,
      baseline: NO_BASELINE,
      busy: false,
      typed: false,
    },
    effects: [{ kind: 'look', afterMs: 0, thorough: true, since: null }],
  };
}

/** The next step after an event. */
export function stepSend(request: SendRequest, state: SendState, event: SendEvent): SendStep {
  if (event.kind === 'aborted') return onAbort(state);
  if (event.kind === 'failed') return onFailure(request, state, event);
  switch (state.phase) {
    case 'inspecting':
      return inspect(request, state, event);
    case 'settling':
      return settle(request, state, event);
    case 'confirming':
      return confirm(request, state, event);
    case 'done':
      return { state, effects: [] };
    default:
      return assertNever(state);
  }
}

type Looked = Extract<SendEvent, { kind: 'looked' }>;
type Failed = Extract<SendEvent, { kind: 'failed' }>;
type Settling = Extract<SendState, { phase: 'settling' }>;
type Confirming = Extract<SendState, { phase: 'confirming' }>;

function finish(
  state: SendOutcome['state'],
  failure: Failure | null,
  proof: ProofKind | null = null,
): SendStep {
  const outcome: SendOutcome = { state, proof, failure };
  return {
    state: { phase: 'done' },
    effects: [
      { kind: 'save', state, outcome },
      { kind: 'finish', outcome },
    ],
  };
}

function staged(message: string, hint = 'Look at the AI pane and press Enter there'): SendStep {
  return finish('staged', fail('staged', message, hint).error);
}

function unconfirmed(message: string, hint = 'Look at the AI pane before you send it again'): SendStep {
  return finish('unconfirmed', fail('unconfirmed', message, hint).error);
}

function inspect(
  request: SendRequest,
  state: Extract<SendState, { phase: 'inspecting' }>,
  event: Looked,
): SendStep {
  const { limits } = request;
  const verdict = checkBeforePaste(request, event.look);
  const sinceMs = state.sinceMs ?? event.nowMs;
  const patienceMs =
    verdict.kind !== 'wait' ? 0 : verdict.for === 'start' ? limits.composerWaitMs : limits.redrawMs;
  if (verdict.kind === 'wait' && event.nowMs - sinceMs < patienceMs) {
    const look = { kind: 'look', afterMs: limits.lookEveryMs, thorough: true, since: null } as const;
    return { state: { phase: 'inspecting', sinceMs }, effects: [look] };
  }
  if (verdict.kind !== 'go') return finish('refused', verdict.failure);
  const baseline = baselineOf(request, event.look);
  const busy = event.look.reading.state === 'working';
  return {
    state: { phase: 'settling', sinceMs: event.nowMs, baseline, busy, typed: true },
    effects: [
      { kind: 'save', state: 'pasted', outcome: null },
      { kind: request.how },
      { kind: 'look', afterMs: limits.settleMinMs, thorough: true, since: baseline.historySize },
    ],
  };
}

/** The failure if the pane, or its program, is not the one we typed into; null if it is. */
function lost(request: SendRequest, look: Look): SendStep | null {
  if (look.pane === null || look.pane.dead || !isSamePane(look.pane, request.pane)) {
    return unconfirmed('the AI CLI ended while the text was being sent');
  }
  if (look.foreground?.kind === 'shell') {
    return unconfirmed('the AI CLI ended while the text was being sent: a shell is in the foreground now');
  }
  return null;
}

function settle(request: SendRequest, before: Settling, event: Looked): SendStep {
  const { limits } = request;
  const historySize = event.look.pane?.historySize ?? 0;
  const state = before.typed ? before : { ...before, baseline: { ...NO_BASELINE, historySize } };
  const gone = lost(request, event.look);
  if (gone !== null) return gone;
  if (event.look.reading.dialog !== null) {
    if (event.nowMs - state.sinceMs < limits.settleMaxMs)
      return { state, effects: [look(request, state.baseline)] };
    return staged('a dialog of the AI CLI opened after the text was typed: Enter would answer it');
  }
  const standing = standingOf(request, event.look, state.baseline);
  const settled = standing === 'held' || event.nowMs - state.sinceMs >= limits.settleMaxMs;
  if (!state.typed && standing !== 'held') {
    const hint = 'Send it again if the AI did not get it';
    return finish('refused', fail('refused', 'the composer no longer holds that text', hint).error);
  }
  if (!settled) {
    return { state, effects: [look(request, state.baseline)] };
  }
  if (standing === 'fused') {
    return staged('the composer holds other text as well: Enter would send both');
  }
  if (!request.submit) return finish('staged', null);
  if (event.look.reading.composer.kind === 'absent' && request.cli !== 'generic') {
    return unconfirmed(`${request.cli} no longer shows its input box: Enter was not pressed`);
  }
  return pressEnter(request, event, {
    phase: 'confirming',
    firstEnterMs: event.nowMs,
    lastEnterMs: event.nowMs,
    enters: 0,
    baseline: state.baseline,
    busy: state.busy,
    held: standing === 'held',
    steering: steersQueued(request) ? 'wanted' : 'none',
    below: rowsBelow(request, event.look, state.baseline),
  });
}

function look(request: SendRequest, baseline: Baseline): SendEffect {
  return {
    kind: 'look',
    afterMs: request.limits.lookEveryMs,
    thorough: false,
    since: baseline.historySize,
  };
}

function steersQueued({ cli, how, whenBusy }: SendRequest): boolean {
  return how === 'paste' && whenBusy === 'steer' && busyKeys(cli).steersQueued === true;
}

function submitKey({ cli, how, whenBusy }: SendRequest, { reading }: Look): string {
  const isHeld = how === 'paste' && whenBusy === 'queue' && reading.state === 'working';
  return isHeld ? busyKeys(cli).queue : 'Enter';
}

function pressEnter(request: SendRequest, event: Looked, state: Confirming): SendStep {
  const effects: SendEffect[] = [
    { kind: 'enter', keys: [submitKey(request, event.look)] },
    look(request, state.baseline),
  ];
  if (state.enters === 0) effects.unshift({ kind: 'save', state: 'submitted', outcome: null });
  return { state: { ...state, enters: state.enters + 1, lastEnterMs: event.nowMs }, effects };
}

function confirm(request: SendRequest, state: Confirming, event: Looked): SendStep {
  // A transcript outlives its CLI; a screen does not.
  const { proof } = event;
  if (proof?.kind === 'delivered' || (proof !== null && staysQueued(request, state, event, 0)))
    return finish(proof.kind, null, proof.by);
  const ended = lost(request, event.look) ?? steer(request, state, event) ?? evidence(request, state, event);
  if (ended !== null) return ended;
  const { limits } = request;
  const standing = standingOf(request, event.look, state.baseline);
  const next = { ...state, held: state.held || standing === 'held' };
  if (event.nowMs - state.firstEnterMs >= limits.confirmMs) return giveUp(request, next, event, standing);
  const mayRepeat =
    standing === 'held' && event.look.reading.dialog === null && state.enters < limits.maxEnters;
  if (mayRepeat && event.nowMs - state.lastEnterMs >= limits.enterRepeatMs) {
    return pressEnter(request, event, next);
  }
  return { state: next, effects: [look(request, state.baseline)] };
}

/** Sends the waiting text at once, if the program has keys for that. */
function steer(request: SendRequest, state: Confirming, { look: seen, nowMs }: Looked): SendStep | null {
  const { steer: keys } = busyKeys(request.cli);
  const isHeld = standingOf(request, seen, state.baseline) === 'held';
  const isOffered = seen.reading.offersSteering === true && !isHeld;
  if (state.steering !== 'wanted' || !isOffered || keys === null) return null;
  return {
    state: { ...state, steering: 'done', firstEnterMs: nowMs, lastEnterMs: nowMs },
    effects: [{ kind: 'enter', keys }, look(request, state.baseline)],
  };
}

/** The waiting text is not about to be sent. */
function staysQueued(request: SendRequest, state: Confirming, { nowMs }: Looked, graceMs: number): boolean {
  const patienceMs = state.steering === 'none' ? graceMs : request.limits.confirmMs;
  return nowMs - state.firstEnterMs >= patienceMs;
}

/** The step that ends the wait, if the screen proves something. */
function evidence(request: SendRequest, state: Confirming, event: Looked): SendStep | null {
  const standing = standingOf(request, event.look, state.baseline);
  const { composer, queued } = event.look.reading;
  // A program that holds the prompt during startup keeps showing it where its input box will be.
  if (standing === 'fused' || (standing === 'held' && composer.kind !== 'absent')) return null;
  if (queued) {
    return staysQueued(request, state, event, request.limits.queuedGraceMs)
      ? finish('queued', null, 'screen')
      : null;
  }
  const seenAbove = standing === 'above' && (state.held || belowChanged(request, state, event.look));
  if (seenAbove && request.marked) return finish('delivered', null, 'marker');
  if (request.provable) return null;
  // The only trace of a typed command is the empty composer; an unmarked text may be cleared from the screen.
  const taken = state.held && standing === 'absent' && !request.marked;
  return seenAbove || taken ? finish('delivered', null, 'screen') : null;
}

/** For programs that hide their cursor or do not echo: the text was accepted if the rows below it have changed. */
function belowChanged(request: SendRequest, state: Confirming, now: Look): boolean {
  const below = rowsBelow(request, now, state.baseline);
  return below !== (state.below ?? '');
}

function giveUp(request: SendRequest, state: Confirming, event: Looked, standing: Standing): SendStep {
  if (standing === 'held') return staged('the text is in the composer, but Enter did not submit it');
  if (standing === 'fused') return staged('the text is in the composer together with other words');
  if (state.held && standing === 'absent' && request.cli !== 'generic') {
    // It was busy with something else and queued our text; or it is now working on our text.
    if (state.busy) return finish('queued', null, 'screen');
    if (event.look.reading.state === 'working') return finish('delivered', null, 'screen');
  }
  return unconfirmed('the text was typed and Enter pressed, but its arrival is not confirmed');
}

function onAbort(state: SendState): SendStep {
  switch (state.phase) {
    case 'inspecting':
      return finish('abandoned', fail('refused', 'stopped before anything was typed').error);
    case 'settling':
      return staged('stopped after the text was typed; Enter was not pressed');
    case 'confirming':
      return unconfirmed('stopped while waiting for confirmation');
    case 'done':
      return { state, effects: [] };
    default:
      return assertNever(state);
  }
}

function onFailure(request: SendRequest, state: SendState, event: Failed): SendStep {
  const { effect, failure } = event;
  switch (effect) {
    case 'record':
      return { state: { phase: 'done' }, effects: [{ kind: 'finish', outcome: refusedBy(failure) }] };
    case 'save':
      // Before the paste the record must be on disk; after it, an older record is on the safe side.
      return state.phase === 'settling' ? finish('refused', failure) : { state, effects: [] };
    case 'paste':
    case 'type':
      return event.certain ? finish('refused', failure) : { state, effects: [] };
    case 'enter':
      if (!event.certain) return { state, effects: [] };
      return failure.code === 'not_found'
        ? unconfirmed(`the text was typed, then its pane was gone: ${failure.message}`)
        : staged(`the text was typed, but Enter failed: ${failure.message}`, failure.hint);
    case 'look':
      return onBlind(request, state, event);
    case 'finish':
      return { state, effects: [] };
    default:
      return assertNever(effect);
  }
}

const refusedBy = (failure: Failure): SendOutcome => ({ state: 'refused', proof: null, failure });

/** tmux no longer answers. */
function onBlind(request: SendRequest, state: SendState, event: Failed): SendStep {
  const { failure } = event;
  if (state.phase === 'inspecting') return finish('refused', failure);
  const sinceMs =
    state.phase === 'settling' ? state.sinceMs : state.phase === 'confirming' ? state.firstEnterMs : 0;
  if (state.phase !== 'done' && event.nowMs - sinceMs < request.limits.confirmMs) {
    return { state, effects: [look(request, state.baseline)] };
  }
  return unconfirmed(`the text was typed, then tmux no longer answered: ${failure.message}`);
}

interface BusyKeys {
  /** Lets the current work end first; `Enter` if there is no such key. */
  readonly queue: 'Enter' | 'Tab' | 'M-Enter';
  /** Keys that send it at once; null if the program has none. */
  readonly steer: readonly string[] | null;
  /** The steering keys act on a prompt that is already waiting: Enter comes first. */
  readonly steersQueued?: boolean;
}

const ENTER: BusyKeys = { queue: 'Enter', steer: null };

const KEYS: Readonly<Record<string, BusyKeys>> = {
  // Enter discards the answer written so far.
  codex: { queue: 'Tab', steer: ['Enter'] },
  // Enter adds the prompt with the next tool result.
  pi: { queue: 'M-Enter', steer: ['Enter'] },
  // Enter waits for the next tool result; the two keys end the answer at once. Older versions lack them.
  claude: { queue: 'Enter', steer: ['C-x', 'C-s'], steersQueued: true },
};

/** The keys for a prompt while this AI CLI works. */
const busyKeys = (cli: string): BusyKeys => KEYS[cli] ?? ENTER;
