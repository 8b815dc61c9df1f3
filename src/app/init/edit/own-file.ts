/** A small file that loads a module of this copane, and does nothing if copane is gone. */
import path from 'node:path';
import { fail, ok } from '../../../lib/result.ts';
import { hookFolderOf } from '../../../responses/hooks/folder.ts';
import type { FilePart, InitPlace } from '../integration.ts';

/** A file for the program `name` that loads `module`, a path below copane's folder. */
export function ownFile(
  { root, program, stateDir }: InitPlace,
  module: string,
  name: string,
): Pick<FilePart, 'add' | 'remove' | 'isIn'> {
  const first = `// By "copane init ${name}"; "copane init ${name} --remove" removes it.`;
  const text = [
    first,
    "import { existsSync } from 'node:fs';",
    '',
    `const module = ${JSON.stringify(path.join(root, module))};`,
    `const place = { program: ${JSON.stringify(program)}, hooks: ${JSON.stringify(hookFolderOf(stateDir))} };`,
    '',
    '// Does nothing when copane was moved or removed.',
    'export default async (host) =>',
    '  existsSync(module) ? await (await import(module)).default(host, place) : {};',
    '',
  ].join('\n');
  const isOurs = (other: string) => other.startsWith(first);
  return {
    add: (other) =>
      other === null || isOurs(other) ? ok(text) : fail('refused', 'it is a file of your own'),
    remove: (other) => ok(isOurs(other) ? null : other),
    isIn: isOurs,
  };
}
