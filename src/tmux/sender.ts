/** Runs the send machine against a real pane. `core/` decides what is typed and what counts as proof. */

import { wrapInMarkers } from '../lib/markers.ts';
import { assertNever, type Failure, fail, ok, type Result } from '../lib/result.ts';
import type { CliId } from '../protocol/cli-id.ts';
import type { CommandInput } from '../protocol/command.ts';
import type { DeliveryState, OutboxEntry } from '../protocol/outbox.ts';
import type { PaneIdentity } from '../protocol/pane.ts';
import type { ScreenReading } from '../protocol/screen.ts';
import type { Screen } from '../responses/screens/port.ts';
import { type PaneView, scrolledRows, viewPane } from './capture.ts';
import type { Foreground } from './core/cli-detect.ts';
import { normalise } from './core/normalise.ts';
import type { Look } from './core/send-evidence.ts';
import { startSend, startSubmit, stepSend } from './core/send-machine.ts';
import {
  DEFAULT_SEND_LIMITS,
  type ProofSignal,
  type SendEffect,
  type SendEvent,
  type SendLimits,
  type SendOutcome,
  type SendRequest,
  type SendStep,
  type WhenBusy,
} from './core/send-model.ts';
import { type ResumeVerdict, resumeSend } from './core/send-resume.ts';
import type { TmuxFailure, TmuxPort } from './port.ts';
import { paste, pressKeys, typeKeys } from './typing.ts';

/** The outbox of the host. Both writes are on disk when they resolve. */
export interface OutboxPort {
  record(entry: OutboxRecord): Promise<Result<unknown>>;
  update(change: OutboxChange): Promise<Result<unknown>>;
}

/** The params of `outbox/record`. */
export type OutboxRecord = Pick<OutboxEntry, 'id' | 'pane' | 'text' | 'hash' | 'marked'>;

/** The params of `outbox/update`. */
export type OutboxChange = CommandInput<'outbox/update'>;

/** A transcript's or hook's reports about one text; polled while a send waits for proof. */
interface ProofWatch {
  poll(): Promise<ProofSignal | null>;
  close(): void;
}

export interface ProofPort {
  /** Starts watching before anything is typed, so that an older equal prompt is not proof. Null: no source. */
  begin(pane: SendPane, text: string): Promise<ProofWatch | null>;
}

/** Who holds the pane's terminal, and how it reads. */
interface PaneInspector {
  foreground(pane: PaneIdentity): Promise<Foreground | null>;
  /** Longest line of a terminal in canonical mode; null if its program reads keys itself. */
  lineMaxBytes(tty: string): Promise<number | null>;
}

export interface SenderClock {
  now(): number;
  /** Resolves after `ms`, or as soon as `signal` aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface SenderPorts {
  readonly tmux: TmuxPort;
  readonly outbox: OutboxPort;
  readonly inspector: PaneInspector;
  readonly readScreen: (screen: Screen, cli: CliId) => ScreenReading;
  readonly proof: ProofPort;
  readonly clock: SenderClock;
  readonly newId: () => string;
  readonly sha256: (text: string) => string;
  readonly limits?: Partial<SendLimits>;
}

export interface SendPane {
  readonly identity: PaneIdentity;
  readonly cli: CliId;
  readonly cliPid: number | null;
}

export interface SendOptions {
  readonly pane: SendPane;
  readonly text: string;
  /** `prompt`, pasted as one piece · `command`, one line typed key by key (a slash command). */
  readonly mode: 'prompt' | 'command';
  /** Whether to put the whole-line markers around the text. Ignored for a command. See `wantsMarkers`. */
  readonly markers: boolean;
  /** False leaves the text in the composer. */
  readonly submit: boolean;
  /** Default: `queue`. */
  readonly whenBusy?: WhenBusy;
  readonly signal?: AbortSignal;
}

/** The outcome for a text; `id` is that of its outbox record. */
export interface DeliveryReport extends Pick<OutboxEntry, 'id' | 'pane' | 'proof'> {
  /** `staged` only on request (`submit: false`). */
  readonly state: 'delivered' | 'queued' | 'staged';
}

export interface Sender {
  /** Sends one text. Sends into the same pane wait for each other. */
  send(options: SendOptions): Promise<Result<DeliveryReport>>;
  /** Presses Enter on a staged text if the composer provably still holds it. */
  submit(entry: OutboxEntry, pane: SendPane, signal?: AbortSignal): Promise<Result<DeliveryReport>>;
  /** Judges a record left by a crash; types nothing. Writes the verdict to the outbox. */
  resume(entry: OutboxEntry, pane: SendPane): Promise<Result<ResumeVerdict>>;
}

