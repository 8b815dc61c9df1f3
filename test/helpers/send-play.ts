/** Plays the send machine against looks at a pane, without tmux. */
import type { Composer, ScreenReading } from '../../src/protocol/screen.ts';
import { type PaneFacts, parsePane } from '../../src/tmux/core/formats.ts';
import type { Look } from '../../src/tmux/core/send-evidence.ts';
import { startSend, stepSend } from '../../src/tmux/core/send-machine.ts';
import {
  DEFAULT_SEND_LIMITS,
  type SendEffect,
  type SendEvent,
  type SendRequest,
  type SendStep,
} from '../../src/tmux/core/send-model.ts';

const template = parsePane(
  ['7', '%3', '900', '$0', '@0', '0', '0', ...Array.from({ length: 24 }, () => '')].join('|~|'),
);
if (template === null) throw new Error('bad template');
/** A pane in which Claude Code runs. */
export const PANE: PaneFacts = { ...template, width: 80, height: 24 };

export const REQUEST: SendRequest = {
  pane: PANE.identity,
  cli: 'claude',
  text: 'fix the parser\nplease',
  marked: false,
  how: 'paste',
  submit: true,
  whenBusy: 'queue',
  provable: false,
  limits: DEFAULT_SEND_LIMITS,
};

export const EMPTY: Composer = { kind: 'empty' };
export const HELD: Composer = { kind: 'draft', text: 'fix the parser\nplease' };

/** A look at that pane: an empty composer, idle, unless told otherwise. */
export function look(reading: Partial<ScreenReading> = {}, more: Partial<Look> = {}): Look {
  return {
    pane: PANE,
    foreground: { kind: 'cli', cli: 'claude', pid: 900 },
    lineMaxBytes: null,
    rows: [],
    cursorRow: 0,
    ...more,
    reading: {
      composer: EMPTY,
      state: 'idle',
      dialog: null,
      choice: null,
      vimNormal: false,
      queued: false,
      ...reading,
    },
  };
}

type Seen = Look | { readonly proof: 'transcript' | 'queued'; readonly look: Look };

/** Plays looks, 100 ms apart unless the machine asks for more, and returns what it did. */
export function play(
  looks: readonly Seen[],
  request: SendRequest = REQUEST,
  first: SendStep = startSend(),
): readonly string[] {
  const done: string[] = [];
  let step = first;
  let nowMs = 0;
  let at = 0;
  for (let turn = 0; turn < 1000; turn++) {
    const last = step.effects.at(-1);
    for (const effect of step.effects) if (effect.kind !== 'look') done.push(name(effect));
    if (last?.kind !== 'look') return done;
    nowMs += Math.max(1, last.afterMs);
    const seen = looks[Math.min(at, looks.length - 1)];
    at += 1;
    if (seen === undefined) throw new Error('no look');
    step = stepSend(request, step.state, eventOf(seen, nowMs));
  }
  throw new Error('the machine does not end');
}

export function eventOf(seen: Seen, nowMs: number): SendEvent {
  if (!('proof' in seen)) return { kind: 'looked', look: seen, proof: null, nowMs };
  const kind = seen.proof === 'queued' ? 'queued' : 'delivered';
  return { kind: 'looked', look: seen.look, proof: { kind, by: 'transcript' }, nowMs };
}

function name(effect: SendEffect): string {
  if (effect.kind === 'save') return `save ${effect.state}`;
  if (effect.kind === 'enter' && effect.keys[0] !== 'Enter') return `enter ${effect.keys.join(' ')}`;
  if (effect.kind !== 'finish') return effect.kind;
  const { state, proof, failure } = effect.outcome;
  return [state, proof, failure === null ? null : `${failure.code}: ${failure.message}`]
    .filter((part) => part !== null)
    .join(' | ');
}

/** The effects of a send that needs no second try. */
export const SENT = ['record', 'save pasted', 'paste', 'save submitted', 'enter'];
