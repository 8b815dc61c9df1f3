/** States that misled other tools: each row is a report of a real user, in one line. */
import { describe, expect, it } from 'vitest';
import { claudeScreen, screenOf } from '../../../test/helpers/draw-screen.ts';
import { screenRulesFor } from './registry.ts';

const DIM = '\u001b[2m';
const PLAIN = '\u001b[0m';
const claude = screenRulesFor('claude');

describe('state', () => {
  it.each([
    ['the prompt sign is visible while it works', ['✶ Boogieing… (2m 28s · ↓ 10.9k tokens)'], 'working'],
    ['an unknown spinner word', ['✽ Flibbertigibbeting…'], 'working'],
    ['words in another language', ['✢ Grübeln über den Plan… (3s · ↑ 1.1k tokens)'], 'working'],
    ['several words', ['· Fixing the flaky test… (esc to interrupt · ctrl+t to hide todos)'], 'working'],
    ['only a clock', ['✻ Compacting conversation (1m 2s · ↓ 300 tokens)'], 'working'],
    ['hours', ['✻ Refactoring… (1h 2m 3s · ↓ 300k tokens)'], 'working'],
    ['the asterisk frame', ['* Churning…'], 'working'],
    [
      'a retried request',
      ['✻ Connection refused — a firewall may be block… · retrying in 5s · attempt 5/10'],
      'working',
    ],
    ['a truncated warning', ['● Done.', '', '⚠ Your settings have a key that nobody knows…'], 'idle'],
    ['a finished spinner', ['✻ Worked for 3m 38s'], 'idle'],
    ['a finished spinner with the time of day', ['✻ Cooked for 0s · done 11:25 PM'], 'idle'],
    ['an old spinner above a newer answer', ['✶ Boogieing… (2m · ↓ 1k tokens)', '', '● Done.'], 'idle'],
    ['an old spinner above a finished one', ['✶ Boogieing…', '', '● Done.', '', '✻ Worked for 1s'], 'idle'],
    ['a spinner below an old answer', ['✻ Worked for 1s', '', '❯ next', '', '✶ Boogieing…'], 'working'],
    ['a todo list below the spinner', ['✶ Boogieing…', '  ⎿  ☐ first', '     ☐ second'], 'working'],
    ['an answer that ends in an ellipsis', ['● And so on…'], 'idle'],
    ['an answer that mentions seconds', ['● It took (3s · really) a while'], 'idle'],
  ])('%s', (_report, above, state) => {
    expect(claude.read(claudeScreen(above, '❯ ')).state).toBe(state);
  });

  it.each([
    '  ⏸ manual mode on · esc to interrupt · ← for agents',
    '  ⏵⏵ accept edits on (shift+tab to cycle) · esc to int…',
    '  ⏵⏵ accept edits on (shift+tab to cycle) · esc …',
  ])('trusts the hint below the box while text streams without a spinner: %s', (line) => {
    const hint = [line];
    expect(claude.read(claudeScreen(['● The first words'], '❯ ', hint)).state).toBe('working');
  });

  it('is not misled by the hint in the conversation', () => {
    expect(
      claude.read(claudeScreen(['● Press esc to interrupt me.', '', '✻ Worked for 1s'], '❯ ')).state,
    ).toBe('idle');
  });

  it('opencode: recognizes the moving bar in a pane too narrow for the hint', () => {
    const edge = `  ╹${'▀'.repeat(38)}`;
    const box = ['  ┃', '  ┃', '  ┃', '  ┃  Build · mock', edge];
    const read = (footer: readonly string[]) =>
      screenRulesFor('opencode').read(screenOf([...box, ...footer])).state;
    expect(read(['   ⬝⬝■■■■⬝⬝  esc     tab      ctrl+p', '             interrupagents   commands'])).toBe(
      'working',
    );
    expect(read(['   ~/project     tab       ctrl+p', '                 agents    commands'])).toBe('idle');
  });

  it('Gemini CLI: an answered trust prompt no longer waits while the program restarts', () => {
    const { read } = screenRulesFor('gemini');
    const rows = ['╭────────╮', '│ Do you trust the files in this folder? │', '│                 │'];
    const asked = [...rows, '│ ● 1. Trust folder (project) │', '│   2. Trust parent folder │', '╰────────╯'];
    const restarts = [...asked, ' Gemini CLI is restarting to apply the trust', ' changes...'];
    expect(read(screenOf(asked)).dialog).toContain('Do you trust');
    expect(read(screenOf(restarts))).toMatchObject({ dialog: null, composer: { kind: 'absent' } });
  });

  it('Codex: a prompt that it holds during startup is no draft, and nothing may be typed after it', () => {
    const screen = screenOf(['  >_ OpenAI Codex (v0.171.0)', '     loading', '', '› a prompt', '']);
    const held = screenOf(['     loading', '', '› a prompt', '', '  Waiting for startup  · esc cancel']);
    const { read } = screenRulesFor('codex');
    expect(read(screen)).toMatchObject({ composer: { kind: 'draft', text: 'a prompt' }, queued: false });
    expect(read(held)).toMatchObject({ composer: { kind: 'absent' }, state: 'working', queued: true });
  });

  it.each([
    ['• Working (12s • esc to interrupt)', 'working'],
    ['• Reticulating splines (1m 02s • esc to interrupt)', 'working'],
    ['  Worked for 3m 38s • 23:36', 'idle'],
    ['■ Conversation interrupted - use /feedback', 'idle'],
    ['• An answer, perhaps still growing', 'unknown'],
  ])('Codex: %s', (row, state) => {
    const screen = screenOf([
      '› a prompt',
      '',
      row,
      '',
      `› ${DIM}Ask Codex to do anything${PLAIN}`,
      '',
      '  model',
    ]);
    expect(screenRulesFor('codex').read(screen).state).toBe(state);
  });
});
