import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryHome } from '../../../test/helpers/host-fakes.ts';
import { takeInstalledAgent } from './installed-agent.ts';

let home: ReturnType<typeof temporaryHome>;
beforeEach(() => {
  home = temporaryHome();
});
afterEach(() => home.remove());

it('makes an AI CLI the agent of a user who has never had a configuration, nor a folder for one', () => {
  const bin = path.join(home.home, 'bin');
  mkdirSync(bin);
  writeFileSync(path.join(bin, 'opencode'), '#!/bin/sh\n');
  chmodSync(path.join(bin, 'opencode'), 0o755);
  expect(takeInstalledAgent({ HOME: home.home, PATH: bin })).toEqual({ ok: true, value: 'opencode' });
  const config = readFileSync(path.join(home.home, '.config/copane/config.jsonc'), 'utf8');
  expect(JSON.parse(config)).toEqual({ agent_mode: 'acp', agent_acp_command: ['opencode', 'acp'] });
});
