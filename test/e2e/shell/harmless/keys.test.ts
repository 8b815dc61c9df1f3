/** In a zsh with our client, keys do what they did before, unless a row is shown. */
import { describe, expect, it } from 'vitest';
import { endWithTest, startZsh } from '../../../helpers/zsh-client.ts';

endWithTest();

describe('keys', () => {
  it('TAB does what it did before when no row is shown', async () => {
    const { zsh } = await startZsh({}, () => []);
    zsh.type('cat .zsh\t');
    await zsh.until((screen) => screen.startsWith('# cat .zshrc'));
  });

  it('TAB calls the widget that was bound before, whether it came before or after us', async () => {
    const mine = ['my-tab() { LBUFFER+=MINE }', 'zle -N my-tab', "bindkey '^I' my-tab"];
    for (const when of ['before', 'after'] as const) {
      const { zsh } = await startZsh({ [when]: mine }, () => []);
      zsh.type('xy\t');
      await zsh.untilText('# xyMINE');
    }
  });

  it('a widget that wraps ours and is wrapped by it does not loop', async () => {
    const { zsh } = await startZsh(
      { after: ['wrap() { zle .ashlet:apply-tab }', 'zle -N wrap', "bindkey '^I' wrap"] },
      () => [],
    );
    zsh.type('cat .zsh\t');
    await zsh.until((screen) => screen.startsWith('# cat .zshrc'));
  });

  it('a widget that wraps ours, loaded after us, still reaches the completion functions', async () => {
    const { zsh } = await startZsh(
      {
        before: ['autoload -Uz compinit; compinit -u -D'],
        after: [
          'zeta() { true }; _zeta() { compadd -- only-by-function }; compdef _zeta zeta',
          'wrap() { zle .ashlet:apply-tab }',
          'zle -N wrap',
          "bindkey '^I' wrap",
        ],
      },
      () => [],
    );
    zsh.type('zeta on\t');
    await zsh.until((screen) => screen.startsWith('# zeta only-by-function'));
  });

  it('Shift+TAB is the shell completion, row or not', async () => {
    const { zsh } = await startZsh();
    zsh.type('cat .zsh');
    await zsh.untilText('(1/2)');
    zsh.type('\u001b[Z');
    await zsh.until((screen) => screen.startsWith('# cat .zshrc'));
  });

  it('ESC with no row is still a prefix, however slow', async () => {
    const { zsh } = await startZsh({}, () => []);
    zsh.type('one two');
    await zsh.untilState(({ buffer }) => buffer === 'one two');
    zsh.type('\u001b');
    await new Promise((resolve) => setTimeout(resolve, 200));
    zsh.type('b');
    expect(await zsh.untilState(({ cursor }) => cursor === 4)).toMatchObject({ buffer: 'one two' });
  });

  it('ESC calls a widget that the user had bound to it, row or not', async () => {
    const { zsh } = await startZsh({
      before: ['my-esc() { LBUFFER+=E }', 'zle -N my-esc', "bindkey -M emacs '^[' my-esc"],
    });
    zsh.type('ls');
    await zsh.untilText('(1/2)');
    zsh.type('\u001b');
    await zsh.untilText('# lsE');
  });

  it('vi mode: ESC goes to command mode at once and takes the row away', async () => {
    const { zsh } = await startZsh({ before: ['bindkey -v'] });
    zsh.type('echo abc');
    await zsh.untilText('(1/2)');
    zsh.type('\u001b');
    await zsh.untilNoText('(1/2)');
    zsh.type('0x');
    await zsh.untilText('# cho abc');
    zsh.type('ie');
    await zsh.untilText('(1/2) echo abc --first');
    zsh.type('\t');
    await zsh.untilText('# echo abc --first');
    expect(await zsh.run("bindkey -M viins '^['; bindkey -M vicmd '^['")).toMatch(
      /vi-cmd-mode\n.*(undefined-key|beep)/,
    );
  });

  it('vi mode without escape sequences stays without them', async () => {
    const { zsh } = await startZsh({ before: ['bindkey -v', "bindkey -rpM viins '^['"] });
    expect(await zsh.run("bindkey -M viins | grep -c '\\^\\[\\['")).toBe('0');
  });

  it('private mode sends nothing until it is left, and shows that', async () => {
    const { daemon, zsh } = await startZsh();
    zsh.type('\u0018\u0010');
    await zsh.untilText('private: nothing is sent');
    zsh.type('secret thing');
    await zsh.untilState(({ buffer }) => buffer === 'secret thing');
    await zsh.untilText('private: nothing is sent');
    zsh.type('\u0015\u0018\u0010');
    await zsh.untilNoText('private:');
    zsh.type('ls');
    await zsh.untilText('(1/2)');
    expect(daemon.requests.map(({ input }) => input).filter((input) => input.includes('secret'))).toEqual([]);
  });

  it('a line that begins with a blank is never sent', async () => {
    const { daemon, zsh } = await startZsh();
    await zsh.typeSlowly(' secret');
    await zsh.untilState(({ buffer }) => buffer === ' secret');
    zsh.type('\r');
    await zsh.untilText('command not found');
    zsh.type('ls');
    await zsh.untilText('(1/2)');
    expect(JSON.stringify([daemon.requests, daemon.messages])).not.toContain('secret');
  });
});
