/** Decides which pane is the AI pane. Pure: all facts come in as arguments. */

import { folderName, sessionTitle } from '../../lib/pane-names.ts';
import { type Failure, fail } from '../../lib/result.ts';
import type { CliId } from '../../protocol/cli-id.ts';
import { formatPaneLabel, type PaneFacts } from './formats.ts';

/** A pane with the AI CLI that the process tree shows in it. */
export interface TargetPane {
  readonly facts: PaneFacts;
  /** `generic` if no known AI CLI runs there. */
  readonly cli: CliId;
}

export interface TargetFacts<P extends TargetPane = TargetPane> {
  /** `--pane`: `%N` or a tmux target (`session:window.pane`); null if not given. */
  readonly requested: string | null;
  /** `$AI_PANE` of our own environment. */
  readonly environment: string | null;
  /** `AI_PANE` of the tmux session, and of the server. */
  readonly sessionEnvironment: string | null;
  readonly globalEnvironment: string | null;
  /** `$TMUX_PANE`: the pane that we run in; null outside tmux. */
  readonly ownPaneId: string | null;
  readonly panes: readonly P[];
}

/** How the pane was chosen, for users and for `doctor`. */
type TargetVia = 'requested' | 'environment' | 'role' | 'session' | 'global' | 'process' | 'only';

export type TargetResolution<P extends TargetPane = TargetPane> =
  | { readonly kind: 'found'; readonly pane: P; readonly via: TargetVia }
  /** Several are possible: the user chooses. */
  | { readonly kind: 'ambiguous'; readonly candidates: readonly P[]; readonly failure: Failure }
  /** None; `candidates` are AI panes of other windows. */
  | { readonly kind: 'none'; readonly candidates: readonly P[]; readonly failure: Failure };

/** `%3`, `work:1.0`, `work:editor.0` or targets like `:.1` that name exactly one listed pane. */
function matchTarget<P extends TargetPane>(target: string, panes: readonly P[]): P | null {
  const wanted = target.replace(/^=/, '');
  if (wanted.startsWith('%')) return panes.find((pane) => pane.facts.identity.paneId === wanted) ?? null;
  const found = panes.filter(({ facts }) => {
    const byName = `${facts.sessionName}:${facts.windowName}.${facts.paneIndex}`;
    return wanted === byName || wanted === formatPaneLabel(facts);
  });
  return found.length === 1 ? (found[0] ?? null) : null;
}

function describe({ cli, facts }: TargetPane): string {
  const program = cli === 'generic' ? facts.currentCommand : cli;
  const folder = folderName(facts.cwd);
  const title = sessionTitle(cli, facts.title, folder);
  const what = `${program} in ${folder}${title === '' ? '' : `, "${title}"`}`;
  return `${facts.identity.paneId} ${formatPaneLabel(facts)} (${what})`;
}

const listed = (panes: readonly TargetPane[]): string => panes.map(describe).join(', ');

/** Panes with some property: a single one is the answer, several are a question for the user. */
function chooseOne<P extends TargetPane>(
  candidates: readonly P[],
  via: TargetVia,
): TargetResolution<P> | null {
  const [first] = candidates;
  if (first === undefined) return null;
  if (candidates.length === 1) return { kind: 'found', pane: first, via };
  const failure = fail(
    'not_found',
    `several panes could be the AI pane: ${listed(candidates)}`,
    'Name one with --pane, or mark it: tmux set -p -t %N @copane_role ai',
  ).error;
  return { kind: 'ambiguous', candidates, failure };
}

function onlyOfSession<P extends TargetPane>(
  panes: readonly P[],
  own: PaneFacts | undefined,
): TargetResolution<P> | null {
  const ofSession = panes.filter(
    ({ cli, facts }) => facts.sessionId === own?.sessionId && (cli !== 'generic' || facts.role === 'ai'),
  );
  return ofSession.length === 1 ? chooseOne(ofSession, 'only') : null;
}

function resolveRequested<P extends TargetPane>(
  requested: string,
  facts: TargetFacts<P>,
): TargetResolution<P> {
  const pane = matchTarget(requested, facts.panes);
  if (pane !== null && pane.facts.identity.paneId !== facts.ownPaneId) {
    return { kind: 'found', pane, via: 'requested' };
  }
  const candidates = facts.panes.filter((each) => each.cli !== 'generic');
  const message =
    pane === null ? `there is no pane ${requested}` : `${requested} is copane's own pane, not an AI pane`;
  const hint = candidates.length > 0 ? `AI panes: ${listed(candidates)}` : undefined;
  const failed = hint === undefined ? fail('not_found', message) : fail('not_found', message, hint);
  return { kind: 'none', candidates, failure: failed.error };
}

/**
 * The AI pane: `--pane`, `$AI_PANE`, the pane of this window with `@copane_role` = ai, `AI_PANE` of the session, of the
 * server, the one pane of this window that runs a known AI CLI, the one AI pane of this session. A name without a
 * living pane is skipped (ids restart with every server), except for `--pane`, which was explicit. Never our own pane.
 */
export function resolveTarget<P extends TargetPane>(facts: TargetFacts<P>): TargetResolution<P> {
  if (facts.requested !== null) return resolveRequested(facts.requested, facts);
  const others = facts.panes.filter(
    ({ facts: pane }) => pane.identity.paneId !== facts.ownPaneId && !pane.dead,
  );
  const own = facts.panes.find(({ facts: pane }) => pane.identity.paneId === facts.ownPaneId)?.facts;
  // Outside tmux there is no "this window": then the whole server counts.
  const here = others.filter(({ facts: pane }) => own === undefined || pane.windowId === own.windowId);
  const named = (name: string | null, via: TargetVia): TargetResolution<P> | null => {
    const pane = name === null || name === '' ? null : matchTarget(name, others);
    return pane === null ? null : { kind: 'found', pane, via };
  };
  const found =
    named(facts.environment, 'environment') ??
    chooseOne(
      here.filter(({ facts: pane }) => pane.role === 'ai'),
      'role',
    ) ??
    named(facts.sessionEnvironment, 'session') ??
    named(facts.globalEnvironment, 'global') ??
    chooseOne(
      here.filter(({ cli }) => cli !== 'generic'),
      'process',
    ) ??
    onlyOfSession(others, own);
  if (found !== null) return found;
  const candidates = others.filter(({ cli }) => cli !== 'generic');
  const message =
    candidates.length === 0
      ? 'no pane of this tmux server runs a known AI CLI'
      : `no pane of this window runs a known AI CLI; elsewhere: ${listed(candidates)}`;
  const hint = 'Name the pane with --pane %N, or mark it: tmux set -p -t %N @copane_role ai';
  return { kind: 'none', candidates, failure: fail('not_found', message, hint).error };
}
