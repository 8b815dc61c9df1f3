/** Reads the turns of one AI pane from its CLI's session file, else from its screen. Sees the pane through a port. */
import { ok, type Result } from '../lib/result.ts';
import type { CliId } from '../protocol/cli-id.ts';
import type { AskedCall } from '../protocol/dialog.ts';
import type { AiState } from '../protocol/pane.ts';
import type { Turn } from '../protocol/turn.ts';
import { type ScreenTurn, turnsFromScreen } from './core/screen-turns.ts';
import type { ScreenRules } from './screens/port.ts';
import {
  type HookSession,
  NOT_WRITTEN_YET,
  type TranscriptPlace,
  type TranscriptReader,
  type TranscriptRef,
  type TranscriptSession,
  type TranscriptSnapshot,
} from './transcripts/port.ts';
import { matchSentText } from './transcripts/sent-text.ts';
import {
  type SentText,
  TIE_TURNS,
  type TieCandidate,
  type Tied,
  tieByScreen,
  tieBySent,
  turnsOfPane,
} from './transcripts/tie.ts';

/** The pane's history: tmux-joined, right-trimmed lines, oldest first. */
export interface PaneHistory {
  readonly lines: readonly string[];
  readonly width: number;
  /** The program runs full-screen: `lines` is one frame and holds no conversation. */
  readonly alternate: boolean;
}

/** The port to tmux and the outbox. */
export interface PaneFacts {
  history(): Promise<Result<PaneHistory>>;
  /** The visible rows of the pane; none if it cannot be read. */
  screen(): Promise<readonly string[]>;
  /** Texts sent to this pane as typed, newest first. */
  sent(): Promise<readonly SentText[]>;
  /** The session that the CLI's hook reported; null without a report. */
  hookSession(): Promise<HookSession | null>;
  /** The AI CLI's current process; it may have been restarted. */
  place(): Promise<TranscriptPlace>;
  /** No other visible pane runs this AI CLI in the same folder. */
  isAlone(): Promise<boolean>;
  /** The process of the AI CLI has ended. */
  hasEnded(): boolean;
}

export interface PaneKnowledge {
  readonly cli: CliId;
  /** Null for a program without a known session file. */
  readonly reader: TranscriptReader | null;
  readonly rules: ScreenRules;
}

/** Watches for one text. Each poll reads only what was written since the last. */
export interface SentWatch {
  /** `delivered`: a new prompt is our text; `queued`: the CLI holds it for later; null: no proof yet. */
  poll(): Promise<'delivered' | 'queued' | null>;
}

export type ResponseSource = 'auto' | 'transcript' | 'screen';

export interface ResponsesReading {
  /** Newest first. */
  readonly turns: readonly Turn[];
  /** The source; `none`: no session file, and no marker on the screen. */
  readonly source: 'transcript' | 'screen' | 'none';
  /** As far as the session file knows. */
  readonly state: AiState;
  /** Calls without a result; an open dialog may be about one of them. */
  readonly asked: readonly AskedCall[];
  readonly ref: TranscriptRef | null;
  /** Files beside the session's file that change with it. */
  readonly sideFiles: readonly string[];
}

/** The most session files opened to find the one with our text. */
const MAX_CANDIDATES = 8;

const FOLDER_WARNING = 'newest session file of this folder: not tied to this pane yet';
/** Its history is one list of lines, whoever wrote them. */
const MIXED_WARNING = 'another aider writes the same history: answers of the same moment may be mixed';
const FULL_SCREEN_WARNING = 'full-screen program: only the visible part could be read';

export class PaneResponses {
  readonly #knowledge: PaneKnowledge;
  readonly #facts: PaneFacts;
  /** Open sessions by path, so that each reading costs only new bytes. */
  readonly #sessions = new Map<string, TranscriptSession>();
  /** The session that got our prompts, or that the screen has shown since. */
  #tied: Tied | null = null;
  #last: { readonly ref: TranscriptRef; readonly session: TranscriptSession } | null = null;
  /** The last turn of this pane in a session that another program writes, too. */
  #ownTurn: string | null = null;

  constructor(knowledge: PaneKnowledge, facts: PaneFacts) {
    this.#knowledge = knowledge;
    this.#facts = facts;
  }

  /** This program's session files show sent prompts. */
  get hasTranscript(): boolean {
    return this.#knowledge.reader !== null;
  }

  /** The current turns; at least the newest `turns`, if there are that many. */
  async read(source: ResponseSource, turns: number): Promise<Result<ResponsesReading>> {
    if (source !== 'screen') {
      const tied = await this.#tiedSession();
      const snapshot = await tied?.session.read({ turns });
      if (tied && snapshot) {
        const own = tied.ref.isShared ? await this.#ownTurns(tied.session, snapshot) : snapshot;
        return ok({ ...fromTranscript(tied.ref, own), sideFiles: tied.session.sideFiles?.() ?? [] });
      }
      // The CLI reports a session without messages.
      if (tied?.ref.modifiedAt === NOT_WRITTEN_YET)
        return ok({ ...NOTHING, source: 'transcript', ref: tied.ref });
      if (source === 'transcript') return ok(NOTHING);
    }
    return this.#readScreen();
  }

