/** Which paths an edit may name, judged by their text only. The reader checks links and folders. */
import type { EditFault } from '../../protocol/agent.ts';
import { utf8Bytes } from '../../review/core/bytes.ts';
import { pathProblem } from '../../review/core/safe-path.ts';

/** Why an edit may not name this path; null if it may. */
export function pathFault(
  path: string,
): { readonly code: EditFault['code']; readonly message: string } | null {
  if (!path.isWellFormed()) return { code: 'invalid', message: 'the path is not text.' };
  const problem = pathProblem(utf8Bytes(path));
  if (problem === null) return null;
  const code = problem.includes('version control')
    ? 'protected'
    : problem.includes('root')
      ? 'outside_root'
      : 'invalid';
  return { code, message: `${problem} Paths are relative to the project's folder.` };
}
