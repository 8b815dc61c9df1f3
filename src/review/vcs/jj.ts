/** The only way to call jj, with nothing active that runs a program. git reads its git store. */
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { fail, ok, type Result } from '../../lib/result.ts';
import { readRegular } from '../../platform/regular-file.ts';
import { run } from '../../platform/run.ts';
import { unlessSystemFails } from '../../platform/system-error.ts';
import { withoutGitVariables } from './git.ts';

/** For a file with one path. */
const PATH_MAX_BYTES = 64 * 1024;

/** The first version that takes settings for one command. */
const LEAST_VERSION = [0, 25] as const;
const JJ_TIMEOUT_MS = 120_000;

const SAFE_CONFIG: readonly string[] = [
  'fsmonitor.backend="none"',
  'signing.behavior="drop"',
  'ui.pager=":builtin"',
  'ui.editor="false"',
  'ui.diff-formatter=":git"',
  'ui.conflict-marker-style="git"',
  'git.executable-path="git"',
];

/** A git started by jj for a push must not ask: a question would appear in the companion's screen. */
const FIXED_ENVIRONMENT: Readonly<Record<string, string>> = {
  LC_ALL: 'C',
  PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: 'false',
  SSH_ASKPASS_REQUIRE: 'never',
};

export interface JjAnswer {
  readonly stdout: Buffer;
  /** Warnings are not failures. */
  readonly stderr: string;
}

export interface JjMore {
  readonly env?: Readonly<Record<string, string>>;
  /** Omitted: two minutes. */
  readonly timeoutMs?: number;
}

/** Runs jj with `args` in `folder`; a failure includes jj's message. */
export async function jj(
  args: readonly string[],
  folder: string,
  more: JjMore = {},
): Promise<Result<JjAnswer>> {
  const config = SAFE_CONFIG.flatMap((setting) => ['--config', setting]);
  const outcome = await run('jj', ['--no-pager', '--color', 'never', ...config, ...args], {
    cwd: folder,
    env: { ...withoutGitVariables(process.env), ...FIXED_ENVIRONMENT, ...more.env },
    timeoutMs: more.timeoutMs ?? JJ_TIMEOUT_MS,
  });
  if (outcome.code === 0) return ok({ stdout: outcome.stdout, stderr: outcome.stderr });
  if (outcome.failure === 'not found')
    return fail('refused', 'jj is not installed.', 'Install it, or publish a patch: jj diff --git.');
  return jjFailure(outcome.stderr, outcome.failure ?? `exit ${outcome.code}`);
}

/** jj's message as a refusal in one sentence, with its hint. */
export function jjFailure(stderr: string, otherwise: string): Result<never> {
  const lines = stderr.trim().split('\n');
  const message = lines.find((line) => line.startsWith('Error: '))?.slice('Error: '.length) ?? otherwise;
  if (/is divergent/.test(message)) {
    return fail(
      'refused',
      `jj: ${message}: it has several commits, so it does not name one.`,
      'Abandon the ones you do not want: jj abandon <commit>.',
    );
  }
  if (/working copy is stale/i.test(stderr))
    return fail('refused', 'jj: the working copy is stale.', 'Run "jj workspace update-stale" there.');
  const hint = lines.find((line) => line.startsWith('Hint: '))?.slice('Hint: '.length);
  return fail('refused', `jj: ${message}`, hint);
}

/** Whether jj is installed and new enough. */
export async function checkJj(): Promise<Result<void>> {
  const outcome = await run('jj', ['--version'], { timeoutMs: 10_000 });
  if (outcome.failure === 'not found') return fail('refused', 'jj is not installed.');
  return checkJjVersion(outcome.stdout.toString('utf8'));
}

/** Parses `jj 0.25.0-…`. */
export function checkJjVersion(text: string): Result<void> {
  const match = /^jj (\d+)\.(\d+)/.exec(text);
  const [major, minor] = [Number(match?.[1]), Number(match?.[2])];
  const isNew = major > LEAST_VERSION[0] || (major === LEAST_VERSION[0] && minor >= LEAST_VERSION[1]);
  if (isNew) return ok(undefined);
  return fail('refused', `jj ${LEAST_VERSION.join('.')} or newer is needed; this is "${text.trim()}".`);
}

export interface JjWorkspace {
  readonly top: string;
  readonly repository: string;
  /** The git store with its objects. */
  readonly store: string;
}

/** The jj workspace around `folder` (no links), read from its files; null if there is none. */
export async function findWorkspace(folder: string): Promise<JjWorkspace | null> {
  for (let at = folder; ; at = path.dirname(at)) {
    const found = await workspaceAt(at);
    if (found !== null) return found;
    if (at === path.dirname(at)) return null;
  }
}

