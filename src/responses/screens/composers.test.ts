/** Composers that misled other tools: each row is a report of a real user, in one line. */
import { describe, expect, it } from 'vitest';
import { claudeScreen, RULE, screenOf } from '../../../test/helpers/draw-screen.ts';
import { screenRulesFor } from './registry.ts';

const DIM = '\u001b[2m';
const PLAIN = '\u001b[0m';
const claude = screenRulesFor('claude');

describe('composer', () => {
  it.each([
    ['faint text is a suggestion, not a draft', `❯ ${DIM}fix the failing tests${PLAIN}`, 'empty'],
    [
      'the same with the cursor drawn over its first letter',
      `❯ \u001b[7mf${PLAIN}${DIM}ix the tests${PLAIN}`,
      'empty',
    ],
    ['bright text is a draft', '❯ \u001b[39mfix the failing tests', 'draft'],
    [
      'a bright word with a faint completion after it is a draft',
      `❯ fix the ${DIM}failing tests${PLAIN}`,
      'draft',
    ],
    ['one typed letter is a draft', '❯ y', 'draft'],
    ['a folded paste is staged text', '❯ [Pasted text #1 +12 lines]', 'pill'],
    ['a folded paste with words around it, too', '❯ see [Pasted text #2 +3 lines] please', 'pill'],
    ['a picture in place of its path is staged text', '❯ [Image #1]', 'pill'],
    ['a picture beside words is a draft', '❯ [Image #1] like this', 'draft'],
    ['a no-break space after the sign', '❯\u00a0', 'empty'],
  ])('%s', (_report, input, kind) => {
    expect(claude.read(claudeScreen(['● Done.'], input)).composer.kind).toBe(kind);
  });

  it('counts a suggestion over two rows as an empty composer', () => {
    const rows = [
      '● Done.',
      '',
      RULE,
      `❯ ${DIM}fix the failing tests`,
      `  and then commit${PLAIN}`,
      RULE,
      '',
    ];
    expect(claude.read(screenOf(rows)).composer).toEqual({ kind: 'empty' });
  });

  it('finds the composer above a HUD of any height', () => {
    const hud = [
      '  ctx 42% │ $1.20',
      '  main ✓ │ 3 files',
      '  ⏵⏵ accept edits on',
      '  tokens 120k',
      '  MCP 4',
    ];
    expect(claude.read(claudeScreen(['● Done.'], '❯ not yet sent', hud)).composer).toEqual({
      kind: 'draft',
      text: 'not yet sent',
    });
  });

  it('finds a composer whose upper rule contains a name', () => {
    const named = `${'─'.repeat(40)} my session ${'─'.repeat(6)}`;
    const screen = screenOf(['● Done.', '', named, '❯ a draft', RULE, '  ? for shortcuts']);
    expect(claude.read(screen).composer).toEqual({ kind: 'draft', text: 'a draft' });
  });

  it('reads the framed box of older versions', () => {
    const frame = '─'.repeat(58);
    const rows = [
      '● Done.',
      '',
      `╭${frame}╮`,
      `│ > a draft${' '.repeat(48)}│`,
      `╰${frame}╯`,
      '  ? for shortcuts',
    ];
    expect(claude.read(screenOf(rows)).composer).toEqual({ kind: 'draft', text: 'a draft' });
  });

  it('reads a draft of many rows without its indentation', () => {
    const rows = ['● Done.', '', RULE, '❯ first', '  second', '', '  fourth', RULE, ''];
    expect(claude.read(screenOf(rows)).composer).toEqual({ kind: 'draft', text: 'first\nsecond\n\nfourth' });
  });

  it.each([
    ['blank rows', ['   second', '', '   - fourth', '\u001b[49m'], 'first\nsecond\n\n- fourth'],
    ['suggestions below it', ['', '\u001b[49m   first  a command', ''], 'first'],
  ])('reads a draft of Gemini CLI with %s, by its background', (_what, rest, text) => {
    const box = ['\u001b[0m Shift+Tab to accept edits', '\u001b[48;5;240m', ' > first', ...rest];
    const reading = screenRulesFor('gemini').read(
      screenOf([RULE, ...box, ' workspace (/directory)  /model']),
    );
    expect(reading.composer).toEqual({ kind: 'draft', text });
  });

  it.each(['aider', 'claude', 'codex', 'gemini', 'opencode', 'pi'] as const)(
    '%s: finds no composer on a shell, a pager or an empty screen, and claims no state',
    (cli) => {
      const pager = Array.from({ length: 20 }, (_, n) => `commit ${n} by somebody`).concat(':');
      for (const rows of [[], ['user@host:~$ '], pager]) {
        const reading = screenRulesFor(cli).read(screenOf(rows));
        expect(reading.composer).toEqual({ kind: 'absent' });
        expect(reading.dialog).toBeNull();
        expect(reading.state).not.toBe('idle');
      }
    },
  );
});
