/** Builds turns from a dialect's events: prompts, runs of text, tool calls, ends. Pure. Knows no file format. */
import { append } from '../../lib/append.ts';
import { stripMarkers } from '../../lib/markers.ts';
import type { AskedCall } from '../../protocol/dialog.ts';
import type { AiState } from '../../protocol/pane.ts';
import type { Turn } from '../../protocol/turn.ts';
import { joinParts } from '../core/turn.ts';
import type { TranscriptSnapshot } from './port.ts';
import type { ToolFact } from './tool-facts.ts';

/** The most turns in a snapshot; older ones stay in the file. */
export const MAX_TURNS = 500;

/** A prompt in the transcript. */
export interface PromptEvent {
  readonly id: string;
  readonly text: string;
  /** ms since the epoch; null if the record has no time. */
  readonly at: number | null;
}

/** How an AI CLI's tools changed its plan file. */
export type PlanChange =
  | { readonly kind: 'whole'; readonly text: string }
  | { readonly kind: 'part'; readonly before: string; readonly after: string };

/** Approved, or refused without words: the AI's next words tell which. */
const PLAN_ANSWERED = '(plan answered)';

interface OpenTurn {
  readonly kind: Turn['kind'];
  readonly prompt: PromptEvent;
  readonly parts: string[];
  /** The text since the last tool call; its blocks are joined by a blank line. */
  run: string[];
  interrupted: boolean;
  warning: string | null;
  readonly facts: ToolFact[];
}

/** Turns so far, and the AI's state by the newest record. */
export type BuiltTurns = Pick<TranscriptSnapshot, 'turns' | 'state' | 'facts' | 'asked'>;

export class TurnBuilder {
  readonly #fromStart: boolean;
  readonly #turns: OpenTurn[] = [];
  /** A command such as `/review`: a prompt only if the AI answers it. */
  #maybe: PromptEvent | null = null;
  #state: AiState = 'idle';
  #asked: AskedCall[] = [];
  /** The written plan that the AI has not asked about. */
  #draft: PromptEvent | null = null;
  /** The newest turn continues, as a pending tool call shows. */
  #isOpen = false;

  /** `fromStart`: the events begin with the session. */
  constructor(fromStart: boolean) {
    this.#fromStart = fromStart;
  }

  /** The user sent a prompt; the AI starts working. */
  prompt(event: PromptEvent): void {
    this.#maybe = null;
    this.#open(event);
    this.#asked = [];
    this.#set('working', true);
  }

  /** The AI asks to approve a plan, which is a response. Its next words answer the user's reply. */
  plan({ id, text, at }: PromptEvent): void {
    this.#draft = null;
    this.endPart();
    this.#open({ id, text: '', at }, 'plan');
    this.text(text, 'waiting');
    this.#asked.push({ kind: 'plan', text });
    this.#set('waiting', true);
  }

  /** The AI wrote its plan file, and has not asked about it yet. */
  planWritten(id: string, change: PlanChange, at: number | null): void {
    const text = this.#draft?.text ?? '';
    const composed = change.kind === 'whole' ? change.text : text.replace(change.before, () => change.after);
    this.#draft = { id, text: composed, at };
  }

  /** The AI asks to approve the plan that it wrote, if there is one. */
  planShown(state: AiState = 'waiting'): void {
    if (this.#draft === null || this.#draft.text === '') return;
    this.plan(this.#draft);
    this.#set(state, state === 'waiting');
  }

  /** The user's answer to a plan begins the next turn: the words of a refusal, or the approval. */
  planAnswered({ id, text, at }: PromptEvent): void {
    this.prompt({ id, text: text === '' ? PLAN_ANSWERED : text, at });
  }

  /** The user ran a command of the CLI, which is a prompt if text follows, and nothing otherwise. */
  command(event: PromptEvent): void {
    this.#maybe = event;
  }

  /** The CLI itself answered the command. */
  commandDone(): void {
    this.#maybe = null;
  }

  /** One block of the AI's text. `state`: what a session that ends here is doing. */
  text(text: string, state: AiState): void {
    if (text !== '') this.#current()?.run.push(text);
    this.#set(state, state === 'working');
  }

  /** A tool call ends the run of text. It is running or waits for permission; no record tells which. */
  tool(state: AiState = 'unknown', asked: AskedCall | null = null): void {
    const turn = this.#current();
    if (turn !== null) endRun(turn);
    if (asked !== null) this.#asked.push(asked);
    this.#set(state, true);
  }

  /** A record's facts about tools, for the current turn. */
  facts(facts: readonly ToolFact[]): void {
    if (facts.length > 0) append(this.#current()?.facts ?? [], facts);
  }

  /** The next text is a separate part, for a CLI that draws messages separately. */
  endPart(): void {
    const turn = this.#turns.at(-1);
    if (turn !== undefined) endRun(turn);
  }

  /** A tool's result arrived: the AI continues. */
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

  /** The AI's turn is over; the AI may still ask about a plan at its end. */
  end(): void {
    const last = this.#turns.at(-1);
    if (last?.kind !== 'plan' || last.interrupted) this.#asked = [];
    this.#set('idle', false);
  }

  /** A warning about the turn for the user. */
  warn(warning: string): void {
    const turn = this.#current();
    if (turn !== null) turn.warning = warning;
  }

  /** Drops the newest `count` turns. False if there are fewer. */
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
    const withFacts = kept.filter((turn) => turn.facts.length > 0);
    const facts = new Map(withFacts.map((turn) => [turn.prompt.id, turn.facts]));
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

  /** The turn to which the AI's text belongs; null before the first prompt of a partial read. */
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
