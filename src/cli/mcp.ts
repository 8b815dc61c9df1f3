/** `copane mcp`: the MCP server that an AI CLI starts. */
import { type Command, InvalidArgumentError } from 'commander';
import { serveMcp } from '../app/mcp/serve-mcp.ts';
import { AUTHOR_NAME } from '../app/suggestions.ts';
import { type CliContext, subcommand } from './cli-context.ts';

interface McpFlags {
  readonly as?: string;
}

export function command(context: CliContext): Command {
  return subcommand('mcp', context)
    .description(
      'run an MCP server on stdin and stdout for the AI CLI in this folder: it publishes and never decides',
    )
    .option('--as <name>', "the author's name; left out: as the AI CLI calls itself", parseAuthor)
    .action(async (flags: McpFlags) => {
      const { env, cwd, stdin, say } = context;
      if (stdin.isTTY)
        say('copane: This speaks MCP, to an AI CLI; "copane init" sets one up. Ctrl+D ends it.');
      await serveMcp({ env, cwd, author: flags.as ?? null, stdin, stdout: process.stdout, say });
    });
}

function parseAuthor(text: string): string {
  if (!AUTHOR_NAME.test(text)) {
    throw new InvalidArgumentError('Use up to 63 lowercase letters, digits, dots, dashes and underscores.');
  }
  return text;
}
