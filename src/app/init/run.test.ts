import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeTree } from '../../../test/helpers/remove-tree.ts';
import type { Failure, Result } from '../../lib/result.ts';
import type { InitPlace, Integration } from './integration.ts';
import { INTEGRATIONS } from './registry.ts';
import { carryOut, partsPresent, planInit, planRemove } from './run.ts';

let home = '';
let place: InitPlace;

beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'copane-init-'));
  place = {
    env: {},
    home,
    root: '/opt/co pane',
    program: '/opt/co pane/bin/copane',
    stateDir: path.join(home, '.local/state/copane'),
  };
});

afterEach(() => removeTree(home));

function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

function refusal(result: Result<unknown>): Failure {
  if (result.ok) throw new Error('it was not refused');
  return result.error;
}

function integration(name: string): Integration {
  const found = INTEGRATIONS.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
}

function add(name: string, parts: readonly string[] | null = null): number {
  const plan = must(planInit(integration(name), place, parts));
  must(carryOut(integration(name), place, plan));
  return plan.changes.length;
}

function remove(name: string): readonly string[] {
  const plan = must(planRemove(integration(name), place));
  must(carryOut(integration(name), place, plan));
  return plan.notes;
}

function put(file: string, text: string): string {
  const full = path.join(home, file);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, text);
  return full;
}

/** Everything below the home folder except copane's own state: path → content, kind and mode. */
function everything(folder = home): Readonly<Record<string, string>> {
  const entries = readdirSync(folder, { withFileTypes: true }).flatMap((entry): [string, string][] => {
    const full = path.join(folder, entry.name);
    if (full === path.join(home, '.local/state')) return [];
    const name = path.relative(home, full);
    const mode = (lstatSync(full).mode & 0o777).toString(8);
    if (entry.isSymbolicLink()) return [[name, `link ${readlinkSync(full)}`]];
    if (entry.isDirectory()) return [[name, `folder ${mode}`], ...Object.entries(everything(full))];
    return [[name, `${mode} ${readFileSync(full, 'utf8')}`]];
  });
  return Object.fromEntries(entries);
}

const NAMES = INTEGRATIONS.map(({ name }) => name);

/** Typical user files before copane: odd layouts, comments, the user's own hooks and programs. */
const BEFORE: Readonly<Record<string, string>> = {
  '.zshrc': 'alias ll="ls -l"\n# no line end',
  '.claude/settings.json':
    '{\n\t"model": "opus",\n\t"hooks": {"Stop": [ {"hooks": [{"type":"command","command":"beep"}]} ]}\n}',
  '.claude.json': '{"numStartups": 3, "mcpServers": {"other": {"command": "x"}},\n"projects": {}}',
  '.codex/config.toml':
    '# mine\nmodel = "m"\nnotify = [ "notify-send",\n  "Codex" ] # keep\n\n[mcp_servers.other]\ncommand = "y"\n',
  '.codex/hooks.json': '{ "hooks": { } }\n',
  '.gemini/settings.json': '{\n  // dark\n  "ui": { "theme": "Default" },\n}\n',
  '.config/opencode/opencode.jsonc': '{\n  "$schema": "https://opencode.ai/config.json" // schema\n}\n',
  '.pi/agent/extensions/mine.ts': 'export default () => {};\n',
};

describe.each(NAMES)('%s', (name) => {
  it('comes and goes without a trace if nothing was there', () => {
    const before = everything();
    expect(add(name)).toBeGreaterThan(0);
    expect([...partsPresent(integration(name), place)]).not.toEqual([]);
    const after = everything();
    expect(after).not.toEqual(before);
    expect(add(name)).toBe(0);
    expect(everything()).toEqual(after);
    expect(remove(name)).toEqual([]);
    mkdirSync(path.join(home, '.local'), { recursive: true });
    const { '.local': own, ...rest } = everything();
    expect([own === undefined || own.startsWith('folder'), rest]).toEqual([true, before]);
    expect([...partsPresent(integration(name), place)]).toEqual([]);
  });

  it('restores what was there byte for byte, mode included', () => {
    for (const [file, text] of Object.entries(BEFORE)) chmodSync(put(file, text), 0o640);
    mkdirSync(path.join(home, '.local/share'), { recursive: true });
    const before = everything();
    add(name);
    expect(everything()).not.toEqual(before);
    remove(name);
    expect(everything()).toEqual(before);
  });

  it('is removed even if its record is lost', () => {
    for (const [file, text] of Object.entries(BEFORE)) put(file, text);
    add(name);
    rmSync(place.stateDir, { recursive: true });
    remove(name);
    expect(JSON.stringify(everything())).not.toContain('co pane');
  });
});

