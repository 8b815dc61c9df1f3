/** Every transition of the zsh client, key by key, in a real zsh with a daemon that answers on command. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ScriptedDaemon } from '../../helpers/scripted-daemon.ts';
import { until } from '../../helpers/until.ts';
import { ZshPty } from '../../helpers/zsh-pty.ts';

const TAB = '\t';
const ESC = '\u001b';
const SHIFT_LEFT = '\u001b[1;2D';
const SHIFT_RIGHT = '\u001b[1;2C';
const UP = '\u001b[A';
const DOWN = '\u001b[B';
const LEFT = '\u001b[D';

describe('the zsh client', () => {
  let daemon: ScriptedDaemon;
  let zsh: ZshPty;

  beforeEach(async () => {
    daemon = await new ScriptedDaemon().start();
    zsh = await new ZshPty({ socket: daemon.socket }).ready();
  });
  afterEach(async () => {
    zsh.close();
    await daemon.stop();
  });

  async function show(input: string, answer: string[]): Promise<void> {
    zsh.type(input);
    daemon.reply(await daemon.requestFor(input), answer);
    await zsh.untilText(`(1/${answer.length}) ${answer[0]}`);
  }

  it('asks as the contract says', async () => {
    zsh.type('git st');
    const request = await daemon.requestFor('git st');
    expect(request).toMatchObject({
      cursor_pos: 6,
      cwd: zsh.dir,
      session_id: String(zsh.pid),
      max_candidates: 4,
      delay_ms: 50,
      format: 'sep1',
    });
    expect(request.request_id).toBeGreaterThan(0);
  });

  it('IDLE: one letter is not enough', async () => {
    zsh.type('g');
    await zsh.untilText('# g');
    expect((await zsh.probe()).state).toBe('idle');
    expect(daemon.requests).toHaveLength(0);
  });

  it('IDLE → FETCHING on the empty line behind a command that failed: a repair, until a key is typed', async () => {
    zsh.type('true nothing\r');
    await zsh.untilState(({ buffer }) => buffer === '');
    zsh.type('(exit 128)\r');
    const request = await daemon.requestFor('');
    expect(request).toMatchObject({ repair: true, cursor_pos: 0 });
    expect(daemon.requests.filter(({ input }) => input === '')).toHaveLength(1);
    daemon.reply(request, ['git push --set-upstream origin main']);
    await zsh.untilText('(1/1) git push --set-upstream');
    zsh.type('g');
    await zsh.untilNoText('(1/1)');
    zsh.type('\u0015(exit 1)\r');
    await zsh.until(
      () => daemon.requests.filter(({ input }) => input === '').length === 2,
      'a second request',
    );
    daemon.reply(await daemon.requestFor(''), ['git status']);
    await zsh.untilText('(1/1) git status');
    zsh.type(TAB);
    await zsh.untilState(({ buffer }) => buffer === 'git status');
  });

  it('IDLE → FETCHING → SHOWING', async () => {
    zsh.type('git st');
    const request = await daemon.requestFor('git st');
    expect((await zsh.probe()).state).toBe('fetching');
    daemon.reply(request, ['git status', 'git stash']);
    await zsh.untilText('(1/2) git status');
    expect(await zsh.probe()).toMatchObject({ state: 'showing', count: 2, index: 0, buffer: 'git st' });
  });

  it('FETCHING: a newer request replaces the older, whose answer is dropped', async () => {
    zsh.type('git s');
    const older = await daemon.requestFor('git s');
    zsh.type('t');
    const newer = await daemon.requestFor('git st');
    expect(newer.request_id).toBeGreaterThan(older.request_id);
    daemon.reply(older, ['git show OLD']);
    daemon.reply(newer, ['git status NEW']);
    expect(await zsh.untilText('NEW')).not.toContain('OLD');
    daemon.reply(older, ['git show OLD']);
    expect((await zsh.probe()).postdisplay).toContain('NEW');
  });

  it('FETCHING: an empty answer to an older request does not end the waiting for the newer', async () => {
    zsh.type('git s');
    const older = await daemon.requestFor('git s');
    zsh.type('t');
    const newer = await daemon.requestFor('git st');
    daemon.reply(older, []);
    daemon.reply(newer, ['git status']);
    await zsh.untilText('(1/1) git status');
  });

  it('FETCHING → IDLE when the line is cleared; the late answer is dropped', async () => {
    zsh.type('git st');
    const request = await daemon.requestFor('git st');
    zsh.type('\u0015');
    await zsh.untilState(({ buffer, state }) => buffer === '' && state === 'idle');
    daemon.reply(request, ['git status']);
    expect((await zsh.probe()).state).toBe('idle');
    expect(zsh.screen).not.toContain('git status');
  });

  it('SHOWING → FETCHING when the text changes: what still fits stays, the rest goes', async () => {
    await show('git st', ['git status', 'git stash pop']);
    zsh.type('as');
    await daemon.requestFor('git stas');
    await zsh.untilText('(1/1) git stash pop');
    expect((await zsh.probe()).state).toBe('fetching');
    zsh.type('X');
    await zsh.untilNoText('stash pop');
    expect(await zsh.probe()).toMatchObject({ state: 'fetching', count: 0 });
  });

  it('SHOWING → FETCHING when only the cursor moves', async () => {
    await show('git st', ['git status']);
    zsh.type(LEFT);
    const moved = await until('the request', () =>
      daemon.requests.find((request) => request.cursor_pos === 5),
    );
    expect(moved.input).toBe('git st');
    expect(await zsh.probe()).toMatchObject({ state: 'fetching', count: 0 });
  });

  it('SHOWING → IDLE by TAB, which applies exactly what is shown, then asks anew', async () => {
    await show('git st', ['git status --short', 'git stash']);
    zsh.type(TAB);
    await daemon.requestFor('git status --short');
    expect(await zsh.probe()).toMatchObject({ buffer: 'git status --short', cursor: 18, count: 0 });
    await zsh.untilNoText('(1/');
  });

  it('SHOWING → BROWSING → BROWSING, both ways round, then TAB', async () => {
    await show('git st', ['git status', 'git stash', 'git stage']);
    zsh.type(SHIFT_RIGHT);
    await zsh.untilText('(2/3) git stash');
    expect((await zsh.probe()).state).toBe('browsing');
    zsh.type(SHIFT_RIGHT + SHIFT_RIGHT);
    await zsh.untilText('(1/3) git status');
    zsh.type(SHIFT_LEFT);
    await zsh.untilText('(3/3) git stage');
    zsh.type(TAB);
    await zsh.until((screen) => screen.includes('# git stage'));
    expect(await zsh.probe()).toMatchObject({ buffer: 'git stage', index: 0 });
  });

  it('BROWSING → FETCHING when the text changes', async () => {
    await show('git st', ['git status', 'git stash']);
    zsh.type(SHIFT_RIGHT);
    await zsh.untilText('(2/2) git stash');
    zsh.type('a');
    await daemon.requestFor('git sta');
    expect(await zsh.probe()).toMatchObject({ state: 'fetching', index: 0 });
  });

  it('SHOWING → DISMISSED by ESC; the cursor does not bring it back, text does', async () => {
    await show('git st', ['git status']);
    zsh.type(ESC);
    await zsh.untilNoText('(1/1)');
    expect(await zsh.probe()).toMatchObject({ state: 'dismissed', dismissed: true });
    const asked = daemon.requests.length;
    zsh.type(LEFT);
    await zsh.untilState(({ cursor }) => cursor === 5);
    expect(daemon.requests).toHaveLength(asked);
    zsh.type('\u0005a');
    await daemon.requestFor('git sta');
    expect(await zsh.probe()).toMatchObject({ state: 'fetching', dismissed: false });
  });

  it('BROWSING → DISMISSED by ESC', async () => {
    await show('git st', ['git status', 'git stash']);
    zsh.type(SHIFT_RIGHT);
    await zsh.untilText('(2/2)');
    zsh.type(ESC);
    await zsh.untilNoText('(2/2)');
    expect((await zsh.probe()).state).toBe('dismissed');
  });

  it.each([['SHOWING'], ['BROWSING']])(
    '%s → IDLE by Up, and back at the newest line it asks again',
    async (from) => {
      await zsh.run('true');
      zsh.type('echo older\r');
      await zsh.untilText('\nolder');
      await show('git st', ['git status', 'git stash']);
      if (from === 'BROWSING') {
        zsh.type(SHIFT_RIGHT);
        await zsh.untilText('(2/2)');
      }
      zsh.type(UP);
      await zsh.until((screen) => !screen.includes('/2)') && screen.includes('# echo older'));
      const asked = daemon.requests.length;
      expect(await zsh.probe()).toMatchObject({ state: 'idle', tip: false, buffer: 'echo older' });
      zsh.type('x');
      await zsh.untilState(({ buffer }) => buffer === 'echo olderx');
      expect(daemon.requests).toHaveLength(asked);
      zsh.type(DOWN);
      await until('the request', () => daemon.requests.length > asked);
      expect(daemon.last.input).toBe('git st');
      expect((await zsh.probe()).tip).toBe(true);
    },
  );

  it('history by Ctrl-P is noticed as well', async () => {
    zsh.type('echo older\r');
    await zsh.untilText('\nolder');
    await show('git st', ['git status']);
    zsh.type('\u0010');
    await zsh.untilState(({ buffer }) => buffer === 'echo older');
    expect(await zsh.untilState(({ state }) => state === 'idle')).toMatchObject({
      tip: false,
      postdisplay: '',
    });
  });

  it('ANY → IDLE by Enter: nothing of the row stays', async () => {
    await show('echo done', ['echo done and more']);
    zsh.type('\r');
    await zsh.until((screen) => /^done$/m.test(screen));
    expect(zsh.everything).not.toContain('and more');
    expect(await zsh.probe()).toMatchObject({ state: 'idle', count: 0, buffer: '' });
  });

  it('ANY → IDLE by Ctrl-C: nothing of the row stays, the status is 130', async () => {
    await show('echo done', ['echo done and more']);
    await zsh.probe();
    zsh.type('\u0003');
    await zsh.until((screen) => /# echo done\n#$/.test(screen));
    zsh.type('print status=$?\r');
    await zsh.untilText('status=130');
    expect(zsh.everything).not.toContain('and more');
  });

  it('ERROR is silent and ends with the next change', async () => {
    zsh.type('git st');
    const request = await daemon.requestFor('git st');
    daemon.sendRaw(
      request,
      `sep1\u001f${request.request_id}\u001f0\u001finference_unavailable\u001fno model\n`,
    );
    await zsh.untilState(({ state }) => state === 'error');
    await zsh.until((screen) => screen === '# git st');
    zsh.type('a');
    await daemon.requestFor('git sta');
    expect((await zsh.probe()).state).toBe('fetching');
  });

  it('asks anew when the same line is typed again in one go', async () => {
    zsh.type('git st');
    daemon.reply(await daemon.requestFor('git st'), []);
    await zsh.untilState(({ state }) => state === 'idle');
    const asked = daemon.requests.length;
    zsh.type('\u0015git st');
    await zsh.until(() => daemon.requests.length > asked, 'a request');
  });

  describe('when slow sources have found something since', () => {
    const more = (id: number) => `more\u001f${id}\n`;

    it('SHOWING → FETCHING → SHOWING, at once and without a blink', async () => {
      await show('git checkout ', ['git checkout main']);
      const first = daemon.last;
      daemon.sendRaw(first, more(first.request_id));
      await until('the request', () => daemon.last.request_id > first.request_id);
      expect(daemon.last).toMatchObject({ input: 'git checkout ', delay_ms: 0 });
      expect(zsh.screen).toContain('(1/1) git checkout main');
      daemon.reply(daemon.last, ['git checkout main', 'git checkout topic']);
      await zsh.untilText('(1/2) git checkout main');
    });

    it('an empty answer is asked about again too', async () => {
      zsh.type('git st');
      const first = await daemon.requestFor('git st');
      daemon.reply(first, []);
      await zsh.untilState(({ state }) => state === 'idle');
      daemon.sendRaw(first, more(first.request_id));
      await until('the request', () => daemon.last.request_id > first.request_id);
      daemon.reply(daemon.last, ['git status']);
      await zsh.untilText('(1/1) git status');
    });

    it.each([
      ['chooses', SHIFT_RIGHT, '(2/2) git stash', 0],
      ['has dismissed the row', ESC, '# git st', 0],
      ['has emptied the line', '\u0015', '#', 0],
      ['is told about another answer', '', '(1/2) git status', 7],
    ])('nothing is asked when the user %s', async (_name, keys, screen, otherId) => {
      await show('git st', ['git status', 'git stash']);
      const asked = daemon.requests.length;
      zsh.type(keys);
      await zsh.until((seen) => seen.includes(screen) && (keys === SHIFT_RIGHT || seen !== ''));
      await zsh.probe();
      daemon.sendRaw(daemon.last, more(daemon.last.request_id + otherId));
      // Whatever is sent next comes after it.
      await zsh.probe();
      zsh.type('\u0015ls');
      await daemon.requestFor('ls');
      expect(daemon.requests.length).toBe(asked + 1);
    });
  });

  it('no candidates: no row', async () => {
    zsh.type('git st');
    daemon.reply(await daemon.requestFor('git st'), []);
    await zsh.untilState(({ state }) => state === 'idle');
    await zsh.until((screen) => screen === '# git st');
  });

  it('tells what was accepted and what ran, with where and how it ended', async () => {
    await show('fal', ['false']);
    zsh.type(TAB);
    await daemon.requestFor('false');
    expect(daemon.messages).toContainEqual(
      expect.objectContaining({
        type: 'event',
        event: 'accepted',
        line: 'false',
        session_id: String(zsh.pid),
      }),
    );
    zsh.type('\r');
    await until('the message', () => daemon.messages.find(({ event }) => event === 'executed'));
    expect(daemon.messages.find(({ event }) => event === 'executed')).toMatchObject({
      line: 'false',
      cwd: zsh.dir,
      exit: 1,
      reply: false,
    });
  });

  it('forgets the shown candidate by a key, and asks anew', async () => {
    await show('git st', ['git status', 'git stash']);
    const asked = daemon.requests.length;
    zsh.type(SHIFT_RIGHT);
    await zsh.untilText('(2/2) git stash');
    zsh.type('\u0018\u0004');
    await until('the request', () => daemon.requests.length > asked);
    expect(daemon.messages).toContainEqual(expect.objectContaining({ type: 'forget', line: 'git stash' }));
    expect(await zsh.probe()).toMatchObject({ state: 'fetching', count: 0 });
  });

  it('a typo correction is shown and applied although it does not continue the line', async () => {
    await show('gti status', ['git status']);
    zsh.type(TAB);
    await zsh.untilText('# git status');
  });
});
