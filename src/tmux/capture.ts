/** Reads a pane: its visible screen with styles, and its whole text. A refresh fetches only the new rows. */
import { type Failure, fail, ok, type Result } from '../lib/result.ts';
import type { Screen } from '../responses/screens/port.ts';
import type { TmuxCommand } from './core/command-line.ts';
import { PANE_FORMAT, type PaneFacts, parsePane, printFor } from './core/formats.ts';
import { parseStyledRows, splitCapture } from './core/sgr.ts';
import type { TmuxFailure, TmuxPort } from './port.ts';

/** One look: the facts of tmux about the pane, and its visible part. */
export interface PaneView {
  readonly facts: PaneFacts;
  readonly screen: Screen;
}

function noSuchPane(paneId: string): { readonly ok: false; readonly error: TmuxFailure } {
  const { error } = fail('not_found', `there is no pane ${paneId}`, 'List the panes with: copane status');
  return { ok: false, error: { ...error, certain: true } };
}

/** Facts and visible screen of a pane, taken together. A pane in copy mode shows its live screen. */
export async function viewPane(tmux: TmuxPort, paneId: string): Promise<Result<PaneView, TmuxFailure>> {
  const answer = await tmux.run(lookAt(paneId));
  if (!answer.ok) return answer;
  const view = parseView(answer.value);
  return view === null ? noSuchPane(paneId) : ok(view);
}

/** `viewPane` for several panes in one call; null for a pane that is gone. */
export async function viewPanes(
  tmux: TmuxPort,
  paneIds: readonly string[],
): Promise<readonly (PaneView | null)[]> {
  if (paneIds.length > 1) {
    const answer = await tmux.run(paneIds.flatMap((id) => [...lookAt(id), CUT_COMMAND]));
    if (answer.ok) return answer.value.split(`${CUT}\n`).slice(0, -1).map(parseView);
  }
  // A missing pane ends the call for all of them.
  const views = await Promise.all(paneIds.map((id) => viewPane(tmux, id)));
  return views.map((view) => (view.ok ? view.value : null));
}

function lookAt(paneId: string): readonly TmuxCommand[] {
  return [printFor(paneId, PANE_FORMAT), ['capture-pane', '-p', '-e', '-t', paneId]];
}

/** For a missing pane, tmux succeeds with an empty line: null. */
function parseView(answer: string): PaneView | null {
  const end = answer.indexOf('\n');
  const facts = parsePane(answer.slice(0, end));
  return facts === null ? null : { facts, screen: screenOf(facts, answer.slice(end + 1)) };
}

function screenOf(facts: PaneFacts, capture: string): Screen {
  const { title, width, cursorY, cursorShown } = facts;
  return { rows: parseStyledRows(capture), title, width, cursorRow: cursorShown ? cursorY : null };
}

/** The most rows searched for proof of delivery. */
const SCROLLED_MAX_ROWS = 5000;

/** The rows that moved from the screen into history since it had `since` rows; limited. */
export async function scrolledRows(
  tmux: TmuxPort,
  facts: PaneFacts,
  since: number,
): Promise<readonly string[]> {
  // At its limit tmux drops a tenth at once, and the count is meaningless.
  const trimmed = facts.historySize < since;
  const added = trimmed ? facts.historySize : facts.historySize - since;
  if (added <= 0 || facts.alternate) return [];
  const from = -Math.min(added, SCROLLED_MAX_ROWS);
  const { paneId } = facts.identity;
  const answer = await tmux.run([['capture-pane', '-p', '-S', String(from), '-E', '-1', '-t', paneId]]);
  return answer.ok ? splitCapture(answer.value).map((row) => row.trimEnd()) : [];
}

interface PaneText {
  /** History and screen, oldest first, right-trimmed, without tmux's wraps. An alternate screen has no history. */
  readonly lines: readonly string[];
  readonly width: number;
  /** Full-screen program: it has no scrollback, and earlier rows belong to the shell. */
  readonly alternate: boolean;
}

/** Reads a pane's text repeatedly. */
export interface Scrollback {
  read(): Promise<Result<PaneText>>;
}

/** Older history is dropped: such a long answer is read from a transcript. */
const SCROLLBACK_MAX_LINES = 50_000;

/** The data kept between two reads. */
interface Kept {
  readonly historySize: number;
  readonly width: number;
  readonly serverPid: number;
  readonly panePid: number;
  /** History, joined. */
  readonly lines: readonly string[];
  /** The newest rows of history as on the grid: the seam where the next piece must match. */
  readonly seam: readonly string[];
}

