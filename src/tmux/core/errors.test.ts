import { describe, expect, it } from 'vitest';
import { explainTmuxError } from './errors.ts';

describe('tmux errors', () => {
  it.each([
    [
      'no server running on /tmp/tmux-0/default',
      'not_found',
      /no tmux server is running on \/tmp\/tmux-0\/default/,
    ],
    ['error connecting to /tmp/x (No such file or directory)', 'not_found', /running on \/tmp\/x/],
    ["can't find pane: %9", 'not_found', /no pane %9/],
    ["can't find session: work", 'not_found', /no tmux session work/],
    ['no current target', 'not_found', /no session/],
    ['not in a mode', 'refused', /not in a mode/],
    ['command too long', 'internal', /too long/],
    ['client is read-only', 'refused', /read-only control client/],
    ['open terminal failed: protocol version mismatch (client 8, server 7)', 'refused', /client 8, server 7/],
    ['no alternate screen', 'not_found', /alternate/],
    ['list-panes: unknown option -- f\nusage: list-panes [-as]', 'refused', /copane: unknown option -- f$/],
    ['unknown command: display-popup', 'refused', /unknown command: display-popup$/],
    ['lost server', 'not_found', /ended/],
    ['something new\nmore', 'internal', /^tmux: something new$/],
    ['', 'internal', /without a message/],
  ])('%j', (stderr, code, message) => {
    const failure = explainTmuxError(stderr);
    expect(failure.code).toBe(code);
    expect(failure.message).toMatch(message);
    // A next step is a complete sentence, on a screen and on its own line.
    expect(failure.hint ?? '').not.toMatch(/^\p{Ll}/u);
  });
});
