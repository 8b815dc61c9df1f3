/** `copane sandbox new|list|rm`: working copies in which an AI works and from which it publishes. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { count } from '../lib/count.ts';
import { oneLine } from '../lib/sanitize.ts';
import type { Sandbox } from '../protocol/sandbox.ts';
import { type CliContext, subcommand, subcommandsOf, unwrap } from './cli-context.ts';
import { checkGitVariables } from './git-variables.ts';
import { JSON_OPTION } from './options.ts';
import { line, withHost } from './review-output.ts';

interface TargetFlag {
  readonly target?: string;
}

const TARGET_OPTION = ['--target <dir>', 'the working copy that it is for', '.'] as const;

export function command(context: CliContext): Command {
  const group = subcommand('sandbox', context).description(
    "make and remove git worktrees (or jj workspaces) for an AI; they are in copane's state folder",
  );
  const add = subcommandsOf(group);
  add('new')
    .description('make a sandbox and print its folder')
    .argument('<name>', 'its name; its branch is copane/<name>')
    .option('--base <commit>', 'where it begins (default: what the target has checked out)')
    .option(...TARGET_OPTION)
    .option(...JSON_OPTION)
    .action((name: string, flags: TargetFlag & { readonly base?: string }) => create(context, name, flags));
  add('list')
    .description('list the sandboxes of this repository, oldest first')
    .option('--all', 'those of every repository')
    .option(...TARGET_OPTION)
    .option(...JSON_OPTION)
    .action((flags: TargetFlag & { readonly all?: boolean }) => list(context, flags));
  add('rm')
    .description('remove a sandbox with its branch; refused when unpublished work would be lost')
    .argument('<name>', 'the sandbox')
    .option('--force', 'even then')
    .option(...TARGET_OPTION)
    .option(...JSON_OPTION)
    .action((name: string, flags: TargetFlag & { readonly force?: boolean }) => remove(context, name, flags));
  return group;
}

const targetOf = ({ cwd }: CliContext, { target }: TargetFlag) => path.resolve(cwd, target ?? '.');

async function create(
  context: CliContext,
  name: string,
  flags: TargetFlag & { readonly base?: string },
): Promise<void> {
  const target = targetOf(context, flags);
  unwrap(context, await checkGitVariables(context, target));
  const sandbox = await withHost(context, (client) =>
    client.request('sandbox/new', { target, name, base: flags.base ?? null }),
  );
  if (context.json) context.out(line(sandbox));
  else {
    context.out(`${sandbox.folder}\n`);
    if (existsSync(path.join(sandbox.folder, '.gitmodules')))
      context.say('copane: Submodules are not there yet: git submodule update --init');
    context.say(
      `copane: ${sandbox.branch} at ${sandbox.base.slice(0, 10)}. Start the AI there; it publishes with "copane publish --source .".`,
    );
  }
}

async function list(context: CliContext, flags: TargetFlag & { readonly all?: boolean }): Promise<void> {
  const sandboxes = await withHost(context, (client) =>
    client.request('sandbox/list', { target: flags.all ? null : targetOf(context, flags) }),
  );
  if (context.json) context.out(line(sandboxes));
  else for (const sandbox of sandboxes) context.show(`${sandboxLine(sandbox)}\n`);
  if (sandboxes.length === 0) context.say('copane: No sandbox. "copane sandbox new NAME" makes one.');
}

function sandboxLine(sandbox: Sandbox): string {
  const { name, branch, base, ahead, changed, dirty, suggestion, folder, problem } = sandbox;
  if (problem !== null) return `${name}  ${oneLine(folder)}  ${oneLine(problem)}`;
  const work = [
    ahead > 0 ? `${count(ahead, 'commit')} ahead` : '',
    changed > 0 ? `${count(changed, 'file')} changed` : '',
    dirty > 0 ? `${dirty} not committed` : '',
  ].filter((part) => part !== '');
  return [
    name,
    `${oneLine(branch ?? 'no branch')} from ${base.slice(0, 10)}`,
    work.length === 0 ? 'no change' : work.join(', '),
    ...(suggestion === null ? [] : [`published as ${suggestion}`]),
    oneLine(folder),
  ].join('  ');
}

async function remove(
  context: CliContext,
  name: string,
  flags: TargetFlag & { readonly force?: boolean },
): Promise<void> {
  const removed = await withHost(context, (client) =>
    client.request('sandbox/remove', { target: targetOf(context, flags), name, force: flags.force ?? false }),
  );
  if (context.json) context.out(line(removed));
  else if (removed.commit === null) context.say(`copane: The sandbox ${name} is gone.`);
  else {
    const commit = removed.commit.slice(0, 10);
    const back = removed.kind === 'jj' ? `jj new ${commit}` : `git branch ${removed.branch} ${commit}`;
    context.say(`copane: The sandbox ${name} is gone. "${back}" brings its work back.`);
  }
}
