/** `copane up`, `down` and the split: creates and removes the layout in tmux. Touches only panes that it opened. */
import { realpathSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fail, ok, type Result } from '../../lib/result.ts';
import { findOnPath } from '../../platform/exec.ts';
import type { Env } from '../../platform/paths.ts';
import { AI_CLIS } from '../../protocol/cli-ids.ts';
import { viewPane } from '../../tmux/capture.ts';
import { printFor } from '../../tmux/core/formats.ts';
import { isAiPane, type PaneListing } from '../../tmux/panes.ts';
import type { TmuxPort } from '../../tmux/port.ts';
import { ownProgram, placeFlags } from '../self.ts';
import type { TmuxAccess } from '../tmux.ts';
import {
  aiPaneCommand,
  type Cells,
  folderArgument,
  isOfUse,
  joinArguments,
  type LayoutPane,
  openAiArguments,
  openArguments,
  placeCompanion,
  planRepair,
  popupArguments,
  type Repair,
  type SessionFact,
  sessionNameFor,
  WINDOW_NAME,
} from './plan.ts';

/** The pane option that marks panes opened by `up` with their role. `down` closes only these. */
const MADE_OPTION = '@copane_made';
/** The size of a detached session; tmux resizes it for the first terminal that attaches. */
const DETACHED_SIZE = { columns: 160, rows: 48 };

export const installedClis = (env: Env): string[] => AI_CLIS.filter((name) => findOnPath(name, env) !== null);

export const tourCommand = (): string[] => [ownProgram(), 'tour'];

/** The session of `folder`, existing or not. */
export async function sessionOf(
  tmux: TmuxPort,
  folder: string,
): Promise<{ readonly name: string; readonly exists: boolean }> {
  const listed = await tmux.run([['list-sessions', '-F', '#{s/[\t-\v]/?/:session_path}:#{session_name}']]);
  // No server means no sessions. The name of a session holds no colon.
  const sessions = listed.ok ? listed.value.trimEnd().split('\n').map(parseSession) : [];
  return sessionNameFor(realpathSync(folder), sessions);
}

function parseSession(line: string): SessionFact {
  const at = line.lastIndexOf(':');
  return { path: line.slice(0, at), name: line.slice(at + 1) };
}

export interface NewSession {
  readonly name: string;
  readonly folder: string;
  readonly ai: readonly string[];
  /** Null if no terminal attaches. */
  readonly terminal: Cells | null;
  /** `COLORFGBG` for its programs; null if the terminal's background is not known. */
  readonly colors: string | null;
  readonly env: Env;
}

/** Creates the session with its AI pane, which gets the keyboard; returns the id of the pane. */
export async function createSession(tmux: TmuxPort, wanted: NewSession): Promise<Result<string>> {
  const { columns, rows } = sessionSize(wanted);
  const made = await tmux.run([
    [
      'new-session',
      '-d',
      '-P',
      '-F',
      '#{pane_id}',
      '-s',
      wanted.name,
      '-c',
      folderArgument(wanted.folder),
      '-x',
      String(columns),
      '-y',
      String(rows),
      ...placeFlags(wanted.env),
      ...(wanted.colors === null ? [] : ['-e', `COLORFGBG=${wanted.colors}`]),
      ...aiPaneCommand(wanted.ai),
    ],
    // Nobody is attached yet: with `destroy-unattached on` tmux would delete the session at once.
    ['set-option', '-t', `=${wanted.name}:`, 'destroy-unattached', 'off'],
  ]);
  return made.ok ? markAi(tmux, made.value.trim()) : made;
}

/** Marks a new pane for an AI CLI; returns its id. */
async function markAi(tmux: TmuxPort, aiPane: string): Promise<Result<string>> {
  const marked = await tmux.run([
    ['set-option', '-p', '-t', aiPane, '@copane_role', 'ai'],
    ['set-option', '-p', '-t', aiPane, MADE_OPTION, 'ai'],
  ]);
  return marked.ok ? ok(aiPane) : marked;
}

export interface NewAi {
  /** `%N` of the companion to go before, or a session (`=name:`) in which to open a window. */
  readonly beside: string;
  readonly folder: string;
  readonly ai: readonly string[];
}

