/**
 * `node scripts/corpora.ts DIFFY GO_GITDIFF GIT`: runs public corpora of patches, from clones outside this checkout,
 * through the review and compares bytes. Prints each difference and a count per corpus. Copies nothing in.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parsePatch } from '../src/review/core/parse-patch.ts';
import { git, readTree } from '../test/helpers/git-fixture.ts';
import { openTestReviews } from '../test/helpers/review-service.ts';

type Tree = Readonly<Record<string, string>>;

interface Outcome {
  readonly tree: Tree;
  readonly refused: string | null;
}

/** The result of reviewing `patch` over a folder prepared by `fill`, with everything accepted. */
async function accepted(fill: (folder: string) => void, patch: Uint8Array): Promise<Outcome> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'copane-corpus-'));
  const state = mkdtempSync(path.join(os.tmpdir(), 'copane-corpus-'));
  const reviews = openTestReviews(state);
  try {
    fill(folder);
    const published = await reviews.publish(folder, patch);
    if (!published.ok) return { tree: readTree(folder), refused: published.error.message };
    const suggestion = published.value.id;
    const decided = await reviews.decide({ suggestion, hunk: 'all', action: 'accept' });
    return { tree: readTree(folder), refused: decided.ok ? null : decided.error.message };
  } finally {
    reviews.close();
    for (const used of [folder, state]) rmSync(used, { recursive: true, force: true });
  }
}

class Count {
  readonly #name: string;
  #passed = 0;
  #all = 0;

  constructor(name: string) {
    this.#name = name;
  }

  note(id: string, problem: string | null): void {
    this.#all += 1;
    if (problem === null) this.#passed += 1;
    else console.log(`${this.#name} ${id}: ${problem}`);
  }

  print(): void {
    console.log(`${this.#name}: ${this.#passed} of ${this.#all}`);
  }
}

function difference(outcome: Outcome, wanted: Tree | 'refusal'): string | null {
  if (wanted === 'refusal') return outcome.refused === null ? 'taken, though it must be refused' : null;
  if (outcome.refused !== null) return `refused: ${outcome.refused}`;
  return JSON.stringify(outcome.tree) === JSON.stringify(wanted)
    ? null
    : `other bytes: ${JSON.stringify(outcome.tree).slice(0, 200)} for ${JSON.stringify(wanted).slice(0, 200)}`;
}

const MUST_REFUSE = /^fail_|wrong_original|mismatch|zero_control/;

/** The corpus keeps an empty file where the patch deletes the file. */
function withoutDeleted(tree: Tree, patch: Uint8Array): Tree {
  const text = Buffer.from(patch).toString('latin1');
  return Object.fromEntries(
    Object.entries(tree).filter(
      ([name, content]) =>
        content !== '' ||
        (!text.includes(`/${name}\n+++ /dev/null`) && !text.includes(`--- ${name}\n+++ /dev/null`)),
    ),
  );
}

async function diffy(root: string): Promise<void> {
  for (const kind of ['git', 'gnu_patch']) {
    const count = new Count(`diffy ${kind}`);
    const cases = path.join(root, 'tests/compat', kind);
    for (const id of readdirSync(cases).filter((name) =>
      existsSync(path.join(cases, name, 'in/foo.patch')),
    )) {
      const input = path.join(cases, id, 'in');
      const patch = readFileSync(path.join(input, 'foo.patch'));
      const fill = (folder: string) => {
        cpSync(input, folder, { recursive: true });
        rmSync(path.join(folder, 'foo.patch'));
      };
      const output = path.join(cases, id, 'out');
      const wanted = MUST_REFUSE.test(id)
        ? 'refusal'
        : existsSync(output)
          ? withoutDeleted(readTree(output), patch)
          : {};
      count.note(id, difference(await accepted(fill, patch), wanted));
    }
    count.print();
  }
}

