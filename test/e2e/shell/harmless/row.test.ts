/** Where and how the zsh client shows a row; it leaves nothing on the screen. */
import { describe, expect, it } from 'vitest';
import { ScriptedDaemon } from '../../../helpers/scripted-daemon.ts';
import { atEnd, endWithTest, startZsh } from '../../../helpers/zsh-client.ts';
import { ZshPty } from '../../../helpers/zsh-pty.ts';

endWithTest();

describe('places', () => {
  it('vared, select and nested editors are left alone', async () => {
    const { daemon, zsh } = await startZsh();
    zsh.type('v=abcdef; vared v\r');
    await zsh.until((screen) => screen.endsWith('\nabcdef'));
    const asked = daemon.requests.length;
    zsh.type('gh');
    await zsh.until((screen) => screen.endsWith('abcdefgh'));
    expect(daemon.requests).toHaveLength(asked);
    zsh.type('\r');
    await zsh.until((screen) => screen.endsWith('#'));
  });

  it('at PS2 it asks where a command may start, not inside quotes', async () => {
    const { daemon, zsh } = await startZsh();
    zsh.type('for i in 1; do\r');
    await zsh.untilText('for>');
    zsh.type('ec');
    await zsh.untilText('(1/2) ec --first');
    zsh.type('ho x; done\r');
    await zsh.until((screen) => /^x$/m.test(screen));
    zsh.type("echo 'a\r");
    await zsh.untilText('quote>');
    const asked = daemon.requests.length;
    zsh.type("bcd'\r");
    await zsh.until((screen) => /^bcd$/m.test(screen));
    expect(daemon.requests).toHaveLength(asked);
  });

  it('works in a buffer of several lines and with letters of several bytes', async () => {
    const { daemon, zsh } = await startZsh({}, ({ input }) => [`${input}\necho "世界"`]);
    zsh.type('echo 世界 é');
    const request = await daemon.requestFor('echo 世界 é');
    expect(request.cursor_pos).toBe(14);
    await zsh.untilText('(1/1) echo 世界 é⏎echo "世界"');
    zsh.type('\t');
    const multi = await daemon.requestFor('echo 世界 é\necho "世界"');
    expect(multi.cursor_pos).toBe(Buffer.byteLength(multi.input));
    await zsh.until((screen) => /^# echo 世界 é\necho "世界"/.test(screen));
  });

  it('places the cursor where a candidate says, counted in bytes', async () => {
    const { zsh } = await startZsh({}, () => []);
    zsh.close();
    const daemon = await new ScriptedDaemon({
      answer: () => [{ completion: 'echo "世界" é', cursor_pos: 12 }],
    }).start();
    atEnd(() => daemon.stop());
    const shell = await new ZshPty({ socket: daemon.socket }).ready();
    atEnd(() => shell.close());
    shell.type('echo');
    await shell.untilText('(1/1) echo "世界|" é');
    shell.type('\t');
    expect(await shell.untilState(({ buffer }) => buffer.includes('é'))).toMatchObject({ cursor: 8 });
  });

  it('a paste is one request', async () => {
    const { daemon, zsh } = await startZsh();
    zsh.type('ls');
    await zsh.untilText('(1/2)');
    const asked = daemon.requests.length;
    zsh.type(`\u0015${'echo word '.repeat(40)}`);
    await zsh.until(
      () => daemon.requests.some(({ input }) => input.length === 400),
      'the request for the whole',
    );
    expect(daemon.requests.length - asked).toBeLessThan(8);
    zsh.type('\u0015\u001b[200~echo bracketed paste\u001b[201~');
    await daemon.requestFor('echo bracketed paste');
  });
});

describe('the row', () => {
  it('is cut to the width, wide letters and all, and drops the hint first', async () => {
    const { zsh } = await startZsh({ columns: 40 }, () => [`ls ${'世'.repeat(40)}`]);
    zsh.type('ls');
    await zsh.untilText('(1/1) ls 世');
    const row = zsh.rows[1] ?? '';
    expect(row).toMatch(/…$/);
    expect(row).not.toContain('apply');
    expect(zsh.rows[2]).toBe('');
    zsh.type('\t');
    await zsh.untilState(({ buffer }) => buffer === `ls ${'世'.repeat(40)}`);
  });

  it('has a grey hint at the right edge', async () => {
    const { zsh } = await startZsh();
    zsh.type('ls');
    await zsh.untilText('(1/2)');
    const row = zsh.rows[1] ?? '';
    expect(row).toMatch(/^\(1\/2\) ls --first +\[↹\] apply \| \[⇧\]\+\[←\/→\] navigate$/);
    expect(zsh.colourAt(1, row.indexOf('apply'))).toBe(242);
    expect(zsh.colourAt(1, 1)).toBe(-1);
    expect((await zsh.probe()).highlights).toBe(1);
  });

  it('speaks ASCII where the locale is not UTF-8', async () => {
    const { zsh } = await startZsh({ env: { LC_ALL: 'C', LANG: 'C' } });
    zsh.type('ls');
    await zsh.untilText('[Tab] apply | [Shift]+[Left/Right] navigate');
  });

  it('leaves nothing after a resize or a clear-screen', async () => {
    const { zsh } = await startZsh({ columns: 80 });
    zsh.type('ls');
    await zsh.untilText('navigate');
    zsh.resize(50, 16);
    await zsh.until(
      (screen) => (screen.match(/\(1\/2\)/g) ?? []).length === 1 && !screen.includes('navigate\n('),
    );
    zsh.resize(100, 16);
    await zsh.until(
      (screen) => screen.includes('navigate') && (screen.match(/\(1\/2\)/g) ?? []).length === 1,
    );
    zsh.type('\u000c');
    await zsh.until((screen) => /^# ls\n\(1\/2\) ls --first/.test(screen));
    expect((zsh.screen.match(/\(1\/2\)/g) ?? []).length).toBe(1);
  });

  it('at the bottom of the screen scrolls once and stays', async () => {
    const { zsh } = await startZsh({ rows: 6 });
    zsh.type('print -l 1 2 3 4 5 6 7\r');
    await zsh.until((screen) => /7\n#$/.test(screen));
    zsh.type('ls');
    await zsh.until((screen) => /# ls\n\(1\/2\) ls --first.*$/.test(screen));
    zsh.type('\u0015');
    await zsh.until((screen) => /#$/.test(screen) && !screen.includes('(1/2)'));
  });
});
