/** An installed copane with something missing or broken: the model and the log learn what, and the job goes on. */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type PlayedJob, playJob } from '../../../evals/agent/faults/play-job.ts';
import { calls, words } from '../../../evals/agent/faults/replies.ts';
import { run } from '../../../src/platform/run.ts';
import { PRODUCT } from '../../helpers/product.ts';
import { removeTree } from '../../helpers/remove-tree.ts';

const FIXTURES = path.resolve(import.meta.dirname, '../../fixtures/file-maps');
const LONG = Array.from({ length: 900 }, (_, i) => `export function f${i}() {\n  return ${i};\n}\n`).join('');

let folder = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'copane-broken-')));
  const modules = path.dirname(PRODUCT);
  for (const name of readdirSync(modules).filter((one) => !one.startsWith('.'))) {
    const there = path.join(folder, 'node_modules', name);
    mkdirSync(path.dirname(there), { recursive: true });
    if (path.join(modules, name) === PRODUCT) cpSync(PRODUCT, there, { recursive: true });
    else symlinkSync(path.join(modules, name), there);
  }
});
afterEach(() => removeTree(folder));

const product = (...names: readonly string[]) =>
  path.join(folder, 'node_modules', path.basename(PRODUCT), ...names);
const dist = (...names: readonly string[]) => product('dist', ...names);

interface Asked {
  readonly tool?: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** One tool call of a model; what it was answered is in the last request. */
async function ask<T>(
  { tool = 'read_file', input = { file_path: 'long.ts' }, env }: Asked,
  look: (played: PlayedJob, told: string) => T,
) {
  return playJob(
    {
      program: product('bin/copane'),
      prompt: 'Look at it.',
      files: { 'long.ts': LONG, 'noise.log': 'noise\n', '.gitignore': '*.log\n' },
      ...(env === undefined ? {} : { env }),
      answer: (response, { at }) => {
        const { headers = {}, body } = at === 0 ? calls([tool, input]) : words('I have seen it.');
        response.writeHead(200, headers);
        response.end(Buffer.concat(body));
      },
    },
    (played) => {
      const { messages } = JSON.parse(played.asked.at(-1) ?? '{}');
      return look(played, String(messages.findLast((one: { role: string }) => one.role === 'tool')?.content));
    },
  );
}

/** A PATH with everything but these programs. */
function pathWithout(...names: readonly string[]): string {
  const bin = path.join(folder, 'bin');
  mkdirSync(bin);
  const folders = [path.dirname(process.execPath), ...(process.env.PATH ?? '').split(':')];
  for (const from of folders.filter((one) => one !== '' && existsSync(one))) {
    for (const name of readdirSync(from)) {
      const there = path.join(bin, name);
      if (!names.includes(name) && !existsSync(there)) symlinkSync(path.join(from, name), there);
    }
  }
  return bin;
}

/** A PATH on which `name` is this script. */
function pathWith(name: string, script: string): string {
  const bin = path.join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(path.join(bin, name), `#!/bin/sh\n${script}\n`);
  chmodSync(path.join(bin, name), 0o755);
  return `${bin}:${path.dirname(process.execPath)}:${process.env.PATH}`;
}

describe('a long file is read with', () => {
  test('the whole product: its outline', () =>
    ask({}, ({ log }, told) => {
      expect(told).toContain('f899: [2698-2700]');
      expect(log).not.toContain('map');
    }));

  test.each([
    [
      'the program that makes maps missing',
      () => rmSync(dist('filemap.js')),
      /\[No outline: .*its process ended \(1\)/,
    ],
    [
      'that program broken',
      () => writeFileSync(dist('filemap.js'), 'nonsense {'),
      /\[No outline: .*its process ended \(1\)/,
    ],
    [
      'that program killed',
      () => writeFileSync(dist('filemap.js'), 'process.kill(process.pid, "SIGKILL");'),
      /\[No outline: .*its process ended \(SIGKILL\)/,
    ],
  ])('%s: it is told, and logged', (_, damage, words) => {
    damage();
    return ask({}, ({ log }, told) => {
      expect(told).toContain('1→export function f0()');
      expect(told).toMatch(words);
      expect(log).toContain('a file was read without its map');
    });
  });

  test.each([
    [
      'no grammars',
      () => rmSync(dist('grammars'), { recursive: true }),
      /the grammar runtime cannot be read/,
    ],
    [
      'one grammar missing',
      () => rmSync(dist('grammars/typescript.wasm.br')),
      /the grammar typescript cannot be read/,
    ],
    [
      'one grammar cut off',
      () => truncateSync(dist('grammars/typescript.wasm.br'), 1_000),
      /the grammar typescript cannot be read/,
    ],
    [
      'one grammar that is none',
      () => writeFileSync(dist('grammars/runtime.wasm.br'), 'text'),
      /the grammar runtime cannot be read/,
    ],
  ])('%s: an outline from its lines says so', (_, damage, words) => {
    damage();
    return ask({}, (_played, told) => {
      expect(told).toContain('f899');
      expect(told).toMatch(/outline from the lines alone/);
      expect(told).toMatch(words);
    });
  });

  test('no place to keep the outline: that is logged', () => {
    const cache = path.join(folder, 'cache');
    writeFileSync(cache, '');
    return ask({ env: { XDG_CACHE_HOME: cache } }, ({ log }, told) => {
      expect(told).toContain('f899');
      expect(log).toContain('a map was not kept');
    });
  });
});

describe('a program that a tool needs', () => {
  test('ripgrep is nowhere', () => {
    rmSync(path.join(folder, 'node_modules/@vscode'));
    const env = { PATH: pathWithout('rg') };
    return ask({ tool: 'search_project', input: { query: 'f7' }, env }, (_, told) =>
      expect(told).toContain('ripgrep is not installed'),
    );
  });

  test('ripgrep fails', () => {
    rmSync(path.join(folder, 'node_modules/@vscode'));
    const env = { PATH: pathWith('rg', 'echo "rg: cannot start" >&2; exit 2') };
    return ask({ tool: 'search_project', input: { query: 'f7' }, env }, (_, told) =>
      expect(told).toContain('ripgrep did not work: rg: cannot start'),
    );
  });

  test('git is nowhere: nothing that it may ignore is shown', () =>
    ask({ input: { file_path: 'noise.log' }, env: { PATH: pathWithout('git') } }, (_, told) =>
      expect(told).toMatch(/Git may ignore this file: There is no "git"/),
    ));

  test('git refuses the repository', () => {
    const env = {
      PATH: pathWith('git', 'echo "fatal: detected dubious ownership in repository" >&2; exit 128'),
    };
    return ask({ input: { file_path: 'noise.log' }, env }, (_, told) =>
      expect(told).toMatch(/Git may ignore this file: .*belongs to another user/),
    );
  });
});

test('maps of the installed product name what those from source do', async () => {
  const names = readdirSync(FIXTURES).filter((name) => !name.endsWith('.map'));
  const env = { ...process.env, HOME: folder, XDG_CACHE_HOME: path.join(folder, 'cache') };
  const waiting = [...names];
  const lane = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const file = path.join(FIXTURES, name);
      const { stdout } = await run(product('bin/copane'), ['map', file], { env, timeoutMs: 60_000 });
      const expected = readFileSync(`${file}.map`, 'utf8').split('\n').slice(1);
      for (const line of expected) expect(stdout.toString(), name).toContain(line);
    }
  };
  await Promise.all([lane(), lane(), lane()]);
});
