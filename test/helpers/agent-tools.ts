/** A project folder for tests of the agent's tools, and a context to run them in. */
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { WorkingBuffers } from '../../src/agent/loop/port.ts';
import type { ToolContext } from '../../src/agent/tools/tool.ts';
import { agentLimitsSchema } from '../../src/protocol/agent.ts';
import { secretRule } from '../../src/review/core/secret-files.ts';
import { removeTree } from './remove-tree.ts';

/** A folder with these files, by relative path; its path has no links. */
export function projectFolder(files: Readonly<Record<string, string | Uint8Array>>): {
  readonly root: string;
  readonly remove: () => void;
} {
  const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'copane-project-')));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), content);
  }
  return { root, remove: () => removeTree(root) };
}

/** Buffers from a record; null = deleted. */
export function buffersOf(files: Readonly<Record<string, string | null>> = {}): WorkingBuffers {
  return {
    conflicts: new Set(),
    paths: () => Object.keys(files),
    read: (name) => {
      const text = files[name];
      return typeof text === 'string' ? Buffer.from(text) : text;
    },
  };
}

/** A default context; a question to the user fails the test. */
export function toolContext(root: string, changes: Partial<ToolContext> = {}): ToolContext {
  return {
    root,
    env: process.env,
    limits: agentLimitsSchema.parse({}),
    buffers: buffersOf(),
    skipIgnored: true,
    isSecret: secretRule([]),
    isNamed: () => false,
    readMaxBytes: 1_000_000,
    mapMaxBytes: 100_000,
    maps: null,
    askUser: () => Promise.reject(new Error('nobody to ask')),
    signal: new AbortController().signal,
    ...changes,
  };
}