/** At its limit tmux drops a tenth of the history at once, so this many old rows must match before a piece is added. */
const SEAM_ROWS = 64;

/** The first attempt assumes no change since the last read; rows may scroll. Under a flood, only the screen. */
const MAX_ATTEMPTS = 4;
/** No capture prints a record separator as a row of its own. */
const CUT = '\u241ecopane-cut\u241e';
const CUT_COMMAND: TmuxCommand = ['display-message', '-p', CUT];

const trimmedLines = (capture: string): string[] => splitCapture(capture).map((line) => line.trimEnd());

/** The captures of one read, taken together. */
interface Piece {
  readonly facts: PaneFacts;
  /** History rows from the newest known one, joined; empty if there is no history. */
  readonly added: readonly string[];
  /** The rows that must equal the seam of the last read. */
  readonly oldSeam: readonly string[];
  readonly seam: readonly string[];
  /** From the newest row of history (if any) to the bottom, joined. */
  readonly live: readonly string[];
  /** The same as captured. */
  readonly liveText: string;
}

async function fetchPiece(tmux: TmuxPort, facts: PaneFacts, kept: Kept | null): Promise<Result<Piece>> {
  const target = ['-t', facts.identity.paneId];
  const hasHistory = facts.historySize > 0 && !facts.alternate;
  const grown = kept === null ? 0 : facts.historySize - kept.historySize;
  const capture = (...flags: readonly string[]) => ['capture-pane', '-p', ...flags, ...target];
  const range = (from: number, to: number) => ['-S', String(-from), '-E', String(-to)];
  const seamNow = [CUT_COMMAND, capture(...range(SEAM_ROWS, 1))];
  const growth = [
    CUT_COMMAND,
    capture(...range(grown + SEAM_ROWS, grown + 1)),
    CUT_COMMAND,
    capture('-J', ...range(kept === null ? SCROLLBACK_MAX_LINES : grown + 1, 1)),
  ];
  const isStill = kept !== null && grown === 0;
  const ofHistory = isStill ? seamNow : [...seamNow, ...growth];
  const answer = await tmux.run([
    printFor(facts.identity.paneId, PANE_FORMAT),
    capture('-J', ...(hasHistory ? ['-S', '-1'] : [])),
    ...(hasHistory ? ofHistory : []),
  ]);
  if (!answer.ok) return answer;
  const end = answer.value.indexOf('\n');
  const now = parsePane(answer.value.slice(0, end));
  if (now === null) return noSuchPane(facts.identity.paneId);
  const [liveText = '', seam, oldSeam, added] = answer.value.slice(end + 1).split(`${CUT}\n`);
  const rows = (text: string | undefined) => (text === undefined ? [] : trimmedLines(text));
  const seamRows = rows(seam);
  const screen = { facts: now, live: rows(liveText), liveText, seam: seamRows };
  if (isStill) {
    return ok({ ...screen, oldSeam: seamRows, added: seamRows.slice(-1) });
  }
  return ok({ ...screen, oldSeam: rows(oldSeam), added: rows(added) });
}

/** The history with a new piece, or null if the piece does not continue it (cleared, trimmed, reflowed). */
function continueHistory(kept: Kept, piece: Piece): readonly string[] | null {
  const [first, ...rest] = piece.added;
  const last = kept.lines.at(-1);
  const row = kept.seam.at(-1);
  if (first === undefined || last === undefined || row === undefined) return null;
  // Blank rows look alike everywhere and prove nothing.
  const isKnown = piece.oldSeam.some((each) => each !== '') && isEqual(kept.seam, piece.oldSeam);
  if (!isKnown || !first.startsWith(row) || !last.endsWith(row)) return null;
  if (first === row && rest.length === 0) return kept.lines;
  return extended(kept.lines, last.slice(0, last.length - row.length) + first, rest);
}

/** `lines` with another last line and more after it. One block copy: spreading 50,000 lines costs a millisecond. */
function extended(lines: readonly string[], last: string, more: readonly string[]): readonly string[] {
  const copy = lines.slice();
  copy[copy.length - 1] = last;
  for (const line of more) copy.push(line);
  return copy;
}

