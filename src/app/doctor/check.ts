/** The type of a `copane doctor` check. Each inspects one thing, changes nothing and hints at the fix. */
import { errorMessage } from '../../lib/result.ts';
import type { CopanePaths, Env } from '../../platform/paths.ts';
import type { RunOutcome } from '../../platform/run.ts';
import type { LoadedConfig } from '../config/parse-config.ts';

export type CheckStatus = 'ok' | 'warn' | 'fail';

export interface CheckReport {
  readonly name: string;
  readonly status: CheckStatus;
  readonly message: string;
  /** The hint; null if there is nothing to do. */
  readonly hint: string | null;
}

/** What the checks may use. */
export interface DoctorContext {
  readonly env: Env;
  readonly paths: CopanePaths;
  readonly config: LoadedConfig;
  readonly version: string;
  readonly run: (file: string, args: readonly string[]) => Promise<RunOutcome>;
}

export interface Check {
  readonly name: string;
  readonly look: (context: DoctorContext) => Promise<CheckReport | readonly CheckReport[]>;
}

/** A slower check is reported as a problem. */
const CHECK_TIMEOUT_MS = 5_000;

/** Runs all checks in parallel; a check that throws or hangs also becomes a report. */
export async function runDoctor(
  checks: readonly Check[],
  context: DoctorContext,
  timeoutMs: number = CHECK_TIMEOUT_MS,
): Promise<readonly CheckReport[]> {
  const reports = await Promise.all(checks.map((check) => runCheck(check, context, timeoutMs)));
  return reports.flat();
}

async function runCheck(check: Check, context: DoctorContext, timeoutMs: number): ReturnType<Check['look']> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<CheckReport>((resolve) => {
    const end = () => resolve(report(check.name, 'fail', `no result after ${timeoutMs} ms`));
    timer = setTimeout(end, timeoutMs);
  });
  try {
    return await Promise.race([check.look(context), late]);
  } catch (thrown) {
    return report(check.name, 'fail', `the check itself failed: ${errorMessage(thrown)}`);
  } finally {
    clearTimeout(timer);
  }
}

export function report(
  name: string,
  status: CheckStatus,
  message: string,
  hint: string | null = null,
): CheckReport {
  return { name, status, message, hint };
}
