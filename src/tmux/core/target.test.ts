import { describe, expect, it } from 'vitest';
import type { CliId } from '../../protocol/cli-id.ts';
import { type PaneFacts, parsePane } from './formats.ts';
import { resolveTarget, type TargetFacts, type TargetPane } from './target.ts';

const template = parsePane(
  ['1', '%0', '10', '$0', '@0', '0', '0', ...Array.from({ length: 24 }, () => '')].join('|~|'),
);

function pane(id: number, window: number, cli: CliId, more: Partial<PaneFacts> = {}): TargetPane {
  if (template === null) throw new Error('bad template');
  const identity = { ...template.identity, paneId: `%${id}` };
  const names = { sessionName: 'work', windowName: `w${window}`, windowIndex: window, paneIndex: id };
  return { cli, facts: { ...template, ...names, identity, windowId: `@${window}`, ...more } };
}

const OWN = pane(1, 1, 'generic');

function resolve(panes: readonly TargetPane[], more: Partial<TargetFacts> = {}) {
  const resolution = resolveTarget({
    requested: null,
    environment: null,
    sessionEnvironment: null,
    globalEnvironment: null,
    ownPaneId: '%1',
    panes: [OWN, ...panes],
    ...more,
  });
  if (resolution.kind === 'found') return `${resolution.pane.facts.identity.paneId} ${resolution.via}`;
  return `${resolution.kind}: ${resolution.failure.message} / ${resolution.failure.hint ?? ''}`;
}

describe('which pane is the AI pane', () => {
  const claude = pane(2, 1, 'claude');
  const codex = pane(3, 1, 'codex');
  const elsewhere = pane(4, 2, 'gemini');
  const marked = pane(5, 1, 'generic', { role: 'ai' });

  const cases: readonly (readonly [string, readonly TargetPane[], Partial<TargetFacts>, string | RegExp])[] =
    [
      ['requested by id', [claude, codex], { requested: '%3', environment: '%2' }, '%3 requested'],
      ['requested by name', [claude, codex], { requested: 'work:w1.3' }, '%3 requested'],
      ['requested by index', [claude], { requested: 'work:1.2' }, '%2 requested'],
      [
        'requested, not there',
        [claude],
        { requested: '%9' },
        /none: there is no pane %9 .*%2 work:1.2 \(claude in [^)]*\)/,
      ],
      ['requested, our own', [claude], { requested: '%1' }, /own pane/],
      ['$AI_PANE', [claude, codex, marked], { environment: '%3' }, '%3 environment'],
      ['$AI_PANE of a server that is gone is passed over', [claude], { environment: '%77' }, '%2 process'],
      ['the marked pane of this window', [claude, marked], { sessionEnvironment: '%2' }, '%5 role'],
      ['two marked panes', [marked, pane(6, 1, 'generic', { role: 'ai' })], {}, /ambiguous: .*%5.*%6/],
      ['the session', [claude, codex], { sessionEnvironment: '%3', globalEnvironment: '%2' }, '%3 session'],
      ['the server', [claude, codex], { globalEnvironment: '%2' }, '%2 global'],
      ['the one AI CLI of this window', [claude, elsewhere], {}, '%2 process'],
      ['several AI CLIs', [claude, codex], {}, /ambiguous: .*%2 work:1.2 \(claude in [^)]*\), %3/],
      ['only in another window of the session', [elsewhere], {}, '%4 only'],
      ['the marked one of another window', [pane(5, 2, 'generic', { role: 'ai' })], {}, '%5 only'],
      ['two in other windows', [elsewhere, pane(6, 3, 'pi')], {}, /none: .*elsewhere: %4 .*--pane/],
      ['only in another session', [pane(4, 2, 'gemini', { sessionId: '$9' })], {}, /none: .*elsewhere: %4/],
      ['outside tmux: the whole server', [elsewhere], { ownPaneId: null }, '%4 process'],
      ['nowhere', [], {}, /none: no pane of this tmux server runs a known AI CLI/],
      ['a dead one does not count', [pane(2, 1, 'claude', { dead: true }), codex], {}, '%3 process'],
      ['$AI_PANE that is our own pane is passed over', [claude], { environment: '%1' }, '%2 process'],
    ];
  it.each(cases)('%s', (_name, panes, facts, expected) => {
    expect(resolve(panes, facts)).toMatch(
      typeof expected === 'string' ? new RegExp(`^${expected}$`) : expected,
    );
  });
});
