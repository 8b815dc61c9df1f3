/** Puts generated files last, by their names and the repository's attributes. */
import { isGeneratedFile } from '../../lib/generated-files.ts';
import type { ByteString } from '../core/bytes.ts';
import type { FilePatch } from '../core/patch-model.ts';
import { attributesOf } from '../vcs/attributes.ts';
import { openRepository } from '../vcs/git.ts';

/** The attribute's value by path; files without it are missing. */
export type GeneratedAttributes = ReadonlyMap<ByteString, boolean>;

const ATTRIBUTE = 'linguist-generated';

/** The attributes of these files; none outside a repository. */
export async function generatedAttributes(
  root: string,
  files: readonly FilePatch[],
): Promise<GeneratedAttributes> {
  const attributes = new Map<ByteString, boolean>();
  const opened = await openRepository(root);
  if (!opened.ok) return attributes;
  const options = { repository: opened.value, cwd: root };
  const found = await attributesOf(files.map(nameOf), [ATTRIBUTE], options);
  // A broken attributes file is no reason to refuse a review.
  if (!found.ok) return attributes;
  for (const [name, { [ATTRIBUTE]: value }] of found.value)
    attributes.set(name, value === 'set' || value === 'true');
  return attributes;
}

/** The positions of `files` in reading order: handwritten files first. */
export function generatedLast(
  positions: readonly number[],
  files: readonly FilePatch[],
  attributes: GeneratedAttributes,
): readonly number[] {
  const isGenerated = (at: number) => {
    const file = files[at];
    const name = file === undefined ? '' : nameOf(file);
    return attributes.get(name) ?? isGeneratedFile(name);
  };
  return [...positions.filter((at) => !isGenerated(at)), ...positions.filter(isGenerated)];
}

const nameOf = ({ newPath, oldPath }: FilePatch) => newPath ?? oldPath ?? '';