async function workspaceAt(top: string): Promise<JjWorkspace | null> {
  return unlessSystemFails(async () => {
    const entry = path.join(top, '.jj/repo');
    const named = (await stat(entry)).isDirectory() ? entry : await readPath(entry);
    const repository = await realpath(path.resolve(top, '.jj', named));
    const storeDir = path.join(repository, 'store');
    const target = await readPath(path.join(storeDir, 'git_target'));
    return { top, repository, store: await realpath(path.resolve(storeDir, target)) };
  }, null);
}

async function readPath(file: string): Promise<string> {
  return String(await readRegular(file, { maxBytes: PATH_MAX_BYTES })).trim();
}

export interface JjChange {
  readonly change: string;
  readonly commit: string;
  readonly parents: readonly string[];
  readonly isDivergent: boolean;
  readonly hasConflict: boolean;
}

const FIELD = '\u001f';
const TEMPLATE = [
  'change_id',
  'commit_id',
  'parents.map(|parent| parent.commit_id()).join(" ")',
  'if(divergent, "divergent", "")',
  'if(conflict, "conflict", "")',
]
  .join(` ++ "${FIELD}" ++ `)
  .concat(' ++ "\\n"');

/** Parses the output of `TEMPLATE`, one change per line. */
export function parseChanges(text: string): JjChange[] {
  return text.split('\n').flatMap((line) => {
    const [change, commit, parents, divergent, conflict] = line.split(FIELD);
    if (change === undefined || commit === undefined || parents === undefined) return [];
    return [
      {
        change,
        commit,
        parents: parents.split(' ').filter((name) => name !== ''),
        isDivergent: divergent === 'divergent',
        hasConflict: conflict === 'conflict',
      },
    ];
  });
}

/** The changes in `revset` as jj last knew them, without a snapshot of the working copy. */
export async function listChanges(folder: string, revset: string): Promise<Result<JjChange[]>> {
  const answer = await jj(
    ['--ignore-working-copy', 'log', '--no-graph', '-r', revset, '-T', TEMPLATE],
    folder,
  );
  return answer.ok ? ok(parseChanges(answer.value.stdout.toString('utf8'))) : answer;
}

export interface Looked {
  readonly change: JjChange;
  /** Files that jj would not include. */
  readonly refused: readonly string[];
}

/** The only change that `revision` names. `fresh`: snapshots the working copy first. */
export async function lookUp(
  folder: string,
  revision: string,
  { fresh }: { readonly fresh: boolean },
): Promise<Result<Looked>> {
  const args = ['log', '--no-graph', '-r', revision, '-T', TEMPLATE];
  const answer = await jj(fresh ? args : ['--ignore-working-copy', ...args], folder);
  if (!answer.ok) return answer;
  const [change, ...others] = parseChanges(answer.value.stdout.toString('utf8'));
  if (change === undefined) return fail('not_found', `jj: "${revision}" names no change.`);
  if (others.length > 0) return fail('invalid', `jj: "${revision}" names more than one change.`);
  return ok({ change, refused: refusedFiles(answer.value.stderr) });
}

/** New files that jj warns are too large, and leaves out of the change. */
export function refusedFiles(stderr: string): string[] {
  const lines = stderr.split('\n');
  const start = lines.findIndex((line) => line.startsWith('Warning: Refused to snapshot'));
  if (start < 0) return [];
  const names: string[] = [];
  for (const line of lines.slice(start + 1)) {
    const name = /^ {2}(.+): [\d.]+ ?\w+ \(/.exec(line)?.[1];
    if (name === undefined) break;
    names.push(name);
  }
  return names;
}

/** Parses the output of `jj git push`: where it went, or why nowhere, which jj does not report as a failure. */
export function parsePush(stderr: string): Result<string> {
  const lines = stderr.split('\n');
  const start = lines.findIndex((line) => line.startsWith('Changes to push to '));
  const remote = /^Changes to push to (.+):$/.exec(lines[start] ?? '')?.[1];
  if (remote === undefined) {
    const warning = lines.find((line) => line.startsWith('Warning: '))?.slice('Warning: '.length);
    const hint = lines.find((line) => line.startsWith('Hint: '))?.slice('Hint: '.length);
    return fail(
      'refused',
      `jj pushed nothing: ${warning ?? 'no bookmark on the change is behind it'}.`,
      hint,
    );
  }
  const names: string[] = [];
  for (const line of lines.slice(start + 1)) {
    const name = /^ {2}(?:bookmark: (.+?) \[|.*?\bbookmark (\S+) )/.exec(line);
    if (name === null) break;
    names.push(name[1] ?? name[2] ?? '');
  }
  return ok([remote, ...names].join(' '));
}
