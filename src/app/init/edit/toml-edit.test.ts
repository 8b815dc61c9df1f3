import { describe, expect, it } from 'vitest';
import type { Result } from '../../../lib/result.ts';
import { appendTable, removeTable, removeTopValue, setTopValue } from './toml-edit.ts';

const COMMENT = '# ours';
const TABLE = ['mcp_servers', 'copane'];
const BODY = 'command = "x"\n';

function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

/** Texts that a careless edit would break. */
const TEXTS: readonly (readonly [string, string])[] = [
  ['nothing', ''],
  ['only a comment', '# mine\n'],
  ['no line end', 'a = 1'],
  ['a table at the start', '[t]\nnotify = ["inner"]\n'],
  [
    'strings that look like headers',
    's = """\n[mcp_servers.copane]\nnotify = 1\n"""\n\n[t]\nx = \'\'\'\n[u]\n\'\'\'\n',
  ],
  ['a list over lines with comments', 'l = [\n  "a", # ]\n  "b",\n] # end\n[t]\ny = 1\n'],
  ['quoted keys', '"a.b" = 1\n[projects."/x/[y]"]\ntrust_level = "trusted"\n[[many]]\nz = {a = "}"}\n'],
  ['windows line ends', 'a = 1\r\n\r\n[t]\r\nb = 2\r\n'],
  ['other servers', '[mcp_servers.other]\ncommand = "y"\n\n[mcp_servers.copane2]\ncommand = "z"\n'],
  ['dates and numbers', 'd = 2026-01-02T03:04:05Z\nn = 1_000\nf = 1e3\n'],
];

describe.each(TEXTS)('a text with %s', (_, text) => {
  it('gets a table and loses it again, byte for byte except for a missing line end', () => {
    const added = must(appendTable(text, TABLE, BODY, COMMENT));
    expect(added).toContain(`${COMMENT}\n[mcp_servers.copane]\n${BODY}`);
    expect(must(removeTable(added, TABLE, COMMENT))).toBe(text === 'a = 1' ? 'a = 1\n' : text);
  });

  it('gets a value at the top and loses it again, byte for byte', () => {
    const added = must(setTopValue(text, 'notify', '["n"]', COMMENT));
    expect(must(removeTopValue(added, 'notify', COMMENT))).toBe(text);
  });

  it('keeps the inserted table when another program appends to the file', () => {
    const added = `${must(appendTable(text, TABLE, BODY, COMMENT))}\n[projects."/new"]\ntrust_level = "trusted"\n`;
    const removed = must(removeTable(added, TABLE, COMMENT));
    expect(removed).toContain('[projects."/new"]\ntrust_level = "trusted"');
    expect(removed).not.toContain(`[mcp_servers.copane]\n${BODY}`);
  });
});

describe('a value at the top', () => {
  it('replaces an existing value and keeps its comment', () => {
    const text = 'notify = [\n  "a", # first\n  "b",\n] # mine\n[t]\nnotify = 1\n';
    expect(must(setTopValue(text, 'notify', '["c"]', COMMENT))).toBe(
      'notify = ["c"] # mine\n[t]\nnotify = 1\n',
    );
  });
});

describe('a text is refused', () => {
  it.each([
    ['that is not TOML', 'a = \n', 'not valid TOML'],
    ['whose servers are on one line', 'mcp_servers = { other = { command = "y" } }\n', 'do not fit into it'],
  ])('%s', (_, text, why) => {
    const refused = appendTable(text, TABLE, BODY, COMMENT);
    expect(refused.ok ? '' : refused.error.message).toContain(why);
  });
});