/** Opens an AI pane left of the companion or above it; returns its id. Never splits a user's pane. */
export async function openAi(tmux: TmuxPort, { beside, folder, ai }: NewAi): Promise<Result<string>> {
  const place = beside.startsWith('%') ? await placeOfPane(tmux, beside) : ok(null);
  if (!place.ok) return place;
  const window = place.value?.window ?? beside;
  const wanted = { beside, window, folder, command: aiPaneCommand(ai) };
  const opened = await tmux.run([openAiArguments(wanted, place.value)]);
  return opened.ok ? markAi(tmux, opened.value.trim()) : opened;
}

/** Restarts the AI CLI in the pane where it ended; the pane keeps its history. */
export async function restartAi(
  tmux: TmuxPort,
  {
    paneId,
    folder,
    ai,
  }: { readonly paneId: string; readonly folder: string; readonly ai: readonly string[] },
): Promise<Result<string>> {
  const again = ['respawn-pane', '-k', '-t', paneId, '-c', folderArgument(folder), ...aiPaneCommand(ai)];
  const started = await tmux.run([again]);
  return started.ok ? markAi(tmux, paneId) : started;
}

/** What is missing from the layout of an existing session. */
export async function findMissing(
  { panes, processes }: Pick<TmuxAccess, 'panes' | 'processes'>,
  session: string,
): Promise<Result<Repair>> {
  const listed = await panes.list();
  if (!listed.ok) return listed;
  const ofSession = listed.value.filter(({ facts }) => facts.sessionName === session);
  const table = await processes.snapshot(ofSession.map(({ facts }) => facts.identity.panePid));
  return ok(
    planRepair(
      ofSession.map((pane): LayoutPane => {
        const { facts, foreground } = pane;
        const isAlone = table.below(facts.identity.panePid).length <= 1;
        return {
          paneId: facts.identity.paneId,
          made: facts.made,
          isAi: isAiPane(pane),
          isCompanion: isCompanionPane(pane),
          hasEnded: facts.dead || (foreground?.kind === 'shell' && isAlone),
        };
      }),
    ),
  );
}

/** `%N` of the companion in this window; null if there is none. */
export function companionOf(panes: readonly PaneListing[], windowId: string): string | null {
  const found = panes.find(
    (pane) => pane.facts.windowId === windowId && !pane.facts.dead && isCompanionPane(pane),
  );
  return found?.facts.identity.paneId ?? null;
}

/** Either its process was renamed by the companion, or the pane is marked and the companion has not started yet. */
function isCompanionPane({ facts, cli }: PaneListing): boolean {
  return facts.made === 'companion' || (facts.currentCommand === 'copane' && cli === 'generic');
}

/** The initial size of a session. Some terminals report a size of 0. */
export function sessionSize({ terminal }: Pick<NewSession, 'terminal'>): Cells {
  return terminal !== null && terminal.columns > 0 && terminal.rows > 0 ? terminal : DETACHED_SIZE;
}

export interface CompanionPlace {
  /** `%N` of the pane beside or over which the companion goes. */
  readonly beside: string;
  /** `%N` of the pane to follow; null if the companion must find it. */
  readonly follows: string | null;
  readonly folder: string;
  readonly env: Env;
}

export interface OpenedCompanion {
  readonly pane: string;
  /** It has its own window, because no pane of this one is large enough. */
  readonly isWindow: boolean;
}

export async function openCompanion(tmux: TmuxPort, place: CompanionPlace): Promise<Result<OpenedCompanion>> {
  const { beside, folder } = place;
  const found = await placeOfPane(tmux, beside);
  if (!found.ok) return found;
  const { window } = found.value;
  const placement = placeCompanion(found.value);
  const opened = await tmux.run([
    openArguments({ beside, window, placement, folder, command: companionCommand(place) }),
  ]);
  if (!opened.ok) return opened;
  const pane = opened.value.trim();
  const marked = await tmux.run([['set-option', '-p', '-t', pane, MADE_OPTION, 'companion']]);
  return marked.ok ? ok({ pane, isWindow: placement.side === 'window' }) : marked;
}

/** Resizes the window of a pane to the terminal that will attach. */
export async function fitWindow(
  tmux: TmuxPort,
  pane: string,
  { columns, rows }: Cells,
): Promise<Result<void>> {
  // The companion's own control client counts as attached.
  const clients = await tmux.run([['list-clients', '-t', pane, '-F', '#{client_control_mode}']]);
  if (!clients.ok) return clients;
  if (clients.value.split('\n').includes('0')) return ok(undefined);
  const fitted = await tmux.run([
    ['resize-window', '-t', pane, '-x', `${columns}`, '-y', `${rows}`],
    // Clears the fixed size, so that the window follows its terminal again.
    ['set-option', '-w', '-u', '-t', pane, 'window-size'],
  ]);
  return fitted.ok ? ok(undefined) : fitted;
}

