/** Compares two trees of a git repository file by file, with their bytes. Only reads; runs no filter and no hook. */
import { fail, ok, type Result } from '../../lib/result.ts';
import { readBlobs } from '../../review/vcs/blobs.ts';
import { git, type Repository } from '../../review/vcs/git.ts';
import { exactBytes } from '../core/file-text.ts';
import { FILE_TEXT_MAX_BYTES, type FileText } from '../core/turn-edits.ts';

/** The most files of one pair of trees; more is a failure. */
const TREE_FILES_MAX = 2_000;
/** A commit or tree by its hash, or the parent of one. */
const NAME = /^[0-9a-f]{7,64}\^?$/;
const LINK_OR_MODULE = /^1[26]/;

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
  const args = ['diff-tree', '-r', '-z', '--no-renames', '--full-index', from, to];
  const listed = await git(args, { repository });
  if (!listed.ok) return listed;
  const rows = parseRows(listed.value.stdout.toString('utf8'));
  if (rows.length > TREE_FILES_MAX) return fail('limit', `more than ${TREE_FILES_MAX} files changed at once`);
  const sizes = await blobSizes(
    rows.flatMap(({ blobs }) => blobs),
    repository,
  );
  if (!sizes.ok) return sizes;
  const small = [...sizes.value].flatMap(([blob, size]) => (size <= FILE_TEXT_MAX_BYTES ? [blob] : []));
  const contents = await readBlobs(small, { repository });
  if (!contents.ok) return contents;
  const textOf = (blob: string) => {
    const bytes = contents.value.get(blob);
    return bytes === undefined ? undefined : exactBytes(bytes);
  };
  return ok(
    rows.map(({ path, kind, blobs }) => {
      const [before, after] = blobs.map(textOf);
      const isLarge = blobs.some((blob) => !isNone(blob) && !contents.value.has(blob));
      return {
        path,
        kind,
        ...(before === undefined ? {} : { before }),
        ...(after === undefined ? {} : { after }),
        isLarge,
      };
    }),
  );
}

interface Row {
  readonly path: string;
  readonly kind: TreeChange['kind'];
  /** Before, after. */
  readonly blobs: readonly string[];
}

const isNone = (blob: string) => /^0+$/.test(blob);

/** Links and submodules have no text that an edit could have changed. */
function parseRows(output: string): readonly Row[] {
  const parts = output.split('\0');
  const rows: Row[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [oldMode = '', newMode = '', oldBlob = '', newBlob = '', status = ''] = (parts[at] ?? '')
      .slice(1)
      .split(' ');
    const path = parts[at + 1] ?? '';
    if (LINK_OR_MODULE.test(oldMode) || LINK_OR_MODULE.test(newMode) || path === '') continue;
    const kind = status === 'A' ? 'add' : status === 'D' ? 'delete' : 'edit';
    rows.push({ path, kind, blobs: [oldBlob, newBlob] });
  }
  return rows;
}

async function blobSizes(
  blobs: readonly string[],
  repository: Repository,
): Promise<Result<ReadonlyMap<string, number>>> {
  const wanted = [...new Set(blobs.filter((blob) => !isNone(blob)))];
  if (wanted.length === 0) return ok(new Map());
  const format = '--batch-check=%(objectname) %(objectsize)';
  const asked = await git(['cat-file', format], { repository, input: `${wanted.join('\n')}\n` });
  if (!asked.ok) return asked;
  const lines = asked.value.stdout.toString('latin1').trim().split('\n');
  const sizes = new Map(lines.map((line) => [line.split(' ')[0] ?? '', Number(line.split(' ')[1])] as const));
  const isGone = [...sizes.values()].some((size) => Number.isNaN(size));
  return isGone ? fail('not_found', 'a text of the tree has been removed') : ok(sizes);
}
