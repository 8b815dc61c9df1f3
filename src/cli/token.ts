/** `copane token`: prints, rotates and revokes access tokens of the suggestion server, and lists their holders. */
import { type Command, Option } from 'commander';
import { refuseBelowAi } from '../app/below-ai.ts';
import { authorOf, DEFAULT_AUTHOR, REVIEWER, suggestionTokens, type Who } from '../app/suggestions.ts';
import { fail, ok, type Result } from '../lib/result.ts';
import { systemProcesses } from '../platform/process-tree.ts';
import { type CliContext, refuse, subcommand, unwrap } from './cli-context.ts';
import { jsonLine } from './json-line.ts';
import { JSON_OPTION } from './options.ts';

interface TokenFlags {
  readonly role?: 'reviewer' | 'author';
  readonly author?: boolean;
  readonly name?: string;
  readonly rotate?: boolean;
  readonly revoke?: boolean;
  readonly list?: boolean;
}

export function command(context: CliContext): Command {
  return subcommand('token', context)
    .description(
      "print the access token of the suggestion server; by default the reviewer's, which may decide",
    )
    .addOption(new Option('--role <role>', 'whose').choices(['reviewer', 'author']))
    .option(
      '--author',
      'the same as --role author: may publish and report, never decide; give this one to an AI',
    )
    .option('--name <name>', 'the token of a named author, who sees and discards only its own suggestions')
    .option('--rotate', 'make a new token; the old one stops working')
    .option('--revoke', "with --name: revoke the author's token")
    .option('--list', 'list who has a token, without printing any')
    .option(...JSON_OPTION)
    .action((flags: TokenFlags) => token(context, flags));
}

async function token(context: CliContext, flags: TokenFlags): Promise<void> {
  const tokens = suggestionTokens(context.env);
  if (flags.list) {
    list(context, tokens.list());
    return;
  }
  const who = unwrap(context, whoFrom(flags));
  const name = authorOf(who);
  // With a token, an AI could make decisions over the network that its commands refuse.
  if (name === null) unwrap(context, await refuseBelowAi(systemProcesses, process.pid));
  if (flags.revoke) {
    if (name === null || name === DEFAULT_AUTHOR)
      refuse(context, 'invalid', '"--revoke" needs "--name": whose token is it?');
    const was = unwrap(context, tokens.revoke(name ?? ''));
    if (!was) refuse(context, 'not_found', `No author "${name}" has a token.`);
    if (context.json) context.out(jsonLine({ role: 'author', name, revoked: true }));
    context.say(`copane: The token of "${name}" is revoked; its connections are closed.`);
    return;
  }
  const value = unwrap(context, flags.rotate ? tokens.rotate(who) : tokens.read(who));
  if (context.json) context.out(jsonLine({ role: who.role, name, token: value }));
  else context.out(`${value}\n`);
  if (flags.rotate) context.say('copane: Here is a new token; connections with the old one are closed.');
}

function whoFrom({ role, author, name }: TokenFlags): Result<Who> {
  const isAuthor = author === true || name !== undefined || role === 'author';
  if (isAuthor && role === 'reviewer')
    return fail('invalid', 'There is one reviewer; it has no name.', 'Use "--role author".');
  return ok(isAuthor ? { role: 'author', name: name ?? DEFAULT_AUTHOR } : REVIEWER);
}

function list(context: CliContext, everybody: readonly Who[]): void {
  const rows = everybody.map((who) => ({ role: who.role, name: authorOf(who) }));
  if (context.json) context.out(jsonLine(rows));
  else for (const { role, name } of rows) context.out(`${role}${name === null ? '' : `  ${name}`}\n`);
}