describe('a file that its owner changed since', () => {
  it.each([
    ['claude', '.claude/settings.json', '"model": "opus"', '"model": "sonnet"'],
    ['gemini', '.gemini/settings.json', '"theme": "Default"', '"theme": "Dark"'],
    ['codex', '.codex/config.toml', 'model = "m"', 'model = "n"'],
    ['zsh', '.zshrc', 'ls -l', 'ls -la'],
  ])('%s keeps the change and loses only our part', (name, file, from, to) => {
    const text = BEFORE[file] ?? '';
    const full = put(file, text);
    add(name);
    writeFileSync(full, readFileSync(full, 'utf8').replace(from, to));
    remove(name);
    expect(readFileSync(full, 'utf8')).toBe(text.replace(from, to));
  });

  it.each([
    ['codex', '.codex/config.toml', 'notify = []\n', '[added]\n'],
    ['codex', '.codex/config.toml', '', '[added]\n'],
    ['codex', '.codex/config.toml', 'a = 1\r\n# end', '\r\n[added]\r\n'],
    ['tmux', '.tmux.conf', 'set -g mouse on\r\n# end', '\r\nset -g base-index 1\r\n'],
  ])('%s: %s keeps what was added to %j, and every other byte', (name, file, text, more) => {
    const full = put(file, text);
    add(name);
    writeFileSync(full, readFileSync(full, 'utf8') + more.trimStart());
    remove(name);
    expect(readFileSync(full, 'utf8')).toBe(text + more);
  });

  it.each([
    ['zsh', '.zshrc', { ZDOTDIR: 'moved' }, 'moved/.zshrc'],
    ['codex', '.codex/config.toml', { CODEX_HOME: 'moved' }, 'moved/config.toml'],
    ['claude', '.claude/settings.json', { CLAUDE_CONFIG_DIR: 'moved' }, 'moved/settings.json'],
    ['tmux', '.tmux.conf', {}, '.config/tmux/tmux.conf'],
  ])('%s loses our part also where its place was another one then', (name, usual, env, file) => {
    const text = BEFORE[usual] ?? 'set -g mouse on\n';
    const full = put(file, text);
    const then = Object.entries(env).map(([key, value]) => [key, path.join(home, value)]);
    place = { ...place, env: Object.fromEntries(then) };
    add(name);
    const more = /\.toml|rc$|conf$/.test(file) ? '# added\n' : ' ';
    writeFileSync(full, readFileSync(full, 'utf8') + more);
    place = { ...place, env: {} };
    put(usual, text);
    expect(remove(name)).toEqual([]);
    expect(readFileSync(full, 'utf8')).toBe(text.replace(/rc$|end$/, '$&\n') + more);
  });

  it('is kept even though copane created it', () => {
    add('gemini');
    const full = path.join(home, '.gemini/settings.json');
    const text = readFileSync(full, 'utf8').replace('{', '{\n  "ui": {},');
    writeFileSync(full, text);
    remove('gemini');
    expect(JSON.parse(readFileSync(full, 'utf8'))).toEqual({ ui: {} });
  });

  it('is restored to that change if copane was set up again after it', () => {
    const full = put('.claude/settings.json', '{\n  "a": 1\n}\n');
    add('claude', ['hooks']);
    writeFileSync(full, readFileSync(full, 'utf8').replace('"a": 1', '"a": 2'));
    add('claude');
    remove('claude');
    expect(readFileSync(full, 'utf8')).toBe('{\n  "a": 2\n}\n');
  });
});

