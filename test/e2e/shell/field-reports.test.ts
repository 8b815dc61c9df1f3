/**
 * Reported bugs of other shell plugins. The table at the end names the test of each report; tests that no other file
 * has are here.
 */
import { chownSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ScriptedDaemon } from '../../helpers/scripted-daemon.ts';
import { atEnd, CONTINUE, endWithTest, startZsh } from '../../helpers/zsh-client.ts';
import { ZshPty } from '../../helpers/zsh-pty.ts';
import { FIELD_REPORTS, FIRST_CLIENT_DEFECTS } from './field-reports.ts';

endWithTest();

describe('the row', () => {
  it('is gone after Enter even when a theme draws the prompt anew in its own hook', async () => {
    for (const when of ['before', 'after'] as const) {
      const { zsh } = await startZsh({
        [when]: [
          'autoload -Uz add-zle-hook-widget',
          'redraw-prompt() { zle reset-prompt }; zle -N redraw-prompt',
          'add-zle-hook-widget line-finish redraw-prompt',
        ],
      });
      zsh.type('true x');
      await zsh.untilText('(1/2)');
      zsh.type('\r');
      await zsh.untilState(({ buffer, state }) => buffer === '' && state === 'idle');
      await zsh.untilNoText('(1/2)');
    }
  });

  it('goes when a widget writes another line', async () => {
    const { zsh } = await startZsh(
      { before: ['other() { BUFFER=bye; CURSOR=3 }; zle -N other', "bindkey '^X^O' other"] },
      ({ input }) => (input === 'hi' ? ['hibye unexpected'] : []),
    );
    zsh.type('hi');
    await zsh.untilText('hibye unexpected');
    zsh.type('\u0018\u000f');
    await zsh.untilText('# bye');
    await zsh.untilNoText('unexpected');
  });

  it('comes for the second command too, whatever a theme does to the hooks', async () => {
    for (const hook of ['zle-line-init', 'zle-line-finish', 'zle-keymap-select']) {
      const { zsh } = await startZsh({ after: [`${hook}() { true }; zle -N ${hook}`] });
      for (const line of ['true one', 'true two']) {
        zsh.type(line);
        await zsh.untilText(`(1/2) ${line} --first`);
        zsh.type('\r');
        await zsh.untilState(({ buffer }) => buffer === '');
        await zsh.untilNoText('(1/2)');
      }
    }
  });
});

describe('descriptors', () => {
  it('a ready descriptor that is not ours is let go, and closing twice closes nothing of others', async () => {
    const { zsh } = await startZsh();
    zsh.type('ls');
    await zsh.untilText('(1/2)');
    zsh.type('\u0015');
    const said = await zsh.run(
      [
        '.ashlet:complete-callback 63',
        '.ashlet:disconnect; .ashlet:disconnect',
        'exec {mine}</dev/null',
        '.ashlet:close-fd 0; .ashlet:disconnect; .ashlet:stop-waiting',
        '{ read -u $mine -t 0 } 2>&1; print -r -- still-open',
      ].join('; '),
    );
    expect(said).toBe('still-open');
    zsh.type('ls');
    await zsh.untilText('(1/2)');
  });
});

describe('the line', () => {
  it('of many thousand letters, pasted, is not work for us', async () => {
    const { zsh } = await startZsh();
    const started = performance.now();
    zsh.type(`\u001b[200~${'echo word '.repeat(1_000)}\u001b[201~`);
    await zsh.untilState(({ buffer }) => buffer.length === 10_000);
    zsh.type('\u0015ls');
    await zsh.untilText('(1/2) ls --first', 20_000);
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  it('goes out and comes back as it is: tabs, newlines at its end, blanks in quotes', async () => {
    const { daemon, zsh } = await startZsh({}, ({ input }) => [`${input}"a  b"\t.`]);
    zsh.type('echo\u0016\t\u0016\n');
    expect((await daemon.requestFor('echo\t\n')).cursor_pos).toBe(6);
    await zsh.untilText('(1/1)');
    zsh.type('\t');
    await zsh.untilState(({ buffer }) => buffer === 'echo\t\n"a  b"\t.');
  });

  it('that looks like an option is not an option', async () => {
    const { daemon, zsh } = await startZsh();
    zsh.type('-x "a');
    expect((await daemon.requestFor('-x "a')).input).toBe('-x "a');
    await zsh.untilText('(1/2) -x "a --first');
  });

  it('with an unknown name wakes no handler of unknown names', async () => {
    const { zsh } = await startZsh({ before: ['command_not_found_handler() { print HANDLED; return 127 }'] });
    await zsh.typeSlowly('nosuchname');
    await zsh.untilText('(1/2) nosuchname --first');
    expect(zsh.everything).not.toContain('HANDLED');
    zsh.type('\r');
    await zsh.untilText('HANDLED');
  });
});

it('arrows in the other keypad mode go to the history as well', async () => {
  const { zsh } = await startZsh();
  zsh.type('true older\r');
  await zsh.untilState(({ buffer }) => buffer === '');
  zsh.type('ls');
  await zsh.untilText('(1/2) ls');
  zsh.type('\u001bOA');
  await zsh.untilState(({ buffer, state }) => buffer === 'true older' && state === 'idle');
  zsh.type('\u001bOB');
  await zsh.untilText('(1/2) ls --first');
});

it('a socket of another user gets no letter', async ({ skip }) => {
  if (process.getuid?.() !== 0) skip('only root can give a file away');
  const daemon = await new ScriptedDaemon({ answer: CONTINUE }).start();
  atEnd(() => daemon.stop());
  chownSync(daemon.socket, 65_534, 65_534);
  const zsh = await new ZshPty({ socket: daemon.socket }).ready();
  atEnd(() => zsh.close());
  await zsh.typeSlowly('secret line');
  await zsh.untilState(({ buffer, state }) => buffer === 'secret line' && state === 'idle');
  expect(daemon.connections).toBe(0);
});

it('a shell without a history file has suggestions of what it runs', async () => {
  const { daemon, zsh } = await startZsh({ before: ['unset HISTFILE'] });
  zsh.type('true x\r');
  await zsh.untilState(({ buffer }) => buffer === '');
  zsh.type('tr');
  await daemon.requestFor('tr');
  await zsh.until(() => daemon.messages.some(({ event }) => event === 'executed'), 'what ran');
  expect(daemon.messages.find(({ type }) => type === 'context')).toMatchObject({ histfile: '' });
});

it('works with a home that cannot be written, and writes nothing there', async () => {
  const { zsh } = await startZsh({ env: { HOME: '/proc/nowhere', TMPPREFIX: '/proc/nowhere/zsh' } });
  zsh.type('ls');
  await zsh.untilText('(1/2) ls --first');
  zsh.type('\t');
  await zsh.untilState(({ buffer }) => buffer === 'ls --first');
  expect(zsh.everything).not.toMatch(/no such file|permission|cannot/i);
});

describe('each report has its test', () => {
  const ROOT = path.resolve(import.meta.dirname, '../../..');
  it.each([...FIRST_CLIENT_DEFECTS, ...FIELD_REPORTS].map((entry) => [entry.what, entry] as const))(
    '%s',
    (_what, { file, test }) => {
      const text = readFileSync(path.join(ROOT, file), 'utf8');
      expect(text.includes(`'${test}'`) || text.includes(`"${test}"`), `${test} in ${file}`).toBe(true);
    },
  );

  it('none is missing', () => {
    expect(FIRST_CLIENT_DEFECTS).toHaveLength(18);
    expect(FIELD_REPORTS).toHaveLength(35);
  });
});
