/**
 * Builds turns from the events that a dialect reads out of its records: prompts, runs of text, tool calls, ends.
 * Pure. Knows no file format; what stands before the first prompt is kept only where the session begins there.
 */
import { stripMarkers } from '../../lib/markers.ts';
import type { AskedCall } from '../../protocol/dialog.ts';
import type { AiState } from '../../protocol/pane.ts';
import type { Turn } from '../../protocol/turn.ts';
import { joinParts } from '../core/turn.ts';
import type { ToolFact, TurnFacts } from './tool-facts.ts';

/** Newest turns that a snapshot holds; older ones stay in the file. */
export const MAX_TURNS = 500;

/** A prompt as the transcript tells it. */
export interface PromptEvent {
  readonly id: string;
  readonly text: string;
  /** ms since the epoch; null when the record has no clock. */
  readonly at: number | null;
}

/** How an AI CLI's tools changed the file that it keeps its plan in. */
export type PlanChange =
  | { readonly kind: 'whole'; readonly text: string }
  | { readonly kind: 'part'; readonly before: string; readonly after: string };

/** Approved, or refused without a word: the AI's next words tell which. */
const PLAN_ANSWERED = '(plan answered)';

interface OpenTurn {
  readonly kind: Turn['kind'];
  readonly prompt: PromptEvent;
  readonly parts: string[];
  /** The run of text since the last tool call; blocks of it are joined by a blank line. */
  run: string[];
  interrupted: boolean;
  warning: string | null;
  readonly facts: ToolFact[];
}

/** Turns so far, and what the newest record says about the AI. */
export interface BuiltTurns {
  readonly turns: readonly Turn[];
  readonly state: AiState;
  readonly facts: TurnFacts;
  /** Calls without a result, oldest first: what a dialog may be about. */
  readonly asked: readonly AskedCall[];
}

export class TurnBuilder {
  readonly #fromStart: boolean;
  readonly #turns: OpenTurn[] = [];
  /** A command such as `/review`: a prompt only if the AI answers it. */
  #maybe: PromptEvent | null = null;
  #state: AiState = 'idle';
  #asked: AskedCall[] = [];
  /** The plan that was written and not asked about. */
  #draft: PromptEvent | null = null;
  /** More of the newest turn is to come. A pending tool call says so, though not what the AI is doing. */
  #isOpen = false;

  /** `fromStart`: the events begin where the session begins. */
  constructor(fromStart: boolean) {
    this.#fromStart = fromStart;
  }

  /** The human said something; the AI works on it from here on. */
  prompt(event: PromptEvent): void {
    this.#maybe = null;
    this.#open(event);
    this.#asked = [];
    this.#set('working', true);
  }

  /** The AI asks to approve a plan: a response of its own. What it says next answers what the human says to it. */
  plan({ id, text, at }: PromptEvent): void {
    this.#draft = null;
    this.endPart();
    this.#open({ id, text: '', at }, 'plan');
    this.text(text, 'waiting');
    this.#asked.push({ kind: 'plan', text });
    this.#set('waiting', true);
  }

  /** The AI keeps a plan in a file and wrote there; it has not asked about it yet. */
  planWritten(id: string, change: PlanChange, at: number | null): void {
    const text = this.#draft?.text ?? '';
    const whole = change.kind === 'whole' ? change.text : text.replace(change.before, () => change.after);
    this.#draft = { id, text: whole, at };
  }

