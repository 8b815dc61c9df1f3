/** Checks the help and the README of the Neovim plugin against the plugin. */
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NEOVIMS, Neovim } from '../../helpers/neovim.ts';

const PLUGIN = path.resolve(import.meta.dirname, '../../../nvim');
const read = (name: string) => readFileSync(path.join(PLUGIN, name), 'utf8');
const HELP = read('doc/copane.txt');
const README = read('README.md');

/** The plugin's names, as a user could write them. */
const INVENTORY = `local found = { options = {}, keys = {}, plugs = {}, commands = {}, groups = {}, words = {} }
  local config = require('copane.config')
  config.set({})
  local function add(into, prefix, options)
    for name, value in pairs(options) do
      if type(value) == 'table' then
        add(into, prefix .. name .. '.', value)
      else
        table.insert(into, { prefix .. name, ('%s = %s'):format(name, vim.inspect(value):gsub('"', "'")) })
      end
    end
  end
  add(found.options, '', config.get())
  for _, mode in ipairs({ 'n', 'x' }) do
    for _, mapping in ipairs(vim.api.nvim_get_keymap(mode)) do
      if mapping.lhs:find('<Plug>(copane', 1, true) then
        table.insert(found.plugs, mapping.lhs)
      elseif vim.startswith(mapping.desc or '', 'copane: ') then
        table.insert(found.keys, { (mapping.lhs:gsub('^ ', '<leader>')), mapping.rhs })
      end
    end
  end
  for name in pairs(vim.api.nvim_get_commands({})) do
    if vim.startswith(name, 'Copane') then table.insert(found.commands, name) end
  end
  require('copane.review.draw').set_highlights()
  for name in pairs(vim.api.nvim__get_hl_defs and vim.api.nvim__get_hl_defs(0) or vim.api.nvim_get_hl(0, {})) do
    if type(name) == 'string' and vim.startswith(name, 'Copane') then table.insert(found.groups, name) end
  end
  found.words = require('copane.command').complete(nil, '', 'Copane ')
  for _, list in pairs(found) do
    table.sort(list, function(a, b) return vim.inspect(a) < vim.inspect(b) end)
  end
  return found`;

interface Inventory {
  /** Name and default value, as Lua. */
  readonly options: readonly (readonly [string, string])[];
  /** A key and its mapping. */
  readonly keys: readonly (readonly [string, string])[];
  readonly plugs: readonly string[];
  readonly commands: readonly string[];
  readonly groups: readonly string[];
  /** The words allowed after `:Copane`. */
  readonly words: readonly string[];
}

describe.each(NEOVIMS)('%s', (binary) => {
  let nvim: Neovim;
  let has: Inventory;
  beforeAll(async () => {
    nvim = await Neovim.start(binary);
    has = await nvim.lua<Inventory>(INVENTORY);
  });
  afterAll(() => nvim.close());

  /** Those of `wanted` that the text lacks. */
  const missing = (text: string, wanted: readonly string[]) => wanted.filter((one) => !text.includes(one));
  const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, one = '']) => one);

  it('finds the whole plugin', () => {
    expect(has.options.length).toBeGreaterThan(40);
    expect(has.keys.length).toBeGreaterThan(15);
    expect(has.words).toContain('split-hunk');
    expect(has.groups).toContain('CopaneResponse');
  });

  it('the help has every option with its default', () => {
    // The original server's address is accepted and ignored: the help says so.
    const told = has.options.filter(([name]) => !/^suggestion_review\.server\.(host|port)$/.test(name));
    expect(
      missing(
        HELP,
        told.map(([, value]) => value),
      ),
    ).toEqual([]);
    expect(missing(HELP, ['server.host', 'server.port', 'cmd ', 'pane ', 'context '])).toEqual([]);
  });

  it('the help has every key, command and colour', () => {
    for (const [key, target] of has.keys)
      expect(HELP, key).toMatch(
        new RegExp(`^${key.replace('<', '\\<')} .*${target.replace(/[()]/g, '\\$&')}`, 'm'),
      );
    expect(missing(HELP, has.plugs)).toEqual([]);
    expect(
      missing(
        HELP,
        has.commands.map((name) => `*:${name}*`),
      ),
    ).toEqual([]);
    const words = found(HELP, /^:(?:\[range\])?Copane(?:\[!\])? (?:\{([^}]*)\}|review|diff)/gm)
      .join('|')
      .split('|');
    expect(has.words.filter((word) => !words.includes(word) && !['review', 'diff'].includes(word))).toEqual(
      [],
    );
    expect(missing(HELP, has.groups)).toEqual([]);
  });

  it('the help names nothing that does not exist', () => {
    const known = (names: readonly string[], all: readonly string[]) =>
      names.filter((name) => !all.includes(name));
    expect(known(found(HELP, /(<Plug>\(copane-[a-z-]+\))/g), has.plugs)).toEqual([]);
    expect(known(found(HELP, /\*:(Copane\w*)\*/g), has.commands)).toEqual([]);
    expect(known(found(HELP, /\b(Copane[A-Z]\w+)\b/g), [...has.commands, ...has.groups])).toEqual([]);
    const words = found(HELP, /:Copane ([a-z-]+)/g);
    expect(known(words, has.words)).toEqual([]);
    const tags = found(HELP, /\*([^\s*|]+)\*/g);
    expect(known(found(HELP, /\|((?:copane|hl-Copane)[^|\s]*)\|/g), tags)).toEqual([]);
  });

  it('the README has every key and command of a pull and a send, and names nothing that does not exist', () => {
    const own = has.keys.filter(([key]) => key.startsWith('<leader>llm'));
    expect(
      missing(
        README,
        own.map(([key]) => `\`${key}\``),
      ),
    ).toEqual([]);
    expect(
      missing(
        README,
        has.commands.filter((name) => name !== 'Copane').map((name) => `:${name}`),
      ),
    ).toEqual([]);
    const keys = [...has.keys.map(([key]) => key)];
    expect(found(README, /(<leader>\w+)/g).filter((key) => !keys.includes(key))).toEqual([]);
    expect(found(README, /(<Plug>\([^)]*\))/g).filter((plug) => !has.plugs.includes(plug))).toEqual([]);
    const words = found(README, /`:Copane ([a-z|-]+)`/g).flatMap((list) => list.split('|'));
    expect(words.filter((word) => !has.words.includes(word))).toEqual([]);
  });

  it('the tags of the help are those that Neovim generates', () => {
    const doc = path.join(nvim.root, 'doc');
    cpSync(path.join(PLUGIN, 'doc'), doc, { recursive: true });
    execFileSync(binary, ['--headless', '-u', 'NONE', '-i', 'NONE', '-c', `helptags ${doc}`, '-c', 'quit']);
    expect(read('doc/tags')).toBe(readFileSync(path.join(doc, 'tags'), 'utf8'));
  });
});
