/**
 * The sandbox commands: an AI works in a sandbox and publishes from it. They are in copane's state folder: outside
 * working trees, so that no watcher, search or build sees files twice, and safe from cleaners of temporary folders.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { firstFew } from '../../lib/count.ts';
import { fail, ok, type Result } from '../../lib/result.ts';
import type { Caller, CommandInput, CommandResult, CommandsBy, ServiceOf } from '../../protocol/command.ts';
import type { Sandbox } from '../../protocol/sandbox.ts';
import { gitBlobName } from '../files/hash.ts';
import { readImage } from '../files/target-files.ts';
import { realFolder } from '../files/target-folder.ts';
import type { StoredSuggestion } from '../records/records.ts';
import { openRepository } from '../vcs/git.ts';
import { checkJj, findWorkspace } from '../vcs/jj.ts';
import { topOf } from '../vcs/repository-place.ts';
import {
  branchOf,
  type ChangedFile,
  checkBranch,
  commitOf,
  createWorktree,
  lookAtSandbox,
  removeWorktree,
  type SandboxWork,
} from './git-sandbox.ts';
import { createWorkspace, jjCommitOf, lookAtJjSandbox, removeWorkspace } from './jj-sandbox.ts';
import { checkSandboxName, type SandboxRecord, SandboxStore } from './sandbox-store.ts';

export interface SandboxOptions {
  /** The folder for all of them; null: none can be created (a test without a state folder). */
  readonly root: string;
  readonly now: () => number;
  readonly suggestions: () => readonly StoredSuggestion[];
  /** Whether a sandbox's file is as published, or as decisions left it since. */
  readonly isPublished: (suggestion: string, file: string) => Promise<boolean>;
}

interface Home {
  /** The top folder of the target's working tree. */
  readonly target: string;
  readonly repository: string;
  readonly kind: SandboxRecord['kind'];
}