describe('parts', () => {
  it('can be added one by one and are removed together', () => {
    const before = everything();
    expect(add('claude', ['mcp'])).toBe(1);
    expect([...partsPresent(integration('claude'), place)]).toEqual(['mcp']);
    expect(add('claude', ['hooks'])).toBe(1);
    expect([...partsPresent(integration('claude'), place)].sort()).toEqual(['hooks', 'mcp']);
    remove('claude');
    const { '.local': _, ...rest } = everything();
    expect(rest).toEqual(before);
  });

  it('are added one by one and removed together', () => {
    expect(refusal(planInit(integration('codex'), place, ['nothing'])).hint).toContain('hooks, notify, mcp');
  });

  it('are reported if unknown', () => {
    add('opencode');
    expect(existsSync(path.join(home, '.config/opencode/opencode.json'))).toBe(false);
    add('opencode', ['mcp']);
    expect(readFileSync(path.join(home, '.config/opencode/opencode.json'), 'utf8')).toContain('"copane"');
  });
});

it('are added only on request if optional', () => {
  const own = '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "beep"\n';
  put('.codex/config.toml', own);
  add('codex');
  expect([...partsPresent(integration('codex'), place)].sort()).toEqual(['mcp', 'notify']);
  add('codex', ['hooks']);
  expect(existsSync(path.join(home, '.codex/hooks.json'))).toBe(true);
  remove('codex');
  expect(readFileSync(path.join(home, '.codex/config.toml'), 'utf8')).toBe(own);
  put('.codex/config.toml', '[hooks.state."x"]\ntrusted_hash = "y"\n');
  add('codex');
  expect([...partsPresent(integration('codex'), place)]).toContain('hooks');
});

describe('adds no hooks.json to a Codex with hooks in its config.toml, unless requested', () => {
  it.each(NAMES)('replaces the set-up of another copane', (name) => {
    add(name);
    place = { ...place, root: '/elsewhere', program: '/elsewhere/bin/copane' };
    expect(add(name)).toBeGreaterThan(0);
    expect(JSON.stringify(everything())).not.toContain('co pane');
    remove(name);
    expect(JSON.stringify(everything())).not.toContain('elsewhere');
  });
});