  /** The AI asks to approve the plan that it wrote, if there is one. */
  planShown(state: AiState = 'waiting'): void {
    if (this.#draft === null || this.#draft.text === '') return;
    this.plan(this.#draft);
    this.#set(state, state === 'waiting');
  }

  /** What the human said to a plan begins the next turn: the words of a refusal, or that it is agreed to. */
  planAnswered({ id, text, at }: PromptEvent): void {
    this.prompt({ id, text: text === '' ? PLAN_ANSWERED : text, at });
  }

  /** The human ran a command of the CLI, which is a prompt if text follows and nothing otherwise. */
  command(event: PromptEvent): void {
    this.#maybe = event;
  }

  /** The command was one that the CLI answers itself. */
  commandDone(): void {
    this.#maybe = null;
  }

  /** One block of the AI's text. `state` = what a session that ends here is doing. */
  text(text: string, state: AiState): void {
    if (text !== '') this.#current()?.run.push(text);
    this.#set(state, state === 'working');
  }

  /** A tool call: the run of text ends. It runs or waits for a permission, which no record tells apart. */
  tool(state: AiState = 'unknown', asked: AskedCall | null = null): void {
    const turn = this.#current();
    if (turn !== null) endRun(turn);
    if (asked !== null) this.#asked.push(asked);
    this.#set(state, true);
  }

  /** What a record tells of tools, for the turn that it belongs to. */
  facts(facts: readonly ToolFact[]): void {
    if (facts.length > 0) this.#current()?.facts.push(...facts);
  }

  /** The next text is a part of its own: this CLI draws each message apart. */
  endPart(): void {
    const turn = this.#turns.at(-1);
    if (turn !== undefined) endRun(turn);
  }

  /** A tool's result came: the AI goes on. */
  toolResult(): void {
    this.#asked = [];
    this.#set('working', true);
  }

  /** The user stopped the AI. */
  interrupt(): void {
    const turn = this.#turns.at(-1);
    if (turn !== undefined) turn.interrupted = true;
    this.end();
  }

  /** The AI's turn is over; a plan at its end may still be asked about. */
  end(): void {
    const last = this.#turns.at(-1);
    if (last?.kind !== 'plan' || last.interrupted) this.#asked = [];
    this.#set('idle', false);
  }

  /** Something that the reader of this turn must know. */
  warn(warning: string): void {
    const turn = this.#current();
    if (turn !== null) turn.warning = warning;
  }

  /** Drops the newest `count` turns. False when there are not so many. */
  drop(count: number): boolean {
    const enough = count <= this.#turns.length;
    this.#turns.length = Math.max(0, this.#turns.length - count);
    this.#maybe = null;
    this.#set('idle', false);
    return enough;
  }

  /** The newest MAX_TURNS turns, oldest first. */
  finish(): BuiltTurns {
    const kept = this.#turns.slice(-MAX_TURNS);
    const last = kept.length - 1;
    const turns = kept.map((turn, index) => toTurn(turn, index === last && this.#isOpen));
    const told = kept.filter((turn) => turn.facts.length > 0);
    const facts = new Map(told.map((turn) => [turn.prompt.id, turn.facts]));
    return { turns, state: this.#state, facts, asked: this.#asked };
  }

  #set(state: AiState, isOpen: boolean): void {
    this.#state = state;
    this.#isOpen = isOpen;
  }

  #open(event: PromptEvent, kind: Turn['kind'] = 'answer'): void {
    const empty = { parts: [], run: [], interrupted: false, warning: null, facts: [] };
    this.#turns.push({ kind, prompt: event, ...empty });
  }

  /** The turn that the AI's words belong to; null before the first prompt of a reading that began midway. */
  #current(): OpenTurn | null {
    if (this.#maybe !== null) {
      this.#open(this.#maybe);
      this.#maybe = null;
    } else if (this.#turns.length === 0 && this.#fromStart) {
      this.#open({ id: 'start', text: '', at: null });
    }
    return this.#turns.at(-1) ?? null;
  }
}

function endRun(turn: OpenTurn): void {
  if (turn.run.length > 0) turn.parts.push(joinParts(turn.run));
  turn.run = [];
}

function toTurn(turn: OpenTurn, isOpen: boolean): Turn {
  endRun(turn);
  return {
    id: turn.prompt.id,
    kind: turn.kind,
    prompt: stripMarkers(turn.prompt.text)?.text ?? turn.prompt.text,
    parts: turn.parts,
    response: joinParts(turn.parts),
    startedAt: turn.prompt.at,
    source: 'transcript',
    progress: turn.interrupted ? 'interrupted' : isOpen ? 'streaming' : 'complete',
    reflowed: false,
    warning: turn.warning,
  };
}
