/** `copane doctor`: checks the set-up and says what to fix; `--bundle` packs what a bug report needs. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { loadConfig } from '../app/config/load-config.ts';
import { runDoctor } from '../app/doctor/check.ts';
import { ALL_CHECKS } from '../app/doctor/checks.ts';
import { formatReports, hasFailure, reportsToJson } from '../app/doctor/render.ts';
import { errorMessage, fail, ok, type Result } from '../lib/result.ts';
import { VERSION } from '../lib/version.ts';
import { copanePaths } from '../platform/paths.ts';
import { run } from '../platform/run.ts';
import { confirm } from './ask.ts';
import { type CliContext, ExitWith, refuse, subcommand, unwrap } from './cli-context.ts';
import { JSON_OPTION } from './options.ts';

interface DoctorFlags {
  readonly bundle?: string | true;
  readonly yes?: boolean;
}

const BUNDLE_FILE = 'copane-report.md';

export function command(context: CliContext): Command {
  return subcommand('doctor', context)
    .description('check the set-up and say what to fix; exit code 1 when something does not work')
    .option(...JSON_OPTION)
    .option('--bundle [file]', `show what a bug report needs, then write it (default: ${BUNDLE_FILE})`)
    .option('--yes', 'write the bundle without asking')
    .action((flags: DoctorFlags) => doctor(context, flags));
}

async function doctor(context: CliContext, { bundle, yes }: DoctorFlags): Promise<void> {
  const paths = copanePaths(context.env);
  const config = loadConfig(paths.configFile, context.env);
  const facts = { env: context.env, paths, config, version: VERSION, run };
  const reports = await runDoctor(ALL_CHECKS, facts);
  if (bundle !== undefined) {
    const { bundleText } = await import('../app/doctor/bundle.ts');
    const file = path.resolve(context.cwd, bundle === true ? BUNDLE_FILE : bundle);
    return writeBundle(context, { file, text: bundleText(facts, reports), yes: yes === true });
  }
  context.json ? context.out(reportsToJson(reports)) : context.show(formatReports(reports));
  if (hasFailure(reports)) throw new ExitWith(1);
}

interface Bundle {
  readonly file: string;
  readonly text: string;
  readonly yes: boolean;
}

/** Shows the bundle before writing it, so that users know what they send. */
async function writeBundle(context: CliContext, { file, text, yes }: Bundle): Promise<void> {
  context.show(text);
  const agreed = yes || (context.stdin.isTTY === true && (await confirm(context, `Write this to ${file}?`)));
  if (!agreed) refuse(context, 'refused', 'nothing was written', 'Add --yes to skip the question.');
  unwrap(context, writeNew(file, text));
  context.say(`copane: Written to ${file}. Read it once more before you send it.`);
}

function writeNew(file: string, text: string): Result<void> {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
    return ok(undefined);
  } catch (thrown) {
    const hint = 'Give another name: copane doctor --bundle FILE';
    return fail('refused', `${file} cannot be written (${errorMessage(thrown)})`, hint);
  }
}
