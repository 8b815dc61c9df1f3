/** One watched AI pane: its last screen, and its state from that screen and the session file. */
import { isDeepStrictEqual } from 'node:util';
import { type Failure, fail } from '../../lib/result.ts';
import type { Timers } from '../../lib/scheduler.ts';
import type { AskedCall } from '../../protocol/dialog.ts';
import type { AiPane, AiState } from '../../protocol/pane.ts';
import type { ScreenReading } from '../../protocol/screen.ts';
import { hookWitness, judgeState, stateOfTitle, type TimedState } from '../../responses/core/ai-state.ts';
import type { HookState } from '../../responses/hooks/spool.ts';
import type { Screen } from '../../responses/screens/port.ts';
import { screenRulesFor } from '../../responses/screens/registry.ts';
import { IDLE_SETTLE_MS, isAlike, settleState } from '../../responses/screens/settle.ts';
import type { PaneView } from '../../tmux/capture.ts';
import { formatPaneLabel } from '../../tmux/core/formats.ts';
import { isSuspended, type PaneListing } from '../../tmux/panes.ts';

export interface FollowedPaneOptions {
  readonly listing: PaneListing;
  readonly timers: Timers;
  readonly onChange: () => void;
}

/** The first of a run of equal screens, and its time. */
interface Run {
  readonly reading: ScreenReading;
  readonly since: number;
}

/** A question counts as closed after it was away for this long: opencode clears its question while it draws it anew. */
const CLOSED_AFTER_MS = 300;

const UNHEARD: TimedState = { state: 'unknown', at: 0 };

export class FollowedPane {
  listing: PaneListing;
  readonly #options: FollowedPaneOptions;
  #view: PaneView | null = null;
  #run: Run | null = null;
  #screenState: AiState = 'unknown';
  /** Since when the question of the last run is not on the screen; null while it is. */
  #awaySince: number | null = null;
  #transcript: TimedState = UNHEARD;
  #title: TimedState = UNHEARD;
  #hook: HookState | null = null;
  #branch: string | null = null;
  #ended: Failure | null = null;
  #shown: { readonly pane: AiPane; readonly since: number };
  #timer: unknown = null;

  constructor(options: FollowedPaneOptions) {
    this.listing = options.listing;
    this.#options = options;
    this.#shown = { pane: this.#describe(), since: options.timers.now() };
  }

  /** The listed pane; the same object until it changes. */
  get pane(): AiPane {
    return this.#shown.pane;
  }

  /** When its state last changed, ms since the epoch. */
  get since(): number {
    return this.#shown.since;
  }

  /** The message if its program or its pane is gone. */
  get ended(): Failure | null {
    return this.#ended;
  }

  /** Why no prompt can be sent: its program has ended or is suspended. Null while it runs. */
  get trouble(): Failure | null {
    if (this.#ended !== null || !isSuspended(this.listing)) return this.#ended;
    const message = `${this.listing.cli} is suspended; fg in its pane brings it back`;
    return fail('refused', message, 'Or choose another AI pane with t.').error;
  }

  get screen(): Screen | null {
    return this.#view?.screen ?? null;
  }

  /** Since when the screen is unchanged, ms since the epoch; null before the first screen. */
  get readingSince(): number | null {
    return this.#run?.since ?? null;
  }

  get reading(): ScreenReading | null {
    return this.trouble !== null ? null : (this.#run?.reading ?? null);
  }

  /** The calls that it asks permission for, according to its hook. */
  get asked(): readonly AskedCall[] {
    return this.#hook?.asked ?? [];
  }

  /** Whether its hook has reported anything. */
  get hasHook(): boolean {
    return this.#hook !== null;
  }

  /** A new capture of the screen. */
  see(view: PaneView): void {
    this.#view = view;
    this.#title = { state: this.#titleState(), at: this.#options.timers.now() };
    this.#judgeScreen(screenRulesFor(this.listing.cli).read(view.screen));
    this.#publish();
  }

  /** The state from its session file, and when that file was written. */
  hear(state: AiState, at: number): void {
    this.#transcript = { state, at };
    this.#publish();
  }

  /** The last report of the CLI's own hook. */
  tell(hook: HookState | null): void {
    this.#hook = hook;
    this.#publish();
  }

  /** Its program has ended; the known facts stay. */
  end(why: Failure): void {
    this.#ended = why;
    this.#options.timers.clear(this.#timer);
    this.#publish();
  }

  /** Its program or its position has changed. */
  relist(listing: PaneListing): void {
    this.listing = listing;
    this.#ended = null;
    this.#publish();
  }

  isOn(branch: string | null): void {
    this.#branch = branch;
    this.#publish();
  }

  stop(): void {
    this.#options.timers.clear(this.#timer);
  }

  #judgeScreen(reading: ScreenReading): void {
    const { timers } = this.#options;
    const now = timers.now();
    const before = this.#run;
    timers.clear(this.#timer);
    const isAway = reading.dialog === null && (before?.reading.dialog ?? null) !== null;
    this.#awaySince = isAway ? (this.#awaySince ?? now) : null;
    const closesIn = this.#awaySince === null ? 0 : this.#awaySince + CLOSED_AFTER_MS - now;
    if (closesIn > 0) {
      this.#judgeAgain(reading, closesIn);
      return;
    }
    this.#screenState = settleState(
      before?.reading ?? null,
      reading,
      before === null ? 0 : now - before.since,
    );
    const isSame = before !== null && isAlike(before.reading, reading);
    this.#run = { reading, since: isSame ? before.since : now };
    // Silence counts as a second equal screen: a pane that prints nothing has not changed.
    if (reading.state === 'idle' && this.#screenState !== 'idle') this.#judgeAgain(reading, IDLE_SETTLE_MS);
  }

  #judgeAgain(reading: ScreenReading, inMs: number): void {
    this.#timer = this.#options.timers.set(() => {
      this.#judgeScreen(reading);
      this.#publish();
    }, inMs);
  }

  #titleState(): AiState {
    const { facts, cli } = this.listing;
    return cli === 'generic' ? 'unknown' : stateOfTitle(this.#view?.facts.title ?? facts.title);
  }

  #describe(): AiPane {
    const { facts, cli, cliPid } = this.listing;
    const title = this.#view?.facts.title ?? facts.title;
    const judged = judgeState({
      hook: hookWitness(this.#hook, [this.#transcript, this.#title]),
      transcript: this.#transcript.state,
      title: this.#titleState(),
      screen: this.#screenState,
      dialog: (this.#run?.reading.dialog ?? null) !== null,
    });
    const halt = isSuspended(this.listing) ? 'suspended' : null;
    const halted: AiState | null = this.#ended !== null ? 'gone' : halt;
    const { state, trust } = halted === null ? judged : { state: halted, trust: null };
    return {
      identity: facts.identity,
      label: formatPaneLabel(facts),
      title,
      cwd: facts.cwd,
      branch: this.#branch,
      cli,
      cliPid,
      state,
      trust,
    };
  }

  #publish(): void {
    const pane = this.#describe();
    const before = this.#shown.pane;
    const since = pane.state === before.state ? this.#shown.since : this.#options.timers.now();
    if (!isDeepStrictEqual(pane, before)) this.#shown = { pane, since };
    this.#options.onChange();
  }
}
