/** Lines that describe a command, the parts that may be sent, and how a model's answer is used. */
import { describe, expect, it } from 'vitest';
import {
  type CommandNames,
  commandOf,
  descriptionIn,
  isTellableDescription,
  questionFor,
} from './to-command.ts';

const KNOWN = new Set(
  'find du sort head ls rm git tar grep docker echo cat for which R ps kill curl awk sed date'.split(' '),
);
const names: CommandNames = { exists: (name) => KNOWN.has(name), isUnknown: (name) => !KNOWN.has(name) };
/** No shell has reported its commands. */
const nobody: CommandNames = { exists: () => false, isUnknown: () => false };

describe('descriptionIn', () => {
  it.each([
    ['# find the ten largest files', 'find the ten largest files'],
    ['#\tlist  ports  ', 'list  ports'],
    ['# größte Dateien 日本', 'größte Dateien 日本'],
    ['# # twice', '# twice'],
  ])('%j', (line, description) => expect(descriptionIn(line)).toBe(description));
  it.each(['#', '# ', '#git push', '#!/bin/sh', 'ls # all', ' # private', '# two\nlines', '', 'find files'])(
    'not %j',
    (line) => expect(descriptionIn(line)).toBeNull(),
  );
});

describe('isTellableDescription', () => {
  it.each([
    'find the ten largest files',
    'change the password of user bob',
    'set my password to expire',
    'show how long the token is valid',
    'generate a random password with 20 letters',
    'read the password from stdin',
    'encrypt notes.txt with a password',
    'list files that contain the word secret',
    'count tokens in a file',
    'print the api key variable of this shell',
  ])('tells %j', (line) => expect(isTellableDescription(line)).toBe(true));
  it.each([
    'log in to mysql as root with password hunter2',
    'connect with the password "correct horse"',
    'zip it, the password is swordfish',
    'set the password of bob to swordfish',
    'curl with token=abcdef',
    'use api key 4f9a-22cc',
    'push with token ghp_1234567890abcdefghijklmnopqrstuvwxyzAB',
    'clone https://bob:tr0ub4dor@example.com/x.git',
    'unlock with pin 4711',
    'my passphrase: open-sesame',
    'export AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYq8Zt3vLp2w and sync',
    'login with Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdefghijk',
  ])('does not tell %j', (line) => expect(isTellableDescription(line)).toBe(false));
});

it('sends a model the description and the system, and nothing else', () => {
  const { system, text } = questionFor('find files', 'Linux');
  expect(text).toBe('find files');
  expect(system).toContain('zsh on Linux');
});

