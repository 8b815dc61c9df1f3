/** Compares two trees of a git repository file by file, with their bytes. Only reads; runs no filter and no hook. */

import { fail, ok, type Result } from '../../lib/result.ts';
import { readBlobs } from '../../review/vcs/blobs.ts';
import { git, type Repository } from '../../review/vcs/git.ts';
import { diffRows } from '../../review/vcs/git-output.ts';
import { exactBytes } from '../core/file-text.ts';
import { FILE_TEXT_MAX_BYTES, type FileText } from '../core/turn-edits.ts';

/** The most files of one pair of trees; more is a failure. */
const TREE_FILES_MAX = 2_000;
/** A commit or tree by its hash, or the parent of one. */
const NAME = /^[0-9a-f]{7,64}\^?$/;
const LINK = 0o120000;
const SUBMODULE = 0o160000;

export interface TreeChange {
  /** Relative to the top of the tree. */
  readonly path: string;
  readonly kind: 'add' | 'edit' | 'delete';
  readonly before?: FileText;
  readonly after?: FileText;
  /** A side is beyond the size limit of a text. */
  readonly isLarge: boolean;
}

/** The differing files. A rename is a deletion and an addition. Fails if a tree, or a text in it, no longer exists. */
export async function treeChanges(
  repository: Repository,
  from: string,
  to: string,
): Promise<Result<readonly TreeChange[]>> {
  if (from === to) return ok([]);
  // The names come from a file that other programs write.
  if (![from, to].every((name) => NAME.test(name))) return fail('invalid', 'not the name of a tree');
  const listed = await diffRows(['diff-tree', '-r', from, to], { repository });
  if (!listed.ok) return listed;
  // Links and submodules have no text that an edit could have changed.
  const rows = listed.value.filter(({ modes }) => !modes.some((mode) => mode === LINK || mode === SUBMODULE));
  if (rows.length > TREE_FILES_MAX) return fail('limit', `more than ${TREE_FILES_MAX} files changed at once`);
  const sizes = await blobSizes(
    rows.flatMap(({ blobs }) => blobs.filter((blob) => blob !== null)),
    repository,
  );
  if (!sizes.ok) return sizes;
  const small = [...sizes.value].flatMap(([blob, size]) => (size <= FILE_TEXT_MAX_BYTES ? [blob] : []));
  const contents = await readBlobs(small, { repository });
  if (!contents.ok) return contents;
  const textOf = (blob: string | null) => {
    const bytes = contents.value.get(blob ?? '');
    return bytes === undefined ? undefined : exactBytes(bytes);
  };
  return ok(
    rows.map(({ path, status, blobs }) => {
      const [before, after] = blobs.map(textOf);
      const isLarge = blobs.some((blob) => blob !== null && !contents.value.has(blob));
      return {
        path: Buffer.from(path, 'latin1').toString('utf8'),
        kind: status === 'A' ? 'add' : status === 'D' ? 'delete' : 'edit',
        ...(before === undefined ? {} : { before }),
        ...(after === undefined ? {} : { after }),
        isLarge,
      };
    }),
  );
}

async function blobSizes(
  blobs: readonly string[],
  repository: Repository,
): Promise<Result<ReadonlyMap<string, number>>> {
  const wanted = [...new Set(blobs)];
  if (wanted.length === 0) return ok(new Map());
  const format = '--batch-check=%(objectname) %(objectsize)';
  const asked = await git(['cat-file', format], { repository, input: `${wanted.join('\n')}\n` });
  if (!asked.ok) return asked;
  const lines = asked.value.stdout.toString('latin1').trim().split('\n');
  const sizes = new Map(lines.map((line) => [line.split(' ')[0] ?? '', Number(line.split(' ')[1])] as const));
  const isMissing = [...sizes.values()].some((size) => Number.isNaN(size));
  return isMissing ? fail('not_found', 'a text of the tree has been removed') : ok(sizes);
}