export class Sandboxes implements ServiceOf<CommandsBy<'sandboxes'>> {
  readonly #options: SandboxOptions;
  readonly #store: SandboxStore;
  /** One at a time: two requests for the same name must not collide. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: SandboxOptions) {
    this.#options = options;
    this.#store = new SandboxStore(options.root);
  }

  create(input: CommandInput<'sandbox/new'>, caller?: Pick<Caller, 'signal'>): Promise<Result<Sandbox>> {
    return this.#serial(async () => {
      const name = checkSandboxName(input.name);
      if (!name.ok) return name;
      const home = await findHome(input.target);
      if (!home.ok) return home;
      const { target, repository, kind } = home.value;
      const folder = this.#store.folderFor(repository, input.name);
      if ((await this.#store.spoiled(repository)).includes(folder)) return damaged(kind, input.name, folder);
      if ((await this.#store.find(repository, input.name)) !== null)
        return fail(
          'refused',
          `The sandbox ${input.name} already exists.`,
          `"copane sandbox rm ${input.name}" removes it.`,
        );
      if (existsSync(folder))
        return fail('refused', `The folder ${folder} already exists.`, 'Remove it first.');
      const branch = kind === 'jj' ? input.name : branchOf(input.name);
      const free = kind === 'jj' ? ok(undefined) : await checkBranch(target, branch);
      if (!free.ok) return free;
      const base =
        kind === 'jj' ? await jjCommitOf(target, input.base) : await commitOf(target, input.base ?? 'HEAD');
      if (!base.ok) return base;
      const record: SandboxRecord = {
        name: input.name,
        kind,
        target,
        repository,
        folder,
        branch,
        base: base.value,
        createdAt: this.#options.now(),
      };
      // Recorded first: a crash during a long checkout must leave a sandbox that can be removed.
      await this.#store.put(record);
      const made = await (kind === 'jj' ? createWorkspace(record) : createWorktree(record, caller?.signal));
      if (made.ok) return this.#describe(record);
      const undone = kind === 'jj' ? ok(null) : await removeWorktree(record, { isUnfinished: true });
      if (!undone.ok) {
        const rest = `What it left is still there: ${undone.error.message}`;
        return fail(
          'refused',
          `${made.error.message} ${rest}`,
          `"copane sandbox rm ${input.name}" removes it.`,
        );
      }
      await this.#store.drop(record);
      return made;
    });
  }

  /** The sandboxes of the target's repository, or all. */
  async list(input: CommandInput<'sandbox/list'>): Promise<Result<Sandbox[]>> {
    const home = input.target === null ? null : await findHome(input.target);
    if (home !== null && !home.ok) return home;
    const sandboxes: Sandbox[] = [];
    const repository = home?.value.repository ?? null;
    for (const record of await this.#store.list(repository)) {
      const described = await this.#describe(record);
      if (!described.ok) return described;
      sandboxes.push(described.value);
    }
    const unknown = { ...NOTHING_KNOWN, target: home?.value.target ?? '' };
    for (const folder of await this.#store.spoiled(repository))
      sandboxes.push({ ...unknown, name: path.basename(folder), folder });
    return ok(sandboxes);
  }

  /** Removes one; refused if unpublished work would be lost. */
  remove(input: CommandInput<'sandbox/remove'>): Promise<Result<CommandResult<'sandbox/remove'>>> {
    return this.#serial(async () => {
      const home = await findHome(input.target);
      if (!home.ok) return home;
      const { repository, kind } = home.value;
      const record = await this.#store.find(repository, input.name);
      const folder = this.#store.folderFor(repository, input.name);
      if ((await this.#store.spoiled(repository)).includes(folder)) return damaged(kind, input.name, folder);
      if (record === null)
        return fail('not_found', `There is no sandbox ${input.name}.`, '"copane sandbox list" shows them.');
      const lost = input.force ? ok(null) : await this.#loss(record);
      if (!lost.ok) return lost;
      return lost.value === null ? this.#remove(record) : fail('refused', ...lost.value);
    });
  }

  async #remove(record: SandboxRecord): Promise<Result<CommandResult<'sandbox/remove'>>> {
    const { kind, name, branch, repository } = record;
    // Someone else may have written the record; never remove any other folder.
    if (record.folder !== this.#store.folderFor(repository, name))
      return fail(
        'refused',
        `${record.folder} is not where the sandbox ${name} belongs; remove it yourself.`,
      );
    const removed = await (kind === 'jj' ? removeWorkspace(record) : removeWorktree(record));
    if (!removed.ok) return removed;
    await this.#store.drop(record);
    return ok({ name, kind, branch, commit: removed.value });
  }

  /** The sandbox with this folder; null for any other folder. */
  async findByFolder(folder: string): Promise<SandboxRecord | null> {
    return (await this.#store.list(null)).find((record) => record.folder === folder) ?? null;
  }

  async #describe(record: SandboxRecord): Promise<Result<Sandbox>> {
    const { name, kind, folder, target, branch, createdAt } = record;
    const newest = this.#options.suggestions().find((one) => one.sandbox === folder) ?? null;
    const common = { name, kind, folder, target, createdAt, suggestion: newest?.id ?? null };
    const there = await realFolder(folder);
    const work = there.ok ? await lookAt(record, there.value) : there;
    if (!work.ok) {
      const problem = there.ok ? work.error.message : 'Its folder is gone.';
      return ok({ ...common, branch, base: record.base, ahead: 0, changed: 0, dirty: 0, problem });
    }
    const { base, ahead, changed, dirty } = work.value;
    const counts = { ahead, changed: changed.length, dirty };
    return ok({ ...common, branch: work.value.branch, base, ...counts, problem: null });
  }

  /** Publishable files whose content exists nowhere else: neither published nor in the target. */
  async unpublished(record: SandboxRecord): Promise<Result<string[]>> {
    const work = await this.#work(record);
    return work.ok ? ok(work.value === null ? [] : await this.#unpublished(record, work.value)) : work;
  }

  /** What removing the folder would lose, and what helps; null for nothing. */
  async #loss(record: SandboxRecord): Promise<Result<readonly [string, string] | null>> {
    const work = await this.#work(record);
    if (!work.ok) return work;
    if (work.value === null) return ok(null);
    const lost = await this.#unpublished(record, work.value);
    if (lost.length > 0) return ok(lossOf(record, lost, 'work'));
    const { left } = work.value;
    return ok(left.length > 0 ? lossOf(record, left, 'left') : null);
  }

  /** What is in the folder; null if it is gone. */
  async #work(record: SandboxRecord): Promise<Result<(SandboxWork & { readonly folder: string }) | null>> {
    const there = await realFolder(record.folder);
    if (!there.ok) return ok(null);
    const work = await lookAt(record, there.value);
    return work.ok ? ok({ ...work.value, folder: there.value }) : cannotTell(record, work.error.message);
  }

