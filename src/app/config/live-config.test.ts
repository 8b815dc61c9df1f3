import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { liveConfig } from './live-config.ts';

test('the configuration follows changes of the file', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'copane-config-'));
  try {
    const file = path.join(folder, 'config.jsonc');
    const config = liveConfig(file, {});
    expect(config().agent_mode).toBe('remote');
    writeFileSync(file, '{ "agent_mode": "local", "max_tool_calls_per_job": 3 }');
    expect(config()).toMatchObject({ agent_mode: 'local', max_tool_calls_per_job: 3 });
    expect(config()).toBe(config());
    rmSync(file);
    expect(config().agent_mode).toBe('remote');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
