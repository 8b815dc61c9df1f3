/** Reads git attributes of many files. */
import { ok, type Result } from '../../lib/result.ts';
import type { ByteString } from '../core/bytes.ts';
import type { GitOptions } from './git.ts';
import { gitList, namesAsInput } from './git-output.ts';

/** The specified attributes by file: their values, or `set` and `unset`. Files without any are missing. */
export type Attributes = ReadonlyMap<ByteString, Readonly<Record<string, string>>>;

export async function attributesOf(
  names: readonly ByteString[],
  wanted: readonly string[],
  options: GitOptions,
): Promise<Result<Attributes>> {
  const found = new Map<ByteString, Record<string, string>>();
  if (names.length === 0) return ok(found);
  const input = namesAsInput(names);
  const checked = await gitList(['check-attr', '-z', '--stdin', ...wanted], { ...options, input });
  if (!checked.ok) return checked;
  for (let i = 0; i + 2 < checked.value.length; i += 3) {
    const [name = '', attribute = '', value = ''] = checked.value.slice(i, i + 3);
    if (value !== 'unspecified') found.set(name, { ...found.get(name), [attribute]: value });
  }
  return ok(found);
}