async function goGitdiff(root: string): Promise<void> {
  const count = new Count('go-gitdiff');
  const data = path.join(root, 'gitdiff/testdata/apply');
  for (const name of readdirSync(data).filter((file) => file.endsWith('.patch'))) {
    const id = name.slice(0, -'.patch'.length);
    const patch = readFileSync(path.join(data, name));
    const base = [`${id}.src`, `${id.replace(/_error.*$/, '_error')}.src`, 'file_text.src'].find((file) =>
      existsSync(path.join(data, file)),
    );
    const head = /^(?:diff --git a\/(\S+)|--- a\/(\S+)|\+\+\+ b\/(\S+))/m.exec(patch.toString('latin1'));
    const file = head?.[1] ?? head?.[2] ?? head?.[3] ?? 'f';
    const isNew = /^(?:new file mode|--- \/dev\/null)/m.test(patch.toString('latin1'));
    const fill = (folder: string) => {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      if (base !== undefined && !isNew)
        writeFileSync(path.join(folder, file), readFileSync(path.join(data, base)));
    };
    const out = path.join(data, `${id}.out`);
    const text = existsSync(out) ? readFileSync(out).toString('latin1') : null;
    const outcome = await accepted(fill, patch);
    if (text === null) count.note(id, difference(outcome, 'refusal'));
    else {
      // The expected outputs of single fragments end with the fragment.
      const found = Object.values(outcome.tree)[0]?.replace(/^x:/, '') ?? '';
      const same = id.startsWith('text_fragment') ? found.startsWith(text) : found === text;
      count.note(
        id,
        outcome.refused === null && same
          ? null
          : `refused: ${outcome.refused}; ${JSON.stringify(found.slice(0, 60))}`,
      );
    }
  }
  count.print();
}

/** The result of `git apply` on the patches, one by one, in an empty folder. */
function byGit(patches: readonly Uint8Array[]): Tree | 'refusal' {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'copane-corpus-'));
  try {
    git(folder, 'init', '-q');
    for (const patch of patches) {
      const file = path.join(folder, '.git/patch');
      writeFileSync(file, patch);
      if (!succeeds(() => git(folder, 'apply', file))) return 'refusal';
    }
    return readTree(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function succeeds(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown;
    return false;
  }
}

/** Git's own data, with `git apply` as the reference. */
async function gitData(root: string): Promise<void> {
  const folder = (name: string) => path.join(root, 't', name);
  const ends = new Count('git t4101 (no line end)');
  const texts = ['a\nb\n', 'a\nb\nc\n', 'a\nb', 'a\nc\nb'];
  for (const [from, base] of texts.entries()) {
    for (const [to, wanted] of texts.entries()) {
      const file = path.join(folder('t4101'), `diff.${from}-${to}`);
      if (!existsSync(file)) continue;
      const fill = (target: string) => writeFileSync(path.join(target, 'frotz'), base);
      ends.note(`${from}-${to}`, difference(await accepted(fill, readFileSync(file)), { frotz: wanted }));
    }
  }
  ends.print();
  const names = new Count('git t4135 (odd names)');
  for (const name of readdirSync(folder('t4135')).filter((file) => file.endsWith('.diff'))) {
    const patch = readFileSync(path.join(folder('t4135'), name));
    const wanted = byGit([patch]);
    // Those that git refuses here change a file that is missing in this folder.
    if (wanted !== 'refusal') names.note(name, difference(await accepted(() => undefined, patch), wanted));
  }
  names.print();
  const series = new Count('git t4109, t4110 (many fragments)');
  for (const [where, ...numbers] of [
    ['t4109', 1, 2],
    ['t4109', 1, 2, 3],
    ['t4109', 1, 4],
    ['t4110', 1, 2, 3, 4, 5],
  ] as const) {
    const patches = numbers.map((number) => readFileSync(path.join(folder(where), `patch${number}.patch`)));
    series.note(
      `${where} ${numbers.join(', ')}`,
      difference(await accepted(() => undefined, Buffer.concat(patches)), byGit(patches)),
    );
  }
  series.print();
  const stat = new Count('git t4100 (headers)');
  for (const name of readdirSync(folder('t4100')).filter((file) => file.endsWith('.patch'))) {
    const patch = readFileSync(path.join(folder('t4100'), name));
    const parsed = parsePatch(patch);
    const files = parsed.ok ? parsed.value.files.length : parsed.error.message;
    const wanted = Number(
      /(\d+) files? changed/.exec(
        readFileSync(path.join(folder('t4100'), name.replace('.patch', '.expect')), 'utf8'),
      )?.[1],
    );
    stat.note(name, files === wanted ? null : `${files} files for ${wanted}`);
  }
  stat.print();
}

const [diffyRoot, gitdiffRoot, gitRoot] = process.argv.slice(2);
if (diffyRoot !== undefined) await diffy(diffyRoot);
if (gitdiffRoot !== undefined) await goGitdiff(gitdiffRoot);
if (gitRoot !== undefined) await gitData(gitRoot);
