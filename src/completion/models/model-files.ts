/** Paths of models and their runtime: below the data folder, never in a project. */
import path from 'node:path';

/** The version that we are tested with. */
export const RUNTIME_VERSION = '3.21.1';

export const modelsDir = (dataDir: string): string => path.join(dataDir, 'models');

export const runtimeDir = (dataDir: string): string => path.join(dataDir, 'llama');

export function runtimeModule(dataDir: string): string {
  return path.join(runtimeDir(dataDir), 'node_modules/node-llama-cpp/dist/index.js');
}

/** The file of a model: as named, or in the folder of models; null if none is named. */
export function ggufFile(name: string | null, dataDir: string): string | null {
  if (name === null || name === '') return null;
  return path.isAbsolute(name) ? name : path.join(modelsDir(dataDir), name);
}

/** The prebuilt binary of node-llama-cpp for a machine; null if there is none. */
export function runtimeBinary(platform: string, arch: string): string | null {
  const names: Readonly<Record<string, string>> = {
    'linux-x64': 'linux-x64',
    'linux-arm64': 'linux-arm64',
    'linux-arm': 'linux-armv7l',
    'darwin-arm64': 'mac-arm64-metal',
    'darwin-x64': 'mac-x64',
  };
  return names[`${platform}-${arch}`] ?? null;
}
