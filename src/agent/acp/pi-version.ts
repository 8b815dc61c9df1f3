/** Runs pi to ask for its version. */
import path from 'node:path';
import { fail, ok, type Result } from '../../lib/result.ts';
import { findOnPath } from '../../platform/exec.ts';
import type { Env } from '../../platform/paths.ts';
import { run } from '../../platform/run.ts';

const VERSION_MAX_MS = 10_000;

/** Refuses `pi-acp` with an old pi: the adapter would wait for ever for answers that this pi gives in another form. */
export async function checkPi(program: string, env: Env): Promise<Result<void>> {
  const pi = path.basename(program) === 'pi-acp' ? findOnPath(env.PI_ACP_PI_COMMAND || 'pi', env) : null;
  if (pi === null) return ok(undefined);
  const { stdout, stderr } = await run(pi, ['--version'], { env, timeoutMs: VERSION_MAX_MS });
  const [version, major] = /(?<![\d.])(\d+)\.\d+\.\d+/.exec(`${stdout}\n${stderr}`) ?? [];
  return major !== '0'
    ? ok(undefined)
    : fail(
        'refused',
        `pi-acp needs pi 1.6 or later; ${pi} is ${version}.`,
        'Run "npm install -g @earendil-works/pi-coding-agent".',
      );
}