/** Whether both are equal up to the shorter one: a short history has a short seam. */
function isEqual(a: readonly string[], b: readonly string[]): boolean {
  const length = Math.min(a.length, b.length);
  return a.slice(-length).every((row, index) => row === b.slice(-length)[index]);
}

/** History and screen as one text: the newest history row may continue in the first row of the screen. */
function withScreen(history: readonly string[], piece: Piece): readonly string[] {
  const last = history.at(-1);
  const row = piece.seam.at(-1);
  const [first = '', ...rest] = piece.live;
  if (last === undefined || row === undefined || !first.startsWith(row)) return history.concat(piece.live);
  return extended(history, last.slice(0, last.length - row.length) + first, rest);
}

function isContinuable(kept: Kept, facts: PaneFacts): boolean {
  const { serverPid, panePid } = facts.identity;
  return (
    kept.width === facts.width &&
    kept.serverPid === serverPid &&
    kept.panePid === panePid &&
    kept.historySize > 0 &&
    facts.historySize >= kept.historySize
  );
}

/** Whether the grid is unchanged between the two looks. */
function isSameGrid(now: PaneFacts, before: PaneFacts): boolean {
  return (
    now.historySize === before.historySize &&
    now.alternate === before.alternate &&
    now.width === before.width &&
    now.identity.serverPid === before.identity.serverPid &&
    now.identity.panePid === before.identity.panePid
  );
}

/** The history with a new piece; null if the piece does not continue it. */
function keepPiece(kept: Kept | null, piece: Piece): Kept | null {
  const continued = kept === null ? piece.added : continueHistory(kept, piece);
  if (continued === null) return null;
  const tooMany = continued.length > SCROLLBACK_MAX_LINES;
  const lines = tooMany ? continued.slice(-SCROLLBACK_MAX_LINES) : continued;
  const { historySize, width, identity } = piece.facts;
  const { serverPid, panePid } = identity;
  return { historySize, width, serverPid, panePid, lines, seam: piece.seam };
}

/** The text of a pane. `known`: facts that were just listed, so that the first read need not ask again. */
export function createScrollback(tmux: TmuxPort, paneId: string, known: PaneFacts | null = null): Scrollback {
  let last = known;
  let kept: Kept | null = null;
  /** The last result, reused if nothing changed: copying 50,000 lines takes a millisecond. */
  let given: {
    readonly history: readonly string[];
    readonly liveText: string;
    readonly lines: readonly string[];
  } | null = null;

  const attempt = async (): Promise<Result<PaneText | null>> => {
    const asked = last === null ? await paneFacts(tmux, paneId) : ok(last);
    last = null;
    if (!asked.ok) return asked;
    const facts = asked.value;
    if (kept !== null && !isContinuable(kept, facts)) kept = null;
    const fetched = await fetchPiece(tmux, facts, kept);
    if (!fetched.ok) return fetched;
    const piece = fetched.value;
    last = piece.facts;
    if (!isSameGrid(piece.facts, facts)) return ok(null);
    const { width, alternate } = facts;
    if (alternate || facts.historySize === 0) return ok({ lines: piece.live, width, alternate });
    kept = keepPiece(kept, piece);
    if (kept === null) return ok(null);
    const { lines: history } = kept;
    const { liveText } = piece;
    if (given === null || given.history !== history || given.liveText !== liveText)
      given = { history, liveText, lines: withScreen(history, piece) };
    return ok({ lines: given.lines, width, alternate });
  };

  return {
    async read() {
      for (let tries = 0; tries < MAX_ATTEMPTS; tries++) {
        const text = await attempt();
        if (!text.ok) return text;
        if (text.value !== null) return ok(text.value);
      }
      return visibleOnly(tmux, paneId);
    },
  };
}

async function paneFacts(tmux: TmuxPort, paneId: string): Promise<Result<PaneFacts, TmuxFailure>> {
  const answer = await tmux.run([printFor(paneId, PANE_FORMAT)]);
  if (!answer.ok) return answer;
  const facts = parsePane(answer.value.trimEnd());
  return facts === null ? noSuchPane(paneId) : ok(facts);
}

async function visibleOnly(tmux: TmuxPort, paneId: string): Promise<Result<PaneText, Failure>> {
  const view = await viewPane(tmux, paneId);
  if (!view.ok) return view;
  const { facts, screen } = view.value;
  const lines = screen.rows.map((row) => row.text);
  return ok({ lines, width: facts.width, alternate: facts.alternate });
}