  async #unpublished(
    record: SandboxRecord,
    { changed, folder }: SandboxWork & { readonly folder: string },
  ): Promise<string[]> {
    const published = this.#options.suggestions().filter((one) => one.sandbox === folder);
    const lost: string[] = [];
    for (const file of changed) {
      if (!(await this.#isElsewhere(file, record, published))) lost.push(file.path);
    }
    return lost;
  }

  async #isElsewhere(
    file: ChangedFile,
    record: SandboxRecord,
    published: readonly StoredSuggestion[],
  ): Promise<boolean> {
    const name = Buffer.from(file.path).toString('latin1');
    const image = await readImage(record.target, name);
    if (image.ok && sameAsBlob(image.value?.bytes ?? null, file.blob)) return true;
    for (const { id, files } of published) {
      if (files.includes(file.path) && (await this.#options.isPublished(id, file.path))) return true;
    }
    return false;
  }

  #serial<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
    const next = this.#queue.then(work);
    this.#queue = next.catch(() => undefined);
    return next;
  }
}

/** The facts about a sandbox with a damaged record, of which only the folder is left. */
const NOTHING_KNOWN = {
  kind: 'git',
  createdAt: 0,
  suggestion: null,
  branch: null,
  base: '',
  ahead: 0,
  changed: 0,
  dirty: 0,
  problem: 'Its record is damaged; "copane sandbox rm" tells how to remove it.',
} as const;

/** Refuses to act on a damaged record: it may be someone else's writing, so the branch is unknown. */
const damaged = (kind: SandboxRecord['kind'], name: string, folder: string): Result<never> =>
  fail(
    'refused',
    `The record of the sandbox ${name} is damaged.`,
    `Take what you need out of ${folder}, delete that folder and ${folder}.json, then: ${kind === 'jj' ? `jj workspace forget ${name}` : `git worktree prune; git branch -D ${branchOf(name)}`}`,
  );

const sameAsBlob = (bytes: Uint8Array | null, blob: string | null) =>
  bytes === null || blob === null ? bytes === null && blob === null : gitBlobName(bytes) === blob;

function lossOf(
  { name, folder }: SandboxRecord,
  lost: readonly string[],
  kind: 'work' | 'left',
): readonly [message: string, hint: string] {
  const shown = firstFew(lost);
  return kind === 'work'
    ? [
        `The sandbox ${name} has work that was never published: ${shown}.`,
        `Publish it ("copane publish --source ${folder}"), or remove it with --force.`,
      ]
    : [
        `The sandbox ${name} has changes that no suggestion can carry: ${shown}.`,
        `Take it out of ${folder} yourself, or remove it with --force.`,
      ];
}

const cannotTell = (record: SandboxRecord, why: string) =>
  fail(
    'refused',
    `What the sandbox ${record.name} contains cannot be determined: ${why}`,
    'Remove it with --force.',
  );

const lookAt = ({ kind, target }: SandboxRecord, folder: string): Promise<Result<SandboxWork>> =>
  kind === 'jj' ? lookAtJjSandbox(folder, target) : lookAtSandbox(folder, target);

/** The repository of the working copy around `folder`: jj's if there are both, since its user works with jj. */
async function findHome(folder: string): Promise<Result<Home>> {
  const real = await realFolder(folder);
  if (!real.ok) return real;
  const workspace = await findWorkspace(real.value);
  const isInner = workspace !== null && (topOf(real.value)?.startsWith(`${workspace.top}/`) ?? false);
  if (workspace !== null && !isInner && (await checkJj()).ok)
    return ok({ target: workspace.top, repository: workspace.repository, kind: 'jj' });
  const repository = await openRepository(real.value);
  if (!repository.ok) {
    const hint = 'A sandbox is a worktree; publish a patch or two folders instead.';
    const { code, message } = repository.error;
    return code === 'not_found' ? fail('refused', message, hint) : repository;
  }
  const { top, commonDir } = repository.value;
  return ok({ target: top, repository: commonDir, kind: 'git' });
}
