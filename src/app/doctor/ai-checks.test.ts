import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryHome } from '../../../test/helpers/host-fakes.ts';
import type { RunOutcome } from '../../platform/run.ts';
import { loadConfig } from '../config/load-config.ts';
import { initPlace } from '../init/place.ts';
import { INTEGRATIONS } from '../init/registry.ts';
import { carryOut, planInit } from '../init/run.ts';
import { aiCliCheck, setUpCheck } from './ai-checks.ts';
import type { DoctorContext } from './check.ts';

let home: ReturnType<typeof temporaryHome>;
let folder = '';
beforeEach(() => {
  home = temporaryHome();
  folder = path.dirname(home.paths.stateDir);
});
afterEach(() => home.remove());

function context(stdout = ''): DoctorContext {
  const env = { HOME: folder, PATH: path.join(folder, 'bin') };
  const outcome: RunOutcome = { code: 0, stdout: Buffer.from(stdout), stderr: '', failure: null };
  const config = loadConfig(home.paths.configFile, env);
  return { env, paths: home.paths, config, version: 'me', run: async () => outcome };
}

/** Creates a program on the PATH. */
function install(name: string, target?: string): void {
  mkdirSync(path.join(folder, 'bin'), { recursive: true });
  const file = path.join(folder, 'bin', name);
  const real = target === undefined ? file : path.join(folder, target);
  mkdirSync(path.dirname(real), { recursive: true });
  writeFileSync(real, '#!/bin/sh\n');
  chmodSync(real, 0o755);
  if (target !== undefined) symlinkSync(real, file);
}

function setUp(name: string, root?: string): void {
  const integration = INTEGRATIONS.find((each) => each.name === name);
  const own = initPlace(context().env);
  const place = root === undefined ? own : { ...own, root, program: path.join(root, 'bin/copane') };
  const plan = integration && planInit(integration, place, null);
  if (!integration || !plan?.ok) throw new Error('no plan');
  carryOut(integration, place, plan.value);
}

async function messages(stdout = ''): Promise<readonly (readonly [string, string, string, string | null])[]> {
  const reports = [await aiCliCheck.look(context(stdout))].flat();
  return reports.map(({ name, status, message, hint }) => [
    name,
    status,
    message.replaceAll(folder, '~'),
    hint,
  ]);
}

describe('AI CLIs', () => {
  it('are reported as missing when none is installed', async () => {
    expect((await messages())[0]?.slice(0, 3)).toEqual(['AI CLI', 'warn', 'none is on your PATH']);
  });

  it('are listed with version, place and set-up', async () => {
    install('claude', 'share/claude/versions/2.1.332');
    install('pi', 'lib/node_modules/pi/dist/cli.js');
    writeFileSync(
      path.join(folder, 'lib/node_modules/pi/package.json'),
      '{"name": "@x/pi-coding-agent", "version": "0.99.0"}',
    );
    install('aider');
    expect(await messages('aider 0.86.2')).toEqual([
      ['claude', 'ok', '2.1.332, at ~/bin/claude, not set up (copane init claude)', null],
      ['pi', 'ok', '0.99.0, rules made with 1.6.0, at ~/bin/pi, not set up (copane init pi)', null],
      ['aider', 'ok', '0.86.2, at ~/bin/aider', null],
    ]);
    setUp('claude');
    expect((await messages('0.86.2'))[0]?.[2]).toBe('2.1.332, at ~/bin/claude, set up: hooks, mcp');
  });

  it('set up by another copane need a new set-up', async () => {
    install('codex', 'share/codex/versions/0.171.0');
    setUp('codex', '/elsewhere');
    expect((await messages())[0]?.slice(1)).toEqual([
      'warn',
      '0.171.0, at ~/bin/codex, set up: hooks, notify, mcp, but for another copane',
      'Run: copane init codex',
    ]);
  });

  it('take no version from an unrelated package above them', async () => {
    install('aider');
    writeFileSync(path.join(folder, 'package.json'), '{"name": "api-pi", "version": "9.9.9"}');
    expect((await messages('aider 0.86.2'))[0]?.[2]).toBe('0.86.2, at ~/bin/aider');
  });

  it('are listed without a version if it is unknown', async () => {
    install('gemini');
    expect((await messages('?'))[0]?.[2]).toContain('version unknown');
  });
});

it('tmux, the shell and the editor are reported in one line', async () => {
  setUp('nvim');
  const found = await setUpCheck.look(context());
  expect(found).toEqual({
    name: 'set-up',
    status: 'ok',
    message: 'tmux: not set up (copane init tmux); zsh: not set up (copane init zsh); nvim: set up: plugin',
    hint: null,
  });
});
