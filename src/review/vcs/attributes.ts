/** Reads git attributes of many files. */
import { ok, type Result } from '../../lib/result.ts';
import type { ByteString } from '../core/bytes.ts';
import { type GitOptions, git } from './git.ts';

/** The specified attributes by file: their values, or `set` and `unset`. Files without any are missing. */
export type Attributes = ReadonlyMap<ByteString, Readonly<Record<string, string>>>;

export async function attributesOf(
  names: readonly ByteString[],
  wanted: readonly string[],
  options: GitOptions,
): Promise<Result<Attributes>> {
  const found = new Map<ByteString, Record<string, string>>();
  if (names.length === 0) return ok(found);
  const input = Buffer.from(names.map((name) => `${name}\0`).join(''), 'latin1');
  const checked = await git(['check-attr', '-z', '--stdin', ...wanted], { ...options, input });
  if (!checked.ok) return checked;
  const words = checked.value.stdout.toString('latin1').split('\0');
  for (let i = 0; i + 2 < words.length; i += 3) {
    const [name = '', attribute = '', value = ''] = words.slice(i, i + 3);
    if (value !== 'unspecified') found.set(name, { ...found.get(name), [attribute]: value });
  }
  return ok(found);
}
