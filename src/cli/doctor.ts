/** `copane doctor`: checks the set-up and says what to fix. */
import type { Command } from 'commander';
import { loadConfig } from '../app/config/load-config.ts';
import { runDoctor } from '../app/doctor/check.ts';
import { ALL_CHECKS } from '../app/doctor/checks.ts';
import { formatReports, hasFailure, reportsToJson } from '../app/doctor/render.ts';
import { VERSION } from '../lib/version.ts';
import { copanePaths } from '../platform/paths.ts';
import { run } from '../platform/run.ts';
import { type CliContext, ExitWith, subcommand } from './cli-context.ts';
import { JSON_OPTION } from './options.ts';

export function command(context: CliContext): Command {
  return subcommand('doctor', context)
    .description('check the set-up and say what to fix; exit code 1 when something does not work')
    .option(...JSON_OPTION)
    .action((flags: { readonly json?: boolean }) => doctor(context, flags.json === true));
}

async function doctor(context: CliContext, json: boolean): Promise<void> {
  const paths = copanePaths(context.env);
  const config = loadConfig(paths.configFile, context.env);
  const reports = await runDoctor(ALL_CHECKS, { env: context.env, paths, config, version: VERSION, run });
  json ? context.out(reportsToJson(reports)) : context.show(formatReports(reports));
  if (hasFailure(reports)) throw new ExitWith(1);
}
