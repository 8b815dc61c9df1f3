/** `copane model`: shows, sets up and removes the language model for shell completions. */
import { Argument, type Command } from 'commander';
import {
  installModelRuntime,
  type ModelFacts,
  modelFacts,
  planRuntime,
  removeModelRuntime,
} from '../app/model.ts';
import { copanePaths } from '../platform/paths.ts';
import { confirm } from './ask.ts';
import { type CliContext, ExitWith, subcommand, unwrap } from './cli-context.ts';
import { jsonLine } from './json-line.ts';
import { JSON_OPTION } from './options.ts';

interface ModelFlags {
  readonly yes?: boolean;
}

export function command(context: CliContext): Command {
  return subcommand('model', context)
    .description('manage the language model for shell completions')
    .addArgument(
      new Argument('[action]', 'what to do')
        .choices(['status', 'install', 'remove'])
        .default('status', 'show what is configured and what is missing'),
    )
    .option('-y, --yes', 'do not ask before npm is run')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `
install  installs node-llama-cpp with npm; it runs a GGUF file ("completion_model": "gguf")
remove   removes it; model files stay
A llama-server or any server with chat completions needs no install.`,
    )
    .action((action: 'status' | 'install' | 'remove', flags: ModelFlags) => {
      if (action === 'install') return install(context, flags);
      return action === 'remove' ? remove(context) : status(context);
    });
}

function status(context: CliContext): void {
  const facts = modelFacts(context.env);
  if (context.json) context.out(jsonLine(facts));
  else {
    const { configFile } = copanePaths(context.env);
    for (const line of describe(facts, configFile)) context.out(`${line}\n`);
    for (const missing of facts.missing) context.out(`Not complete: ${missing}.\n`);
    for (const problem of facts.problems) context.say(`copane: ${problem}`);
  }
}

function describe(facts: ModelFacts, configFile: string): readonly string[] {
  if (facts.model === 'none')
    return [
      'No model is configured; completions do not need one.',
      `"completion_model" in ${configFile} names one: llama-server, openai or gguf.`,
    ];
  if (facts.model === 'gguf')
    return [
      `GGUF file: ${facts.file ?? 'none named'}${facts.fileIsThere === false ? ', which is not there' : ''}`,
      facts.runtimeIsInstalled
        ? 'node-llama-cpp is installed.'
        : 'node-llama-cpp is not installed: run "copane model install".',
    ];
  const where = facts.url ?? (facts.model === 'llama-server' ? 'its usual address' : 'no address');
  return [
    `${facts.model}${facts.name === null ? '' : ` ${facts.name}`} at ${where}${facts.hasKey ? ', with a key' : ''}`,
    facts.leavesThisMachine
      ? 'Command lines leave this machine; what looks like a secret does not.'
      : 'Command lines stay on this machine.',
  ];
}

async function install(context: CliContext, flags: ModelFlags): Promise<void> {
  const plan = unwrap(context, planRuntime(context.env));
  context.say(`copane: This runs, in ${plan.folder} (about 85 MB):\n  ${plan.command.join(' ')}`);
  if (!flags.yes && !(await isWanted(context))) throw new ExitWith(3);
  unwrap(context, await installModelRuntime(context.env, plan));
  context.say('copane: node-llama-cpp is installed. A running companion uses it from the next question on.');
}

/** Nobody can confirm without a terminal. */
async function isWanted(context: CliContext): Promise<boolean> {
  if (!context.stdin.isTTY) {
    context.say('copane: Nothing was done; add "--yes" to agree.');
    return false;
  }
  return confirm(context, 'Go on?');
}

async function remove(context: CliContext): Promise<void> {
  await removeModelRuntime(context.env);
  context.say('copane: node-llama-cpp is removed; model files stay where they are.');
}
