/** Where sandboxes are, and a record of each: a small file beside its folder, which outlives the folder. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseRecord } from '../../lib/parse-json.ts';
import { fail, ok, type Result } from '../../lib/result.ts';
import { readRegular } from '../../platform/regular-file.ts';
import { unlessMissing, unlessSystemFails } from '../../platform/system-error.ts';
import type { Sandbox } from '../../protocol/sandbox.ts';

const JSON_ENDING = '.json';
const RECORD_MAX_BYTES = 1024 * 1024;

export interface SandboxRecord
  extends Pick<Sandbox, 'name' | 'kind' | 'target' | 'folder' | 'base' | 'createdAt'> {
  /** The repository's own folder; for jj, of the target's `.jj`. */
  readonly repository: string;
  /** The branch; for jj the workspace. */
  readonly branch: string;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const KEY_LENGTH = 8;

/** Refuses names that cannot be part of a path and of a branch. */
export function checkSandboxName(name: string): Result<string> {
  if (NAME.test(name) && !name.includes('..') && !name.endsWith('.lock') && !name.endsWith('.'))
    return ok(name);
  return fail(
    'invalid',
    `"${name.slice(0, 80)}" cannot name a sandbox.`,
    'Use letters, digits, ".", "_" and "-", at most 64 of them.',
  );
}

/** Stores what is known about the sandboxes below a folder. */
export class SandboxStore {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** A new sandbox's folder: one repository's sandboxes are side by side. */
  folderFor(repository: string, name: string): string {
    return path.join(this.#folderOf(repository), name);
  }

  async find(repository: string, name: string): Promise<SandboxRecord | null> {
    return readRecord(path.join(this.#folderOf(repository), `${name}.json`));
  }

  /** Creates the sandbox's parent folder and stores the record. */
  async put(record: SandboxRecord): Promise<void> {
    const folder = this.#folderOf(record.repository);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = path.join(folder, `${record.name}.json`);
    await writeFile(`${file}.new`, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
    await rename(`${file}.new`, file);
  }

  async drop(record: SandboxRecord): Promise<void> {
    await rm(path.join(this.#folderOf(record.repository), `${record.name}.json`), {
      force: true,
    });
  }

  /** Oldest first; one repository's, or all. */
  async list(repository: string | null): Promise<SandboxRecord[]> {
    return (await this.#read(repository))
      .flatMap(({ record }) => record ?? [])
      .filter((record) => repository === null || record.repository === repository)
      .sort((a, b) => a.createdAt - b.createdAt);
  }

  /** The folders of sandboxes with an unusable record. */
  async spoiled(repository: string | null): Promise<string[]> {
    const read = await this.#read(repository);
    return read.flatMap(({ file, record }) => (record === null ? file.slice(0, -JSON_ENDING.length) : []));
  }

  async #read(repository: string | null) {
    const folders =
      repository === null
        ? (await namesIn(this.#root)).map((name) => path.join(this.#root, name))
        : [this.#folderOf(repository)];
    const files: { file: string; record: SandboxRecord | null }[] = [];
    for (const folder of folders) {
      for (const name of await namesIn(folder)) {
        const file = path.join(folder, name);
        if (name.endsWith(JSON_ENDING)) files.push({ file, record: await readRecord(file) });
      }
    }
    return files;
  }

  /** Named after the repository's folder, for people, but distinct from others of that name. */
  #folderOf(repository: string): string {
    const key = createHash('sha256').update(repository).digest('hex').slice(0, KEY_LENGTH);
    const named = path.basename(repository.replace(/\/\.(git|jj)(\/.*)?$/, ''));
    const name = named.replace(/[^A-Za-z0-9._-]/g, '_') || 'root';
    return path.join(this.#root, `${name}-${key}`);
  }
}

/** A folder's entries; none if it is missing. */
export const namesIn = (folder: string): Promise<string[]> => unlessMissing(() => readdir(folder), []);

async function readRecord(file: string): Promise<SandboxRecord | null> {
  // A file that someone else put there is not a sandbox.
  const text = await unlessSystemFails(() => readRegular(file, { maxBytes: RECORD_MAX_BYTES }), '');
  const read: Partial<SandboxRecord> = parseRecord(String(text)) ?? {};
  const texts = [read.name, read.target, read.repository, read.folder, read.branch, read.base];
  const isWhole = texts.every((each) => typeof each === 'string' && each !== '');
  return isWhole && (read.kind === 'git' || read.kind === 'jj') ? (read as SandboxRecord) : null;
}
