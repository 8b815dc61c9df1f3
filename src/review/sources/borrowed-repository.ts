/** A repository of our own over someone's working tree: borrows its objects, and settings that run nothing. */
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ok, type Result } from '../../lib/result.ts';
import { readRegular } from '../../platform/regular-file.ts';
import { unlessSystemFails } from '../../platform/system-error.ts';
import { git, quotedPath, Repository } from '../vcs/git.ts';
import type { RepositoryPlace } from '../vcs/repository-place.ts';
import { harmlessSettings, settingsOf } from './working-copy.ts';

/** Size limit for copying one of the repository's files for private use. */
const GIT_FILE_MAX_BYTES = 512 * 1024 * 1024;

export interface BorrowOptions {
  /** Repositories whose objects are read. */
  readonly stores: readonly string[];
  /** Attributes with priority over the working tree's; default: the repository's `info/attributes`. */
  readonly attributes?: string;
}

export interface BorrowedRepository {
  readonly repository: Repository;
  /** The settings of the working tree's own repository. */
  readonly settings: ReadonlyMap<string, string>;
}

/** Creates the bare repository `bare` for the working tree `own`, or updates an existing one. */
export async function borrowRepository(
  bare: string,
  own: RepositoryPlace,
  { stores, attributes }: BorrowOptions,
): Promise<Result<BorrowedRepository>> {
  const settings = await settingsOf(own);
  const made = existsSync(bare) ? ok(undefined) : await makeBare(bare, settings);
  if (!made.ok) return made;
  const info = path.join(own.commonDir, 'info');
  await writeFile(
    path.join(bare, 'objects/info/alternates'),
    stores.map((store) => `${quotedPath(`${store}/objects`)}\n`).join(''),
  );
  await copyIfThere(path.join(info, 'exclude'), path.join(bare, 'info/exclude'));
  if (attributes === undefined)
    await copyIfThere(path.join(info, 'attributes'), path.join(bare, 'info/attributes'));
  else await writeFile(path.join(bare, 'info/attributes'), attributes);
  await copyIfThere(path.join(own.commonDir, 'shallow'), path.join(bare, 'shallow'));
  const repository = await Repository.at({ top: own.top, gitDir: bare, commonDir: bare }, [
    ['core.bare', 'false'],
    ...harmlessSettings(settings),
  ]);
  return repository.ok ? ok({ repository: repository.value, settings }) : repository;
}

/** It gets its final name only when complete. */
async function makeBare(bare: string, settings: ReadonlyMap<string, string>): Promise<Result<void>> {
  const format = settings.get('extensions.objectformat') === 'sha256' ? 'sha256' : 'sha1';
  const making = `${bare}.new`;
  await rm(making, { recursive: true, force: true });
  const made = await git(['init', '--quiet', '--bare', '--template=', `--object-format=${format}`, making], {
    repository: Repository.none(path.dirname(bare)),
  });
  if (!made.ok) return made;
  await mkdir(path.join(making, 'info'), { recursive: true });
  await rename(making, bare);
  return ok(undefined);
}

const copyIfThere = (from: string, to: string): Promise<void> =>
  unlessSystemFails(
    async () => writeFile(to, await readRegular(from, { maxBytes: GIT_FILE_MAX_BYTES })),
    undefined,
  );