/** How many rows of history are searched for a resumed record. */
const RESUME_HISTORY_ROWS = 1000;
const COMMAND_MAX_CHARS = 1000;

/** The context of one send. */
interface Job {
  readonly request: SendRequest;
  readonly entry: OutboxRecord;
  readonly proof: ProofWatch | null;
  readonly signal: AbortSignal | undefined;
}

/** One send at a time per pane: two simultaneous pastes would become one text. */
function createLanes() {
  const lanes = new Map<string, Promise<unknown>>();
  return <T>(pane: PaneIdentity, work: () => Promise<T>): Promise<T> => {
    const key = `${pane.socketPath} ${pane.paneId}`;
    const turn = (lanes.get(key) ?? Promise.resolve()).then(work, work);
    const settled = turn.then(
      () => undefined,
      () => undefined,
    );
    lanes.set(key, settled);
    void settled.then(() => {
      if (lanes.get(key) === settled) lanes.delete(key);
    });
    return turn;
  };
}

export function createSender(ports: SenderPorts): Sender {
  const limits = { ...DEFAULT_SEND_LIMITS, ...ports.limits };
  const inLane = createLanes();

  const runJob = async (job: Job, first: SendStep): Promise<Result<DeliveryReport>> => {
    const outcome = await runMachine(ports, job, first);
    job.proof?.close();
    return toReport(job, outcome);
  };

  return {
    async send(options) {
      const prepared = prepare(ports, options);
      if (!prepared.ok) return prepared;
      const { entry, how } = prepared.value;
      return inLane(entry.pane, async () => {
        const proof = how === 'type' ? null : await ports.proof.begin(options.pane, entry.text);
        const { submit, signal, whenBusy = 'queue' } = options;
        const { cli } = options.pane;
        const { pane, text, marked } = entry;
        const request = { pane, cli, text, marked, how, submit, whenBusy, provable: proof !== null, limits };
        return runJob({ request, entry, proof, signal }, startSend());
      });
    },
    async submit(entry, pane, signal) {
      return inLane(entry.pane, async () => {
        const proof = await ports.proof.begin(pane, entry.text);
        const { text, marked } = entry;
        const wanted = { how: 'paste', submit: true, whenBusy: 'queue' } as const;
        const provable = proof !== null;
        const request = { ...wanted, pane: entry.pane, cli: pane.cli, text, marked, provable, limits };
        return runJob({ request, entry, proof, signal }, startSubmit(ports.clock.now()));
      });
    },
    async resume(entry, pane) {
      const proof = await ports.proof.begin(pane, entry.text);
      const signal = (await proof?.poll()) ?? null;
      proof?.close();
      const looked = await lookForResume(ports, entry, pane.cli);
      const verdict = resumeSend(entry, looked, signal);
      if (verdict.kind === 'unsent') return ok(verdict);
      const saved = await ports.outbox.update(changeOf(entry.id, verdict.outcome.state, verdict.outcome));
      return saved.ok ? ok(verdict) : saved;
    },
  };
}

interface Prepared {
  readonly entry: OutboxRecord;
  readonly how: SendRequest['how'];
}

function prepare(ports: SenderPorts, options: SendOptions): Result<Prepared> {
  const plain = normalise(options.text);
  if (plain.trim() === '') return fail('invalid', 'there is nothing to send: the text is empty');
  const isCommand = options.mode === 'command';
  if (isCommand && (plain.includes('\n') || plain.length > COMMAND_MAX_CHARS)) {
    return fail('invalid', `a command is one line of at most ${COMMAND_MAX_CHARS} characters`);
  }
  const marked = options.markers && !isCommand;
  const text = marked ? wrapInMarkers(plain, new Date(ports.clock.now())) : plain;
  const pane = options.pane.identity;
  const entry = { id: ports.newId(), pane, text, hash: ports.sha256(text), marked };
  return ok({ entry, how: isCommand ? 'type' : 'paste' });
}

function toReport(job: Job, outcome: SendOutcome): Result<DeliveryReport> {
  if (outcome.failure !== null) return { ok: false, error: outcome.failure };
  const { state, proof } = outcome;
  if (state === 'delivered' || state === 'queued' || state === 'staged') {
    return ok({ id: job.entry.id, pane: job.entry.pane, state, proof });
  }
  return fail('internal', `a send ended as ${state} without a reason`);
}

function changeOf(id: string, state: DeliveryState, outcome: SendOutcome | null): OutboxChange {
  return { id, state, reason: outcome?.failure?.message ?? null, proof: outcome?.proof ?? null };
}

/** The outcome of one effect: nothing, the next event, or the end. */
type Done =
  | { readonly kind: 'ok' }
  | { readonly kind: 'event'; readonly event: SendEvent }
  | { readonly kind: 'end'; readonly outcome: SendOutcome };