  /** The turns of this pane, of a session that another program writes, too. */
  async #ownTurns(session: TranscriptSession, snapshot: TranscriptSnapshot): Promise<TranscriptSnapshot> {
    const branches = session.branches?.() ?? [snapshot.turns];
    const turns = turnsOfPane(branches, await this.#facts.screen(), this.#ownTurn) ?? snapshot.turns;
    this.#ownTurn = turns.at(-1)?.id ?? null;
    return { ...snapshot, turns };
  }

  /** Starts watching for a text about to be sent; earlier equal texts are no proof. Null without a session file. */
  async watchSent(text: string, at: number = Date.now()): Promise<SentWatch | null> {
    if (this.#knowledge.reader === null) return null;
    const before = await this.#snapshots();
    const known = new Set(before.flatMap(({ snapshot }) => snapshot.turns.map((turn) => turn.id)));
    const wasQueued = before.some(
      ({ snapshot }) => matchSentText({ turns: [], queued: snapshot.queued }, text) !== null,
    );
    return {
      poll: async () => {
        const now = await this.#snapshots();
        const found = now.flatMap((candidate) => {
          const { turns, queued } = candidate.snapshot;
          const match = matchSentText({ turns, queued: wasQueued ? [] : queued }, text, known);
          return match === null ? [] : [{ candidate, kind: match.kind }];
        });
        const [first] = found;
        if (first === undefined) return null;
        const fresh = found.map(({ candidate }) => withoutTurns(candidate, known));
        this.#tied = tieBySent(fresh, [{ text, at }]) ?? { ref: first.candidate.ref, at };
        const key = keyOf(this.#tied.ref);
        return found.find(({ candidate }) => keyOf(candidate.ref) === key)?.kind ?? first.kind;
      },
    };
  }

  async #snapshots(
    refs?: readonly TranscriptRef[],
  ): Promise<readonly (TieCandidate & { readonly snapshot: TranscriptSnapshot })[]> {
    const asked = refs ?? (await this.#candidates());
    const read = await Promise.all(
      asked.map(async (ref) => {
        const session = this.#open(ref);
        const snapshot = await session.read({ turns: TIE_TURNS });
        return { ref, snapshot, branches: ref.isShared ? (session.branches?.() ?? []) : [] };
      }),
    );
    return read.flatMap(({ snapshot, ...rest }) => (snapshot === null ? [] : [{ ...rest, snapshot }]));
  }

  async #candidates(): Promise<readonly TranscriptRef[]> {
    const { reader } = this.#knowledge;
    if (reader === null) return [];
    const [refs, named] = await Promise.all([
      this.#facts.place().then(async (place) => withOlder(await reader.find(place), place)),
      this.#facts.hookSession(),
    ]);
    return namedFirst(refs, named, reader.cli).slice(0, MAX_CANDIDATES);
  }

  /**
   * The session of this pane, as named by a hook or the pid; else the one with a sent text or on the screen; else the
   * newest of the folder, if no other pane can have it. For an ended program, whose pid and environment are gone, the
   * last known session.
   */
  async #tiedSession(): Promise<{ ref: TranscriptRef; session: TranscriptSession } | null> {
    if (this.#last !== null && this.#facts.hasEnded()) return this.#last;
    const refs = await this.#candidates();
    const sure = refs.find((ref) => ref.tie === 'hook' || ref.tie === 'pid');
    const chosen =
      sure ?? (await this.#tieByScreen(refs, await this.#tieBySentText(refs))) ?? (await this.#guess(refs));
    this.#last = chosen === undefined ? null : { ref: chosen, session: this.#open(chosen) };
    return this.#last;
  }

  async #guess(refs: readonly TranscriptRef[]): Promise<TranscriptRef | undefined> {
    const newest = refs.find((ref) => ref.tie !== 'older');
    return newest !== undefined && (await this.#facts.isAlone()) ? newest : undefined;
  }

  /** Searches only after a send: a newer session may have got the text (`/clear` starts a new file). */
  async #tieBySentText(refs: readonly TranscriptRef[]): Promise<TranscriptRef | null> {
    // Asking the host for sent texts is useless without a session file.
    if (refs.length === 0) return null;
    const sent = await this.#facts.sent();
    const tied = this.#tied;
    const known = tied === null ? undefined : refs.find((ref) => keyOf(ref) === keyOf(tied.ref));
    const isFresh = tied !== null && (sent[0]?.at ?? 0) <= tied.at;
    if (known === undefined || !isFresh) {
      const found = sent.length === 0 ? null : tieBySent(await this.#snapshots(refs), sent);
      if (found !== null) {
        this.#tied = found;
        return found.ref;
      }
    }
    return known === undefined ? null : { ...known, tie: tied?.ref.tie ?? 'sent-text' };
  }

  /** Takes a newer session that the screen shows: the user started it by hand. */
  async #tieByScreen(
    refs: readonly TranscriptRef[],
    known: TranscriptRef | null,
  ): Promise<TranscriptRef | null> {
    const isNewer = (ref: TranscriptRef) =>
      known === null || (keyOf(ref) !== keyOf(known) && ref.modifiedAt > known.modifiedAt);
    const newer = refs.filter(isNewer);
    if (newer.length === 0) return known;
    const asked = known === null ? newer : [known, ...newer];
    const [candidates, rows] = await Promise.all([this.#snapshots(asked), this.#facts.screen()]);
    const shown = tieByScreen(candidates, rows);
    if (shown === null || (known !== null && keyOf(shown) === keyOf(known))) return known;
    // Valid until our next prompt.
    this.#tied = { ref: shown, at: Date.now() };
    return shown;
  }

  #open(ref: TranscriptRef): TranscriptSession {
    const key = keyOf(ref);
    const known = this.#sessions.get(key);
    if (known !== undefined) return known;
    // `reader` is not null here: only it hands out refs.
    const session = this.#knowledge.reader?.open(ref);
    if (session === undefined) throw new Error('a session that no reader knows');
    this.#sessions.set(key, session);
    return session;
  }

  async #readScreen(): Promise<Result<ResponsesReading>> {
    const history = await this.#facts.history();
    if (!history.ok) return history;
    const { lines, width, alternate } = history.value;
    const found = turnsFromScreen(lines, { width });
    if (found.length === 0) return ok(NOTHING);
    const turns = found.map((raw) => this.#toTurn(raw, width, alternate));
    return ok({ ...NOTHING, turns: turns.reverse(), source: 'screen' });
  }

  #toTurn(raw: ScreenTurn, width: number, alternate: boolean): Turn {
    const extracted = this.#knowledge.rules.extract(raw.answer, width);
    const response = trimBlankEdges(extracted.lines).join('\n');
    return {
      id: `screen:${raw.id}`,
      kind: 'answer',
      prompt: raw.prompt,
      parts: response === '' ? [] : [response],
      response,
      startedAt: raw.startedAt,
      source: 'screen',
      progress: 'complete',
      reflowed: extracted.reflowed,
      warning: alternate ? FULL_SCREEN_WARNING : null,
    };
  }
}

/** Tolerated difference between the times of a file and of a process. */
const BORN_SLACK_MS = 200;

/** Marks sessions of the folder that are older than this pane's program. */
function withOlder(refs: readonly TranscriptRef[], { startedAt }: TranscriptPlace): readonly TranscriptRef[] {
  if (startedAt === undefined || startedAt === null) return refs;
  const isOlder = ({ tie, bornAt }: TranscriptRef) =>
    tie === 'folder' && bornAt !== undefined && bornAt < startedAt - BORN_SLACK_MS;
  return refs.map((ref) => (isOlder(ref) ? { ...ref, tie: 'older' } : ref));
}

/** Puts the session that a hook reported first. */
function namedFirst(
  refs: readonly TranscriptRef[],
  named: HookSession | null,
  cli: CliId,
): readonly TranscriptRef[] {
  if (named === null) return refs;
  const found = refs.find(({ sessionId, path }) => sessionId === named.sessionId || path === named.path);
  if (found !== undefined)
    return [{ ...found, tie: 'hook' }, ...refs.filter((ref) => keyOf(ref) !== keyOf(found))];
  if (named.path === null) return refs;
  const { sessionId, path } = named;
  return [{ cli, path, sessionId, tie: 'hook', modifiedAt: NOT_WRITTEN_YET }, ...refs];
}

function withoutTurns(candidate: TieCandidate, known: ReadonlySet<string>): TieCandidate {
  const { turns, queued } = candidate.snapshot;
  return { ref: candidate.ref, snapshot: { queued, turns: turns.filter(({ id }) => !known.has(id)) } };
}

/** A database holds many sessions in one file. */
const keyOf = ({ path, sessionId }: TranscriptRef): string => `${path}\u0000${sessionId}`;

const NOTHING: ResponsesReading = {
  turns: [],
  source: 'none',
  state: 'unknown',
  asked: [],
  ref: null,
  sideFiles: [],
};

function fromTranscript(
  ref: TranscriptRef,
  snapshot: TranscriptSnapshot,
): Omit<ResponsesReading, 'sideFiles'> {
  const isMixed = ref.isShared === true && ref.cli === 'aider';
  const warning = isMixed ? MIXED_WARNING : ref.tie === 'folder' ? FOLDER_WARNING : null;
  const turns =
    warning === null
      ? snapshot.turns
      : snapshot.turns.map((turn) => ({ ...turn, warning: turn.warning ?? warning }));
  return {
    turns: [...turns].reverse(),
    source: 'transcript',
    state: snapshot.state,
    asked: snapshot.asked,
    ref,
  };
}

function trimBlankEdges(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== '');
  if (first < 0) return [];
  const last = lines.findLastIndex((line) => line.trim() !== '');
  return lines.slice(first, last + 1);
}
