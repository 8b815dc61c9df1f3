/** A command from a description: real zsh, the real daemon, a scripted model. */
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { DaemonProcess } from '../../helpers/completion-daemon.ts';
import { ScriptedDaemon } from '../../helpers/scripted-daemon.ts';
import type { ScriptedReply } from '../../helpers/scripted-model/script.ts';
import { startScriptedModel } from '../../helpers/scripted-model/server.ts';
import { ZshPty } from '../../helpers/zsh-pty.ts';

const TAB = '\t';
const CTRL_C = '\u0003';
const ASKING = 'Asking the model';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

interface Setting {
  readonly replies?: readonly ScriptedReply[];
  readonly env?: (url: string) => Readonly<Record<string, string>>;
  readonly columns?: number;
}

const AGENT = (url: string) => ({
  COPANE_AGENT_MODE: 'local',
  COPANE_AGENT_LOCAL_URL: url,
  COPANE_AGENT_LOCAL_MODEL: 'tiny',
});

async function stage({ replies = [], env = AGENT, columns = 80 }: Setting = {}) {
  const turns = replies.map((reply) => ({ replies: [reply] }));
  const model = await startScriptedModel({ turns, withoutTools: true });
  cleanups.push(() => model.close());
  const daemon = await new DaemonProcess().start(
    ['# an old description'],
    env(`http://127.0.0.1:${model.port}/v1`),
  );
  cleanups.push(() => daemon.dispose());
  const zsh = await new ZshPty({ socket: daemon.socket, columns }).ready();
  cleanups.push(() => zsh.close());
  return { model, daemon, zsh };
}

async function ask(zsh: ZshPty, description: string): Promise<void> {
  zsh.type(`# ${description}`);
  await zsh.untilState(({ buffer }) => buffer === `# ${description}`);
  zsh.type(TAB);
}

describe('a description and TAB', () => {
  it('shows the command and its risk, and only the next TAB puts it into the line', async () => {
    const { zsh, model } = await stage({ replies: [{ text: '```sh\nrm -f marker\n```' }] });
    writeFileSync(path.join(zsh.dir, 'marker'), '');
    await ask(zsh, 'remove the marker');
    await zsh.untilText('(1/1 destroys) rm -f marker');
    expect(zsh.screen).toContain('tiny | ');
    expect((await zsh.probe()).buffer).toBe('# remove the marker');
    zsh.type(TAB);
    await zsh.untilState(({ buffer }) => buffer === 'rm -f marker');
    expect(existsSync(path.join(zsh.dir, 'marker'))).toBe(true);
    expect(model.requests).toHaveLength(1);
    expect(JSON.stringify(model.requests[0]?.body)).not.toMatch(/old description|copane-zsh/);
  });

  it('marks a command that overwrites a file, and says of the rest that no risk is known', async () => {
    const { zsh } = await stage({ replies: [{ text: 'ls > list' }, { text: 'ls -S' }] });
    writeFileSync(path.join(zsh.dir, 'list'), '');
    await ask(zsh, 'write the list');
    await zsh.untilText('(1/1 overwrites) ls > list');
    zsh.type('\u0015');
    await ask(zsh, 'the largest first');
    await zsh.untilText('(1/1 no known risk) ls -S');
  });

  it('has a separate key too, and neither key asks on another line', async () => {
    const { zsh, model } = await stage({ replies: [{ text: 'ls -S' }] });
    zsh.type('ls\u0018\u0001');
    await zsh.untilState(({ buffer }) => buffer === 'ls');
    zsh.type('\u0015# largest first\u0018\u0001');
    await zsh.untilText('(1/1 no known risk) ls -S');
    expect(model.prompts()).toEqual(['largest first']);
  });

  it('waits without blocking: a key or Ctrl-C drops the question, and a second TAB asks nothing', async () => {
    const slow = { text: 'ls -S', firstDelayMs: 60_000 };
    const { zsh, model } = await stage({ replies: [slow, slow, { text: 'ls -la' }] });
    await ask(zsh, 'slow');
    await zsh.untilText(ASKING);
    zsh.type(TAB);
    await zsh.until(() => model.requests.length === 1, 'a question');
    zsh.type('er');
    await zsh.untilText('# slower');
    await zsh.untilNoText(ASKING);
    zsh.type(TAB);
    await zsh.untilText(ASKING);
    await zsh.until(() => model.requests.length === 2, 'a second question');
    zsh.type(CTRL_C);
    await zsh.untilState(({ buffer }) => buffer === '');
    await zsh.untilNoText(ASKING);
    await ask(zsh, 'quick');
    await zsh.untilText('ls -la');
    expect(model.prompts()).toEqual(['slow', 'slower', 'quick']);
  });

  it('says in one sentence, in place of the rows, why there is no command', async () => {
    const { zsh, model } = await stage({
      columns: 40,
      replies: [
        { error: { status: 400, message: 'no such model' } },
        { text: 'First think about it.\nThen ask again.' },
      ],
    });
    await ask(zsh, 'fail');
    await zsh.untilText('no such model');
    zsh.type('\u0015');
    await ask(zsh, 'again');
    await zsh.untilText('The model answered in prose');
    zsh.type(CTRL_C);
    await zsh.untilNoText('The model answered');
    expect(zsh.screen).not.toContain('think about');
    await ask(zsh, 'log in with password hunter2');
    await zsh.untilText('nothing was sent');
    expect(model.requests).toHaveLength(2);
  });

  it('says what to configure when there is no model', async () => {
    const { zsh } = await stage({ env: () => ({}) });
    await ask(zsh, 'find files');
    await zsh.untilText('No model is configured. Set agent_remote_model');
  });

  it('asks the completion model if the agent has none', async () => {
    const env = (url: string) => ({
      COPANE_COMPLETION_MODEL: 'openai',
      COPANE_COMPLETION_MODEL_URL: url,
      COPANE_COMPLETION_MODEL_NAME: 'small',
    });
    const { zsh } = await stage({ env, replies: [{ text: 'ls -S' }] });
    await ask(zsh, 'largest first');
    await zsh.untilText('(1/1 no known risk) ls -S');
    expect(zsh.screen).toContain('small | ');
  });

  it('asks nobody in private mode, after a blank, without a daemon, or with a daemon that cannot', async () => {
    const { zsh, model, daemon } = await stage({ replies: [{ text: 'ls -S' }] });
    zsh.type(` # private${TAB}`);
    zsh.type('\u0015\u0018\u0010');
    await zsh.untilText('private: nothing is sent');
    await ask(zsh, 'private');
    zsh.type('\u0015\u0018\u0010');
    await zsh.untilNoText('private: nothing is sent');
    await daemon.end('SIGKILL');
    await ask(zsh, 'nobody');
    await zsh.untilState(({ buffer }) => buffer === '# nobody');
    expect(model.requests).toHaveLength(0);
    const other = await new ScriptedDaemon({ answer: () => ['ls'] }).start();
    cleanups.push(() => other.stop());
    const beside = await new ZshPty({ socket: other.socket }).ready();
    cleanups.push(() => beside.close());
    await ask(beside, 'older');
    await beside.untilText('This daemon writes no commands.');
  });
});