/** Moves a companion that is too small to where it has room beside the AI pane, without restarting it. */
export async function giveRoom(tmux: TmuxPort, companion: string, beside: string): Promise<Result<void>> {
  const size = await placeOfPane(tmux, companion);
  if (!size.ok) return size;
  const before = await placeOfPane(tmux, beside);
  if (!before.ok) return before;
  const isOurs = size.value.made === 'companion' && size.value.window === before.value.window;
  if (isOfUse(size.value) || !isOurs) return ok(undefined);
  // Removes the companion first, so that the AI pane has the space that both will share.
  const broken = await tmux.run([['break-pane', '-d', '-s', companion, '-n', WINDOW_NAME]]);
  if (!broken.ok) return broken;
  const shared = await placeOfPane(tmux, beside);
  if (!shared.ok) return shared;
  const join = joinArguments(companion, beside, placeCompanion(shared.value));
  const joined = join === null ? ok('') : await tmux.run([join]);
  return joined.ok ? ok(undefined) : joined;
}

/** The tmux command that shows the companion over the window until the user quits. */
export function popupCommand(place: CompanionPlace): string[] {
  const { beside, folder } = place;
  return popupArguments({ beside, folder, command: companionCommand(place) });
}

function companionCommand({ follows, env }: CompanionPlace): string[] {
  return [...placeFlags(env), ownProgram(), 'tui', ...(follows === null ? [] : ['--pane', follows])];
}

/** A companion that shows nothing by then is not just slow. */
const COMPANION_START_MS = 10_000;
const COMPANION_LOOK_MS = 50;

/** Waits until the companion has drawn something; fails if it ended instead. */
export async function companionIsUp(tmux: TmuxPort, pane: string): Promise<Result<void>> {
  const deadline = Date.now() + COMPANION_START_MS;
  while (Date.now() < deadline) {
    const view = await viewPane(tmux, pane);
    if (!view.ok)
      return fail(
        'internal',
        'the companion ended as soon as it was started',
        'Run "copane doctor" to see why.',
      );
    if (view.value.screen.rows.some((row) => row.text !== '')) return ok(undefined);
    await sleep(COMPANION_LOOK_MS);
  }
  return fail(
    'internal',
    `the companion showed nothing within ${COMPANION_START_MS / 1000} seconds`,
    'Run "copane doctor" to see why.',
  );
}

/** The pane the user is looking at: that of the most recently used client. */
export async function currentPane(tmux: TmuxPort): Promise<Result<string>> {
  const shown = await tmux.run([['display-message', '-p', '#{pane_id}']]);
  return shown.ok ? ok(shown.value.trim()) : shown;
}

/** The size of a pane, its window (`@N`), and the role it was opened with; empty for a user's pane. */
async function placeOfPane(
  tmux: TmuxPort,
  paneId: string,
): Promise<Result<Cells & { readonly window: string; readonly made: string }>> {
  const format = `#{pane_width} #{pane_height} #{window_id} #{${MADE_OPTION}}`;
  const shown = await tmux.run([printFor(paneId, format)]);
  if (!shown.ok) return shown;
  const [columns, rows, window = '', made = ''] = shown.value.trim().split(' ');
  if (!(Number(columns) > 0)) return fail('not_found', `there is no pane ${paneId}`);
  return ok({ columns: Number(columns), rows: Number(rows), window, made });
}

/** Closes the session's panes that `up` opened, and returns how many; the session ends with its last pane. */
export async function closeMade(tmux: TmuxPort, session: string): Promise<Result<number>> {
  const listed = await tmux.run([
    ['list-panes', '-s', '-t', `=${session}`, '-F', `#{pane_id} #{${MADE_OPTION}}`],
  ]);
  if (!listed.ok) return fail('not_found', `no session ${session} is running`, 'Start one with: copane up');
  const made = listed.value
    .split('\n')
    .filter((line) => line.includes(' ') && !line.endsWith(' '))
    .map((line) => line.slice(0, line.indexOf(' ')));
  for (const pane of made) {
    const closed = await tmux.run([['kill-pane', '-t', pane]]);
    if (!closed.ok) return closed;
  }
  return ok(made.length);
}
