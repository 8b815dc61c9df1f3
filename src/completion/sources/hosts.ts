/** Proposes hosts from ssh's configuration, then known hosts. Reads only the user's files, resolves nothing. */

import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { append } from '../../lib/append.ts';
import { fresh } from '../../lib/fresh.ts';
import { readTextOf } from '../../platform/regular-file.ts';
import type { Query, Suggestion } from '../core/suggestion.ts';
import { commandWords, contextAt } from '../core/tokens.ts';
import type { Source } from './source.ts';

const FRESH_MS = 5_000;
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_INCLUDED = 32;
const MAX_PROPOSALS = 6;
const TRUST = 0.6;

/** Commands that take hosts, and those that take paths as well. */
const HOSTS_ONLY = new Set(['ssh', 'mosh', 'sftp', 'ssh-copy-id', 'ping']);
const HOSTS_TOO = new Set(['scp', 'rsync']);

export function createHostsSource(options: { readonly home: string; readonly now: () => number }): Source {
  const folder = path.join(options.home, '.ssh');
  const known = fresh<Promise<readonly string[]>>({ freshMs: FRESH_MS, maxKeys: 1, now: options.now });
  return {
    name: 'hosts',
    async suggest(query: Query): Promise<readonly Suggestion[]> {
      const left = query.line.slice(0, query.cursor);
      const { words, current, redirect } = contextAt(left);
      const [name = '', ...rest] = commandWords(words);
      const word = /^([\w.-]+@)?([\w.]?[\w.-]*)$/.exec(current);
      const takesOne = HOSTS_ONLY.has(name) && argumentsOf(rest) === 0;
      const takesMany = HOSTS_TOO.has(name) && (current !== '' || rest.length > 0);
      if (word === null || redirect || !(takesOne || takesMany)) return [];
      const [, user = '', typed = ''] = word;
      const found = (await known(folder, () => readHosts(folder))).filter(
        (host) => host.startsWith(typed) && host !== typed,
      );
      return found.slice(0, MAX_PROPOSALS).map((host, at) => ({
        line: left.slice(0, left.length - current.length) + user + host + (takesMany ? ':' : ''),
        cursor: null,
        source: 'hosts',
        probability: ((takesOne ? TRUST : TRUST / 2) * 0.9 ** at) / Math.min(3, found.length),
        partial: true,
        why: 'a host that ssh knows',
      }));
    },
  };
}

/** The number of ssh's words that are neither options nor their values. */
const argumentsOf = (words: readonly string[]): number =>
  words.filter((word, at) => !word.startsWith('-') && !/^-[bcDEeFIiJLlmOopQRSWw]$/.test(words[at - 1] ?? ''))
    .length;

async function readHosts(folder: string): Promise<readonly string[]> {
  const [configured, known] = await Promise.all([
    configuredHosts(folder, 'config'),
    readTextOf(path.join(folder, 'known_hosts'), MAX_FILE_BYTES),
  ]);
  const met = known.split('\n').flatMap((line) => /^(?![|#@])\S+/.exec(line)?.[0].split(',') ?? []);
  const names = [...configured, ...met.map((name) => name.replace(/^\[(.*)\]:\d+$/, '$1'))];
  return [...new Set(names)].filter((name) => /^[A-Za-z0-9][\w.-]*$/.test(name) && !/^[\d.]+$/.test(name));
}

/** Names after `Host`, without patterns, of a file and its includes. */
async function configuredHosts(folder: string, file: string, depth = 0): Promise<readonly string[]> {
  const found: string[] = [];
  for (const line of (await readTextOf(path.resolve(folder, file), MAX_FILE_BYTES)).split('\n')) {
    const [, key = '', value = ''] = /^\s*(host|include)(?:\s+|\s*=\s*)(.*)$/i.exec(line) ?? [];
    const names = value.split(/\s+/).map((name) => name.replaceAll('"', ''));
    if (key.toLowerCase() === 'host')
      append(
        found,
        names.filter((name) => !/[*?!]/.test(name)),
      );
    else if (key !== '' && depth === 0)
      for (const name of names)
        for (const one of await included(folder, name)) append(found, await configuredHosts(folder, one, 1));
  }
  return found;
}

/** The files that an `Include` names; `*` matches any name in its folder. */
async function included(folder: string, name: string): Promise<readonly string[]> {
  const file = path.resolve(folder, name.replace(/^~\//, `${path.dirname(folder)}/`));
  if (!file.includes('*')) return [file];
  const [before = '', after = ''] = path.basename(file).split('*');
  const names = await readdir(path.dirname(file)).catch(() => []);
  return names
    .filter((one) => one.startsWith(before) && one.endsWith(after))
    .slice(0, MAX_INCLUDED)
    .map((one) => path.join(path.dirname(file), one));
}
