/**
 * `copane up`, `down` and the split: makes and removes the layout in tmux. Touches only panes that it made and
 * never the user's tmux.conf.
 */
import { realpathSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fail, ok, type Result } from '../../lib/result.ts';
import { findOnPath } from '../../platform/exec.ts';
import type { Env } from '../../platform/paths.ts';
import { AI_CLIS } from '../../protocol/cli-ids.ts';
import { viewPane } from '../../tmux/capture.ts';
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

/** Panes that `up` made bear this option, with the role they have. `down` closes these and no other. */
const MADE_OPTION = '@copane_made';
/** Size of a session that nobody looks at yet; tmux fits it to the first terminal that attaches. */
const DETACHED_SIZE = { columns: 160, rows: 48 };

/** Names of the AI CLIs on the PATH, in the order in which they are offered. */
export function installedClis(env: Env): string[] {
  return AI_CLIS.filter((name) => findOnPath(name, env) !== null);
}

/** The tour in place of an AI CLI. */
export function tourCommand(): string[] {
  return [ownProgram(), 'tour'];
}

/** The session of `folder`, whether or not it exists yet. */
export async function sessionOf(
  tmux: TmuxPort,
  folder: string,
): Promise<{ readonly name: string; readonly exists: boolean }> {
  const listed = await tmux.run([['list-sessions', '-F', '#{session_path}|~|#{session_name}']]);
  // No server is no session.
  const sessions = listed.ok ? listed.value.trimEnd().split('\n').map(parseSession) : [];
  return sessionNameFor(realpathSync(folder), sessions);
}

function parseSession(line: string): SessionFact {
  const at = line.indexOf('|~|');
  return { path: line.slice(0, at), name: line.slice(at + 3) };
}

export interface NewSession {
  readonly name: string;
  readonly folder: string;
  readonly ai: readonly string[];
  /** Null: nobody looks yet. */
  readonly terminal: Cells | null;
  /** `COLORFGBG` for what runs there; null: the terminal's background is not known. */
  readonly colors: string | null;
  readonly env: Env;
}

/** Makes the session with its AI pane, whose id it gives; the keyboard is there. */
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
    // Nobody has attached yet: with the user's `on` the session would be gone before anybody could.
    ['set-option', '-t', `=${wanted.name}:`, 'destroy-unattached', 'off'],
  ]);
  return made.ok ? markAi(tmux, made.value.trim()) : made;
}

/** Marks a pane that we opened for an AI CLI; gives its id. */
async function markAi(tmux: TmuxPort, aiPane: string): Promise<Result<string>> {
  const marked = await tmux.run([
    ['set-option', '-p', '-t', aiPane, '@copane_role', 'ai'],
    ['set-option', '-p', '-t', aiPane, MADE_OPTION, 'ai'],
  ]);
  return marked.ok ? ok(aiPane) : marked;
}

export interface NewAi {
  /** `%N` of the companion that it goes before; a session (`=name:`) in which it gets a window. */
  readonly beside: string;
  readonly folder: string;
  readonly ai: readonly string[];
}

/** Opens an AI pane to the left of the companion, or above it; gives its id. A pane of the user's is never split. */
export async function openAi(tmux: TmuxPort, { beside, folder, ai }: NewAi): Promise<Result<string>> {
  const place = beside.startsWith('%') ? await placeOfPane(tmux, beside) : ok(null);
  if (!place.ok) return place;
  const window = place.value?.window ?? beside;
  const wanted = { beside, window, folder, command: aiPaneCommand(ai) };
  const opened = await tmux.run([openAiArguments(wanted, place.value)]);
  return opened.ok ? markAi(tmux, opened.value.trim()) : opened;
}

/** Starts the AI CLI anew in the pane where it ended; what stood there stays in the history. */
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

/** What is missing of the layout in a session that is there. */
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

/** A companion that is open in this window, `%N`; null for none. */
export function companionOf(panes: readonly PaneListing[], windowId: string): string | null {
  const found = panes.find(
    (pane) => pane.facts.windowId === windowId && !pane.facts.dead && isCompanionPane(pane),
  );
  return found?.facts.identity.paneId ?? null;
}

/** The companion has renamed its process; one that was opened by copane and has not begun yet is marked. */
function isCompanionPane({ facts, cli }: PaneListing): boolean {
  return facts.made === 'companion' || (facts.currentCommand === 'copane' && cli === 'generic');
}

