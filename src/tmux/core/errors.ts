/** Translates tmux's error messages into failures that a user can act on. */
import { type Failure, fail } from '../../lib/result.ts';

interface Rule {
  readonly pattern: RegExp;
  readonly failure: (match: RegExpExecArray) => Failure;
}

const failure =
  (...parts: Parameters<typeof fail>): (() => Failure) =>
  () =>
    fail(...parts).error;

const RULES: readonly Rule[] = [
  {
    pattern: /no server running on (.*)|error connecting to (\S+)/,
    failure: (match) =>
      fail('not_found', `no tmux server is running on ${match[1] ?? match[2]}`, 'Start one with: copane up')
        .error,
  },
  {
    pattern: /can't find pane:? ?(.*)/,
    failure: (match) =>
      fail('not_found', `there is no pane ${match[1]}`.trimEnd(), 'List the panes with: copane status').error,
  },
  {
    pattern: /can't find (session|window|client):? ?(.*)/,
    failure: (match) => fail('not_found', `there is no tmux ${match[1]} ${match[2]}`.trimEnd()).error,
  },
  { pattern: /no current (target|session|client)/, failure: failure('not_found', 'tmux has no session yet') },
  { pattern: /no sessions/, failure: failure('not_found', 'the tmux server has no session') },
  { pattern: /not in a mode/, failure: failure('refused', 'the pane is not in a mode') },
  { pattern: /command too long/, failure: failure('internal', 'tmux rejected a command as too long') },
  {
    pattern: /client is read-only/,
    failure: failure(
      'refused',
      'tmux says "client is read-only": a read-only control client is attached to this server, and tmux 3.7 then rejects the keys of everyone',
      'Find it with `tmux list-clients` (flag read-only) and detach it',
    ),
  },
  {
    pattern: /protocol version mismatch \((.*)\)/,
    failure: (match) =>
      fail(
        'refused',
        `the tmux program and the running tmux server are of different versions (${match[1]})`,
        'Put the tmux that started the server first in PATH, or restart the server',
      ).error,
  },
  { pattern: /no alternate screen/, failure: failure('not_found', 'the pane shows no alternate screen') },
  {
    pattern: /permission denied|access not allowed/i,
    failure: failure('refused', 'the tmux socket belongs to another user'),
  },
  {
    pattern: /unknown (?:command|option).*|^usage: .*/m,
    failure: (match) =>
      fail(
        'refused',
        `tmux does not understand copane: ${match[0]}`,
        'Install tmux 3.2 or newer; "tmux -V" tells which one you have',
      ).error,
  },
  { pattern: /server exited|lost server/, failure: failure('not_found', 'the tmux server has ended') },
];

/** The failure for tmux's message on stderr (or in an error reply). */
export function explainTmuxError(stderr: string): Failure {
  for (const rule of RULES) {
    const match = rule.pattern.exec(stderr);
    if (match !== null) return rule.failure(match);
  }
  const first = stderr.trim().split('\n')[0] ?? '';
  return fail('internal', first === '' ? 'tmux failed without a message' : `tmux: ${first}`).error;
}
