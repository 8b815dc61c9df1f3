/**
 * `copane doctor --bundle`: the data for a bug report. It holds no draft, prompt, answer or patch; secrets are redacted
 * by the rules for commands and texts and by the values of secret variables, and the home folder becomes `~`.
 */
import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { hasSecret, REDACTED, redact } from '../../lib/secrets/secrets.ts';
import { homeFolder } from '../../platform/paths.ts';
import { readRegularSync } from '../../platform/regular-file.ts';
import { logFileOf } from '../log/create-log.ts';
import type { CheckReport, DoctorContext } from './check.ts';
import { formatReports } from './render.ts';

/** How much of the log is read, from its end, which holds the newest lines. */
const LOG_MAX_BYTES = 16 * 1024 * 1024;
const LOG_TAIL_LINES = 200;
/** A shorter variable value may be an ordinary word. */
const SECRET_MIN_CHARS = 6;

/** The whole text, shown to the user before it is written. */
export function bundleText(context: DoctorContext, reports: readonly CheckReport[]): string {
  const { version, env, config, paths } = context;
  const set = Object.entries(config.config).filter(
    ([key]) => config.origins[key as keyof typeof config.origins]?.kind !== 'default',
  );
  const terminal = ['TERM', 'TERM_PROGRAM', 'COLORTERM', 'LANG', 'LC_ALL', 'SHELL', 'EDITOR', 'VISUAL'];
  const parts: readonly (readonly [string, string])[] = [
    ['Versions', `copane ${version}, Node ${process.versions.node}, ${process.platform} ${process.arch}`],
    ['Terminal', terminal.map((name) => `${name}=${env[name] ?? ''}`).join('\n')],
    ['Checks', formatReports(reports)],
    ['Configuration that is not the default', JSON.stringify(Object.fromEntries(set), null, 2)],
    ['Sizes in the state folder', sizesIn(paths.stateDir)],
    [`Log, the last ${LOG_TAIL_LINES} lines`, logTail(paths.stateDir)],
  ];
  return scrub(parts.map(([title, text]) => `## ${title}\n\n${text.trimEnd()}\n`).join('\n'), env);
}

function scrub(text: string, env: DoctorContext['env']): string {
  let clean = text;
  for (const [name, value = ''] of Object.entries(env))
    if (value.length >= SECRET_MIN_CHARS && hasSecret(`${name}=${value}`))
      clean = clean.replaceAll(value, REDACTED);
  // Redacts line by line: the rule for a private key removes everything after its first line.
  clean = clean
    .split('\n')
    .map((line) => redact(line))
    .join('\n');
  const home = homeFolder(env);
  return home === '/' ? clean : clean.replaceAll(home, '~');
}

function sizesIn(folder: string): string {
  const sizes = namesIn(folder).map((name) => `${bytesBelow(path.join(folder, name))}\t${name}`);
  return sizes.length === 0 ? 'nothing yet' : sizes.join('\n');
}

function bytesBelow(place: string): number {
  const found = lstatSync(place, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true) return found?.size ?? 0;
  return namesIn(place).reduce((sum, name) => sum + bytesBelow(path.join(place, name)), 0);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    // Missing or unreadable: the check of the state folder reports that.
    return [];
  }
}

function logTail(stateDir: string): string {
  try {
    const text = readRegularSync(logFileOf(stateDir), { maxBytes: LOG_MAX_BYTES }).toString('utf8');
    return text.trimEnd().split('\n').slice(-LOG_TAIL_LINES).join('\n');
  } catch {
    return 'no log yet';
  }
}