describe('commandOf returns the one command of an answer', () => {
  it.each([
    ['a bare command', 'du -ah . | sort -rh | head -10', 'du -ah . | sort -rh | head -10'],
    ['with blanks and a newline around it', '\n  ls -la \n', 'ls -la'],
    ['in a fence', '```bash\nfind . -size +10M\n```', 'find . -size +10M'],
    ['in a fence without a language', '```\nfind . -size +10M\n```', 'find . -size +10M'],
    ['in tildes', '~~~sh\nls -la\n~~~', 'ls -la'],
    ['in JSON', '{"command": "ls -la", "risk": "none"}', 'ls -la'],
    ['in JSON in a fence', '```json\n{\n  "command": "ls -la | sort"\n}\n```', 'ls -la | sort'],
    ['in an unclosed fence', '```sh\nls -la', 'ls -la'],
    ['in a fence on one line', '```bash ls -la```', 'ls -la'],
    ['in an indented fence', 'Run:\n\n   ```sh\n   ls -la\n   ```', 'ls -la'],
    ['in backticks', '`ls -la`', 'ls -la'],
    ['after a prompt sign', '$ ls -la', 'ls -la'],
    ['after a prompt sign, with its output', '```console\n$ ls\nREADME.md\nsrc\n```', 'ls'],
    ['after a prompt with a host', '```\nme@host:~$ ls -la\n```', 'ls -la'],
    ['among words', 'Sure! Here you go:\n\n```sh\ndu -sh *\n```\n\nThis shows sizes.', 'du -sh *'],
    ['with comments', '```sh\n# the largest first\nls -S\n```', 'ls -S'],
    ['in prose, as code', 'You can use `find . -name "*.ts"` to do that.', 'find . -name "*.ts"'],
    ['in prose, with words as code', 'The `find` command does it: `find . -empty`.', 'find . -empty'],
    ['across continued lines', '```\nfind . \\\n  -type f \\\n  -size +1M\n```', 'find . -type f -size +1M'],
    ['across lines of a pipeline', 'du -a |\n  sort -n |\n  head', 'du -a | sort -n | head'],
    ['across lines that begin with a pipe', 'du -a\n  | sort -n', 'du -a | sort -n'],
    [
      'a loop across lines',
      '```\nfor f in *.txt; do\n  echo "$f"\ndone\n```',
      'for f in *.txt; do echo "$f"; done',
    ],
    ['a loop with do on its own line', 'for f in *\ndo\necho $f\ndone', 'for f in *; do echo $f; done'],
    ['the first of two ways', '```\nls -S\n```\nor\n```\ndu -a\n```', 'ls -S'],
    ['behind thoughts', '<think>Maybe `rm`?\nNo.</think>\nls -S', 'ls -S'],
    ['with a variable before it', 'LC_ALL=C sort x', 'LC_ALL=C sort x'],
    ['with a substitution', 'echo `date`', 'echo `date`'],
    ['with CRLF', '```\r\nls -la\r\n```\r\n', 'ls -la'],
    ['that itself ends with a full stop', 'git add .', 'git add .'],
    ['whose name is a capital letter', 'R --version', 'R --version'],
  ])('%s', (_, answer, command) => {
    expect(commandOf(answer, names)).toEqual({ ok: true, value: command });
  });

  it.each([
    ['nothing', '', 'no answer'],
    ['an empty command in JSON', '{"command": " "}', 'no command'],
    ['several commands in JSON', '{"command": "cd a\\nrm -rf b"}', 'several commands'],
    ['thoughts alone', '<think>hm', 'no answer'],
    ['a refusal in the requested form', 'NO: this needs a browser.', 'this needs a browser.'],
    ['a refusal in prose', "I'm sorry, I can't help with that.", 'in prose: I'],
    ['prose of several lines', 'First you need a plan.\nThen a command.', 'in prose'],
    ['a question', 'which folder do you mean? Tell me more.', 'in prose'],
    ['several commands', '```\ncd /tmp\nls\n```', 'several commands'],
    ['several commands without a fence', 'ls\ndu -a', 'several commands'],
    ['two commands as code', 'Use `ls -la` and then `rm -r x`.', 'in prose'],
    ['a here-document', '```\ncat > f <<EOF\na\nEOF\n```', 'several commands'],
    ['an open quote', "echo 'a", 'unfinished'],
    ['an escape sequence', 'ls \u001b[31m', 'control characters'],
    ['a missing program', 'fdfind --size +1m', 'fdfind is not installed'],
    ['a line of a thousand letters', `echo ${'a'.repeat(1_000)}`, 'too long'],
    ['an empty fence', '```sh\n```', 'no command'],
    ['JSON without a command', '{"answer": "ls"}', 'is not installed'],
    ['a property name of every object', 'constructor\nls', 'several commands'],
  ])('refuses %s', (_, answer, sentence) => {
    const outcome = commandOf(answer, names);
    expect(outcome).toMatchObject({ ok: false, error: { message: expect.stringContaining(sentence) } });
    expect(outcome.ok ? '' : outcome.error.message).not.toMatch(/[\u0000-\u001f]/);
  });

  it.each([
    ['jq . x.json', true],
    ['Sure, try jq.', false],
    ['you can use jq', false],
  ])('judges %j by its form if the commands are unknown', (answer, isCommand) => {
    expect(commandOf(answer, nobody).ok).toBe(isCommand);
  });
});
