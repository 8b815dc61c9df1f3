/** A real AI CLI connected to a scripted model, in its own folders. */
import { mkdtempSync, realpathSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach } from 'vitest';
import type { ClientName } from './client-catalog.ts';
import { type StartedClient, type StartOptions, startClient } from './real-clients.ts';
import { removeTree } from './remove-tree.ts';
import type { Script } from './scripted-model/script.ts';
import { type ScriptedModel, startScriptedModel } from './scripted-model/server.ts';

export interface ClientStage {
  /** Resolved path; holds the client's HOME and its project. */
  readonly root: string;
  readonly project: string;
  readonly model: ScriptedModel;
  readonly client: StartedClient;
}

interface StageOptions extends Omit<StartOptions, 'home' | 'project' | 'modelPort' | 'size'> {
  readonly columns: number;
  /** Default: 40. */
  readonly rows?: number;
  /** Fills the folders before the client starts. */
  readonly prepare?: (place: { readonly root: string; readonly project: string }) => void;
}

/** A script may need the project's folder. */
type StageScript = Script | ((project: string) => Script);
type StartStage = (name: ClientName, script: StageScript, options: StageOptions) => Promise<ClientStage>;

/** Returns what starts a stage in a test; client, model and folders are removed after it. */
export function clientStages(): StartStage {
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });
  return async (name, script, { columns, rows = 40, prepare, ...options }) => {
    const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'copane-client-')));
    ends.push(() => removeTree(root));
    const project = path.join(root, 'project');
    prepare?.({ root, project });
    const model = await startScriptedModel(typeof script === 'function' ? script(project) : script);
    ends.push(() => model.close());
    const place = { home: path.join(root, 'home'), project, modelPort: model.port };
    const client = await startClient(name, { ...place, size: { columns, rows }, ...options });
    ends.push(() => client.tmux.kill());
    return { root, project, model, client };
  };
}
