/** `copane completion SHELL`: prints a completion script for copane's own commands and options. */

import path from 'node:path';
import { Argument, type Command } from 'commander';
import { initPlace } from '../app/init/place.ts';
import { readRegularSync } from '../platform/regular-file.ts';
import { type CliContext, subcommand } from './cli-context.ts';

/** The largest generated file. */
const MAX_BYTES = 1024 * 1024;

const FILES = { zsh: '_copane', bash: 'copane.bash', fish: 'copane.fish' } as const;

export function command(context: CliContext): Command {
  return subcommand('completion', context)
    .description(
      `print completions of copane's own commands and options

  zsh    source <(copane completion zsh)     in .zshrc, behind compinit
  bash   source <(copane completion bash)    in .bashrc
  fish   copane completion fish | source     in config.fish`,
    )
    .addArgument(new Argument('<shell>', 'which shell').choices(Object.keys(FILES)))
    .action((shell: keyof typeof FILES) => {
      const folder = path.join(initPlace(context.env).root, 'shell/completions');
      context.out(String(readRegularSync(path.join(folder, FILES[shell]), { maxBytes: MAX_BYTES })));
    });
}
