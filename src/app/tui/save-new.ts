/** Saves text as a new file of the project. */
import path from 'node:path';
import { fail, ok, type Result } from '../../lib/result.ts';
import { randomId } from '../../platform/crypto.ts';
import { utf8Bytes } from '../../review/core/bytes.ts';
import type { FileImage } from '../../review/core/file-state.ts';
import { performWrite, planWrite, temporaryName } from '../../review/files/atomic-writer.ts';
import { readImage } from '../../review/files/target-files.ts';
import { realFolder } from '../../review/files/target-folder.ts';

/** Writes `text` to `name` within `project` and returns the path. Goes through no link, and replaces no file. */
export async function saveNew(project: string, name: string, text: string): Promise<Result<string>> {
  const file = path.resolve(project, name);
  if (!file.startsWith(`${project}${path.sep}`))
    return fail('refused', `${name} lies outside of ${project}; nothing was written`);
  const root = await realFolder(project);
  if (!root.ok) return root;
  const within = path.relative(project, file);
  const bytes = Buffer.from(text.endsWith('\n') ? text : `${text}\n`);
  const image: FileImage = { path: utf8Bytes(within), type: 'file', executable: false, bytes };
  const found = await readImage(root.value, image.path);
  if (!found.ok) return found;
  if (found.value !== null)
    return fail('refused', `${name} exists already; nothing was written`, 'Give it another name.');
  const plan = await planWrite(root.value, null, image, temporaryName(randomId()));
  const written = plan.ok ? await performWrite(plan.value) : plan;
  return written.ok ? ok(within) : written;
}