describe('is replaced in %s', () => {
  function refuses(name: string, why: string): void {
    const before = everything();
    const { code, message } = refusal(planInit(integration(name), place, null));
    expect({ code, message }).toEqual({ code: 'refused', message: expect.stringContaining(why) });
    expect(everything()).toEqual(before);
    expect(existsSync(path.join(place.stateDir, 'init'))).toBe(false);
  }

  it('refuses without writing anything:', () => {
    const outside = mkdtempSync(path.join(os.tmpdir(), 'copane-outside-'));
    writeFileSync(path.join(outside, 'zshrc'), 'x\n');
    symlinkSync(path.join(outside, 'zshrc'), path.join(home, '.zshrc'));
    refuses('zsh', 'outside your home folder');
    rmSync(outside, { recursive: true });
  });

  it('a folder that is a link out of the home folder', () => {
    const outside = mkdtempSync(path.join(os.tmpdir(), 'copane-outside-'));
    symlinkSync(outside, path.join(home, '.gemini'));
    refuses('gemini', 'outside your home folder');
    rmSync(outside, { recursive: true });
  });

  it('a link to nothing', () => {
    symlinkSync(path.join(home, 'gone'), path.join(home, '.zshrc'));
    refuses('zsh', 'which does not exist');
  });

  it.each([
    ['claude', '.claude/settings.json', '{"hooks": ', 'not valid JSON (line 1'],
    ['claude', '.claude/settings.json', '{"hooks": []}', '"hooks" is not a group of settings'],
    ['gemini', '.gemini/settings.json', '[]', 'not a JSON object'],
    ['codex', '.codex/config.toml', 'notify = "word"', '"notify" is not a list of words'],
    ['codex', '.codex/config.toml', '= =', 'not valid TOML'],
    ['opencode', '.config/opencode/plugins/copane.js', '// mine\n', 'a file of your own'],
  ])('%s: %s that holds %s', (name, file, text, why) => {
    put(file, text);
    refuses(name, why);
  });

  it('a file with a second hard link, which would keep the old text', () => {
    mkdirSync(path.join(home, '.claude'));
    linkSync(put('dotfiles/settings.json', '{}\n'), path.join(home, '.claude/settings.json'));
    refuses('claude', 'a second name');
  });

  it('content that is not text, and a path that is not a file', () => {
    writeFileSync(put('.zshrc', ''), Buffer.from([0xff, 0xfe, 0x00]));
    refuses('zsh', 'not UTF-8');
    rmSync(path.join(home, '.zshrc'));
    mkdirSync(path.join(home, '.zshrc'));
    refuses('zsh', 'not a regular file');
  });

  it('a folder in place of our link', () => {
    mkdirSync(path.join(home, '.local/share/nvim/site/pack/copane/start/copane'), { recursive: true });
    refuses('nvim', 'not a link of copane');
  });

  it('a link of the user in place of ours, which stays after removal', () => {
    const link = path.join(home, '.local/share/nvim/site/pack/copane/start/copane');
    const own = path.dirname(put('mine/plugin/own.vim', ''));
    mkdirSync(path.dirname(link), { recursive: true });
    symlinkSync(own, link);
    refuses('nvim', 'a link of your own');
    remove('nvim');
    expect(readlinkSync(link)).toBe(own);
  });

  it('a settings file that is nested too deeply', () => {
    put('.claude/settings.json', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
    refuses('claude', 'nested more than 200 deep');
  });

  it('a file that changed between reading and writing; earlier writes are undone', () => {
    const hooks = put('.claude/settings.json', '{}\n');
    const state = put('.claude.json', '{"a": 1}\n');
    const plan = must(planInit(integration('claude'), place, null));
    writeFileSync(state, '{"a": 2}\n');
    expect(refusal(carryOut(integration('claude'), place, plan)).message).toContain('changed it meanwhile');
    expect([readFileSync(hooks, 'utf8'), readFileSync(state, 'utf8')]).toEqual(['{}\n', '{"a": 2}\n']);
  });
});

describe('links inside the home folder', () => {
  it('stay links; their target is edited and restored', () => {
    const real = put('dotfiles/zshrc', 'a=1\n');
    symlinkSync(real, path.join(home, '.zshrc'));
    add('zsh');
    expect([lstatSync(path.join(home, '.zshrc')).isSymbolicLink(), statSync(real).size > 4]).toEqual([
      true,
      true,
    ]);
    remove('zsh');
    expect(readFileSync(real, 'utf8')).toBe('a=1\n');
  });
});

describe('copies', () => {
  it('are readable only by their owner, and are deleted with the set-up', () => {
    put('.claude.json', '{"secret": "s"}\n');
    add('claude');
    const folder = path.join(place.stateDir, 'init');
    const backup = readdirSync(folder).find((file) => file.endsWith('.backup')) ?? '';
    expect(statSync(path.join(folder, backup)).mode & 0o777).toBe(0o600);
    expect(readFileSync(path.join(folder, backup), 'utf8')).toContain('secret');
    remove('claude');
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ['claude', '.claude.json', '{"a": 1}\n', '{"mcpServers": {"copane": '],
    ['claude', '.claude/settings.json', '{"a": 1}\n', '{"hooks": [ "/x/copane-hook" '],
    ['codex', '.codex/config.toml', 'a = 1\n', 'notify = [ "/x/copane-hook"\n'],
    ['codex', '.codex/config.toml', 'a = 1\n', '= =\n[mcp_servers.copane]\n'],
  ])('%s: of a file that cannot be read any more stay, and it is named: %s', (name, file, before, broken) => {
    put(file, before);
    add(name);
    const full = put(file, broken);
    expect(remove(name)[0]).toContain(`${path.basename(file)} is left alone: it is not valid`);
    expect(readFileSync(full, 'utf8')).toBe(broken);
    const folder = path.join(place.stateDir, 'init');
    const copies = readdirSync(folder).filter((each) => each.endsWith('.backup'));
    expect(copies.map((each) => readFileSync(path.join(folder, each), 'utf8'))).toEqual([before]);
  });
});