async function runMachine(ports: SenderPorts, job: Job, first: SendStep): Promise<SendOutcome> {
  let step = first;
  const queue = [...first.effects];
  for (;;) {
    const effect = queue.shift();
    if (effect === undefined) throw new Error('a send ended without an outcome');
    const done = await perform(ports, job, effect);
    if (done.kind === 'end') return done.outcome;
    if (done.kind === 'ok') continue;
    step = stepSend(job.request, step.state, done.event);
    // After a failure that changes nothing, the rest of the step still runs.
    if (step.effects.length > 0) queue.splice(0, queue.length, ...step.effects);
  }
}

async function perform(ports: SenderPorts, job: Job, effect: SendEffect): Promise<Done> {
  switch (effect.kind) {
    case 'record':
      return report(ports, effect, await ports.outbox.record(job.entry));
    case 'save': {
      const change = changeOf(job.entry.id, effect.state, effect.outcome);
      return report(ports, effect, await ports.outbox.update(change));
    }
    case 'look':
      return performLook(ports, job, effect);
    case 'paste':
      return report(ports, effect, await paste(ports.tmux, job.entry));
    case 'type':
      return report(ports, effect, await typeKeys(ports.tmux, job.entry, ports.clock));
    case 'enter':
      return report(ports, effect, await pressKeys(ports.tmux, job.entry.pane, effect.keys));
    case 'finish':
      return { kind: 'end', outcome: effect.outcome };
    default:
      return assertNever(effect);
  }
}

function report(
  ports: SenderPorts,
  effect: SendEffect,
  result: Result<unknown, Failure | TmuxFailure>,
): Done {
  if (result.ok) return { kind: 'ok' };
  const failure = result.error;
  const certain = !('certain' in failure) || failure.certain;
  const nowMs = ports.clock.now();
  return { kind: 'event', event: { kind: 'failed', effect: effect.kind, failure, certain, nowMs } };
}

async function performLook(
  ports: SenderPorts,
  job: Job,
  effect: Extract<SendEffect, { kind: 'look' }>,
): Promise<Done> {
  if (effect.afterMs > 0) await ports.clock.sleep(effect.afterMs, job.signal);
  if (job.signal?.aborted === true) return { kind: 'event', event: { kind: 'aborted' } };
  const looked = await lookAt(ports, job, effect);
  if (!looked.ok) return report(ports, effect, looked);
  const proof = (await job.proof?.poll()) ?? null;
  const nowMs = ports.clock.now();
  return { kind: 'event', event: { kind: 'looked', look: looked.value, proof, nowMs } };
}

/** There is no pane any more. */
const GONE: Look = {
  pane: null,
  foreground: null,
  lineMaxBytes: null,
  reading: {
    composer: { kind: 'absent' },
    state: 'unknown',
    dialog: null,
    choice: null,
    vimNormal: false,
    queued: false,
  },
  rows: [],
  cursorRow: null,
};

async function lookAt(
  ports: SenderPorts,
  job: Job,
  effect: Extract<SendEffect, { kind: 'look' }>,
): Promise<Result<Look, TmuxFailure>> {
  const { pane, cli } = job.request;
  const view = await viewPane(ports.tmux, pane.paneId);
  if (!view.ok) {
    const isGone = view.error.certain && view.error.code === 'not_found';
    return isGone ? ok(GONE) : view;
  }
  const { facts } = view.value;
  const look = await lookOf(ports, view.value, { cli, since: effect.since });
  if (!effect.thorough) return ok(look);
  const foreground = await ports.inspector.foreground(facts.identity);
  return ok({ ...look, foreground, lineMaxBytes: await ports.inspector.lineMaxBytes(facts.tty) });
}

async function lookForResume(ports: SenderPorts, entry: OutboxEntry, cli: CliId): Promise<Look | null> {
  const view = await viewPane(ports.tmux, entry.pane.paneId);
  if (!view.ok) return null;
  const since = Math.max(0, view.value.facts.historySize - RESUME_HISTORY_ROWS);
  return lookOf(ports, view.value, { cli, since });
}

/** The screen, with the rows that scrolled away since the history had this size. */
async function lookOf(
  ports: SenderPorts,
  { facts, screen }: PaneView,
  { cli, since }: { readonly cli: CliId; readonly since: number | null },
): Promise<Look> {
  const scrolled = since === null ? [] : await scrolledRows(ports.tmux, facts, since);
  return {
    ...GONE,
    pane: facts,
    reading: ports.readScreen(screen, cli),
    rows: [...scrolled, ...screen.rows.map((row) => row.text)],
    cursorRow: scrolled.length + facts.cursorY,
  };
}
