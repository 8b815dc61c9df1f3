/**
 * `copane up`, `down` and the split: makes and removes the layout in tmux. Touches only panes that it made and
 * never the user's tmux.conf.
 */
import { realpathSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fail, ok, type Result } from '../../lib/result.ts';
import { findOnPath } from '../../platform/exec.ts';
import type { Env } from '../../platform/paths.ts';
import { viewPane } from '../../tmux/capture.ts';
import type { TmuxPort } from '../../tmux/port.ts';
import { ownProgram, placeFlags } from '../self.ts';
import {
  aiPaneCommand,
  placeCompanion,
  popupArguments,
  type SessionFact,
  STARTABLE_CLIS,
  sessionNameFor,
  splitArguments,
} from './plan.ts';

/** Panes that `up` made bear this option, with the role they have. `down` closes these and no other. */
const MADE_OPTION = '@copane_made';
/** Size of a session that nobody looks at yet; tmux fits it to the first terminal that attaches. */
const DETACHED_SIZE = { columns: 160, rows: 48 };

export interface Terminal {
  readonly columns: number;
  readonly rows: number;
}

/** Names of the AI CLIs on the PATH, in the order in which they are offered. */
export function installedClis(env: Env): string[] {
  return STARTABLE_CLIS.filter((name) => findOnPath(name, env) !== null);
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
  readonly terminal: Terminal | null;
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
      wanted.folder,
      '-x',
      String(columns),
      '-y',
      String(rows),
      ...placeFlags(wanted.env),
      ...aiPaneCommand(wanted.ai),
    ],
  ]);
  if (!made.ok) return made;
  const aiPane = made.value.trim();
  const marked = await tmux.run([
    ['set-option', '-p', '-t', aiPane, '@copane_role', 'ai'],
    ['set-option', '-p', '-t', aiPane, MADE_OPTION, 'ai'],
  ]);
  return marked.ok ? ok(aiPane) : marked;
}

/** The size that the session of `wanted` begins with. Some terminals say nothing of their size: it is 0 then. */
export function sessionSize({ terminal }: Pick<NewSession, 'terminal'>): Terminal {
  return terminal !== null && terminal.columns > 0 && terminal.rows > 0 ? terminal : DETACHED_SIZE;
}

export interface CompanionPlace {
  /** `%N` of the pane beside or over which the companion goes. */
  readonly aiPane: string;
  readonly folder: string;
  readonly env: Env;
  /** The companion looks for its AI pane itself: `aiPane` is only the place. */
  readonly unbound?: boolean;
}

/** Opens the companion beside a pane of `columns`; gives the id of its pane. */
export async function splitCompanion(
  tmux: TmuxPort,
  place: CompanionPlace & { readonly columns: number },
): Promise<Result<string>> {
  const { aiPane, columns, folder } = place;
  const split = await tmux.run([
    splitArguments(aiPane, placeCompanion(columns), folder, companionCommand(place)),
  ]);
  if (!split.ok) return split;
  const pane = split.value.trim();
  const marked = await tmux.run([['set-option', '-p', '-t', pane, MADE_OPTION, 'companion']]);
  return marked.ok ? ok(pane) : marked;
}

/** The tmux command that shows the companion over the window until it is quit. */
export function popupCommand(place: CompanionPlace): string[] {
  return popupArguments(place.aiPane, place.folder, companionCommand(place));
}

function companionCommand({ aiPane, env, unbound = false }: CompanionPlace): string[] {
  return [...placeFlags(env), ownProgram(), 'tui', ...(unbound ? [] : ['--pane', aiPane])];
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

/** Width of a pane, in columns. */
export async function paneColumns(tmux: TmuxPort, paneId: string): Promise<Result<number>> {
  const shown = await tmux.run([['display-message', '-p', '-t', paneId, '#{pane_width}']]);
  if (!shown.ok) return shown;
  const columns = Number(shown.value);
  return columns > 0 ? ok(columns) : fail('not_found', `there is no pane ${paneId}`);
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
