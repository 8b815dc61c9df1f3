import { describe, expect, it } from 'vitest';
import { type CliContext, subcommand, wholeNumber } from './cli-context.ts';
import { runCommand } from './run-command.ts';

async function run(argv: readonly string[]) {
  const said: string[] = [];
  const context: CliContext = {
    env: {},
    cwd: '/',
    pid: process.pid,
    stdin: process.stdin,
    out: () => undefined,
    show: () => undefined,
    say: (line) => void said.push(line),
  };
  const command = subcommand('pull', context)
    .option('-n <n>', 'the n-th', wholeNumber(1))
    .action(() => undefined);
  return { code: await runCommand(command, argv), said: said.join('\n') };
}

describe('a usage error', () => {
  it.each([
    [['-n', 'x'], /'x' is invalid\. It must be a whole number of at least 1\./],
    [['-n', '0'], /'0' is invalid\. It must be a whole number of at least 1\./],
    [['-n', '1.5'], /'1\.5' is invalid/],
    [['--nope'], /Unknown option '--nope'/],
    [['-n'], /argument missing/],
  ])('%j is reported with the name copane and exits with 2', async (argv, words) => {
    const { code, said } = await run(argv);
    expect(code).toBe(2);
    expect(said).toMatch(words);
    expect(said).toMatch(/^copane: /);
    expect(said).toContain('Run "copane pull --help"');
  });

  it('is not reported for a number within its bound', async () => {
    expect(await run(['-n', '1'])).toEqual({ code: 0, said: '' });
  });
});
