/** One AI pane and its readers: of its turns, its visible screen, its project folder. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { ok, type Result } from '../../lib/result.ts';
import { isAlive } from '../../platform/process-state.ts';
import { readTextOf } from '../../platform/regular-file.ts';
import type { DraftKey } from '../../protocol/draft.ts';
import type { OutboxEntry } from '../../protocol/outbox.ts';
import type { PaneIdentity } from '../../protocol/pane.ts';
import { PaneResponses } from '../../responses/pane-responses.ts';
import { screenRulesFor } from '../../responses/screens/registry.ts';
import type { TranscriptReader } from '../../responses/transcripts/port.ts';
import { createTranscriptReaders } from '../../responses/transcripts/registry.ts';
import { createScrollback, viewPane } from '../../tmux/capture.ts';
import type { PaneListing, Panes } from '../../tmux/panes.ts';
import type { TmuxPort } from '../../tmux/port.ts';
import type { PaneHooks } from './pane-hooks.ts';

/** The size limit of git's one-line files. */
const HEAD_MAX_BYTES = 4096;

export interface AiPaneAccess {
  readonly tmux: TmuxPort;
  readonly panes: Panes;
  readonly hooks: PaneHooks;
  readonly sent: (pane: PaneIdentity) => Promise<readonly OutboxEntry[]>;
}

/** The session reader of a pane's CLI; null for another program, or if its process is not visible. */
export function readerOf(listing: PaneListing): TranscriptReader | null {
  if (listing.cliPid === null) return null;
  return createTranscriptReaders({ isAlive }).get(listing.cli) ?? null;
}

/** The turns of a pane. Keep this reader: each read costs only what is new. */
export function openResponses(access: AiPaneAccess, listing: PaneListing): PaneResponses {
  const { identity } = listing.facts;
  const scrollback = createScrollback(access.tmux, identity.paneId, listing.facts);
  return new PaneResponses(
    { cli: listing.cli, reader: readerOf(listing), rules: screenRulesFor(listing.cli) },
    {
      history: () => scrollback.read(),
      screen: async () => {
        const view = await viewPane(access.tmux, identity.paneId);
        return view.ok ? view.value.screen.rows.map(({ text }) => text) : [];
      },
      sent: async () => (await access.sent(identity)).map(({ text, createdAt: at }) => ({ text, at })),
      hookSession: () => access.hooks.sessionOf(listing),
      place: () => access.panes.place(listing),
      isAlone: async () => {
        const listed = await access.panes.list();
        const isLike = ({ cli, facts }: PaneListing) =>
          cli === listing.cli && facts.cwd === listing.facts.cwd && facts.identity.paneId !== identity.paneId;
        return !listed.ok || !listed.value.some(isLike);
      },
      hasEnded: () => listing.cliPid !== null && !isAlive(listing.cliPid),
    },
  );
}

/** The folder that a pane works in: the repository around it, else the folder itself. */
export function projectOf(folder: string): string {
  for (let at = folder; ; at = path.dirname(at)) {
    if (existsSync(path.join(at, '.git'))) return at;
    if (at === path.dirname(at)) return folder;
  }
}

/** The branch checked out in the repository around a folder; null if none. */
export async function branchOf(folder: string): Promise<string | null> {
  const project = projectOf(folder);
  if (!existsSync(path.join(project, '.git'))) return null;
  const read = (file: string) => readTextOf(file, HEAD_MAX_BYTES);
  // In a worktree `.git` is a file that points at the folder.
  const link = /^gitdir: (.+)$/m.exec(await read(path.join(project, '.git')))?.[1];
  const head = await read(path.resolve(project, link ?? '.git', 'HEAD'));
  return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1] ?? null;
}

/** The key of a pane's draft is its position in tmux: ids restart with every server, and tmux renames windows. */
export function draftKeyOf({ facts }: PaneListing): DraftKey {
  const { sessionName, windowIndex, paneIndex, cwd } = facts;
  return { project: projectOf(cwd), pane: `${sessionName}:${windowIndex}.${paneIndex}` };
}

/** The AI pane that the user means, or why that is ambiguous. */
export async function resolvePane(panes: Panes, requested: string | null): Promise<Result<PaneListing>> {
  const resolved = await panes.resolve(requested);
  if (!resolved.ok) return resolved;
  return resolved.value.kind === 'found'
    ? ok(resolved.value.pane)
    : { ok: false, error: resolved.value.failure };
}