/** The size that the session of `wanted` begins with. Some terminals say nothing of their size: it is 0 then. */
export function sessionSize({ terminal }: Pick<NewSession, 'terminal'>): Cells {
  return terminal !== null && terminal.columns > 0 && terminal.rows > 0 ? terminal : DETACHED_SIZE;
}

export interface CompanionPlace {
  /** `%N` of the pane beside or over which the companion goes. */
  readonly beside: string;
  /** `%N` of the pane that it follows; null: it looks for its AI pane itself. */
  readonly follows: string | null;
  readonly folder: string;
  readonly env: Env;
}

/** A companion that was opened. */
export interface OpenedCompanion {
  readonly pane: string;
  /** It has its own window: no pane of this one is large enough. */
  readonly isWindow: boolean;
}

/** Opens the companion beside a pane. */
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

/** Before anyone attaches: gives the window of a pane the size of the terminal that will show it. */
export async function fitWindow(
  tmux: TmuxPort,
  pane: string,
  { columns, rows }: Cells,
): Promise<Result<void>> {
  // The companion's own control client is attached as well.
  const clients = await tmux.run([['list-clients', '-t', pane, '-F', '#{client_control_mode}']]);
  if (!clients.ok) return clients;
  if (clients.value.split('\n').includes('0')) return ok(undefined);
  const fitted = await tmux.run([
    ['resize-window', '-t', pane, '-x', `${columns}`, '-y', `${rows}`],
    // A size that was set stays; the window is to follow its terminal again.
    ['set-option', '-w', '-u', '-t', pane, 'window-size'],
  ]);
  return fitted.ok ? ok(undefined) : fitted;
}

/** Moves a companion of ours that has become too small to where it has room beside the AI pane; its program runs on. */
export async function giveRoom(tmux: TmuxPort, companion: string, beside: string): Promise<Result<void>> {
  const size = await placeOfPane(tmux, companion);
  if (!size.ok) return size;
  const before = await placeOfPane(tmux, beside);
  if (!before.ok) return before;
  const isOurs = size.value.made === 'companion' && size.value.window === before.value.window;
  if (isOfUse(size.value) || !isOurs) return ok(undefined);
  // Without it, the AI pane has the room that both will share.
  const broken = await tmux.run([['break-pane', '-d', '-s', companion, '-n', WINDOW_NAME]]);
  if (!broken.ok) return broken;
  const shared = await placeOfPane(tmux, beside);
  if (!shared.ok) return shared;
  const join = joinArguments(companion, beside, placeCompanion(shared.value));
  const joined = join === null ? ok('') : await tmux.run([join]);
  return joined.ok ? ok(undefined) : joined;
}

/** The tmux command that shows the companion over the window until it is quit. */
export function popupCommand(place: CompanionPlace): string[] {
  const { beside, folder } = place;
  return popupArguments({ beside, folder, command: companionCommand(place) });
}

function companionCommand({ follows, env }: CompanionPlace): string[] {
  return [...placeFlags(env), ownProgram(), 'tui', ...(follows === null ? [] : ['--pane', follows])];
}

/** A companion that shows nothing by then is not merely slow. */
const COMPANION_START_MS = 10_000;
const COMPANION_LOOK_MS = 50;

/** Waits until the companion has drawn something; a failure when it ended instead. */
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

/** The pane that the user looks at: of the client that was used last. */
export async function currentPane(tmux: TmuxPort): Promise<Result<string>> {
  const shown = await tmux.run([['display-message', '-p', '#{pane_id}']]);
  return shown.ok ? ok(shown.value.trim()) : shown;
}

/** Size of a pane, its window (`@N`), and as which part of the layout it was opened; empty for a pane of the user's. */
async function placeOfPane(
  tmux: TmuxPort,
  paneId: string,
): Promise<Result<Cells & { readonly window: string; readonly made: string }>> {
  const format = `#{pane_width} #{pane_height} #{window_id} #{${MADE_OPTION}}`;
  const shown = await tmux.run([['display-message', '-p', '-t', paneId, format]]);
  if (!shown.ok) return shown;
  const [columns, rows, window = '', made = ''] = shown.value.trim().split(' ');
  if (!(Number(columns) > 0)) return fail('not_found', `there is no pane ${paneId}`);
  return ok({ columns: Number(columns), rows: Number(rows), window, made });
}

/** Closes the panes of the session that `up` made; the session goes with its last pane. Gives how many were closed. */
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
