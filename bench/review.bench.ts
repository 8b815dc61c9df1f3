/** What reading, applying and making a diff of 100,000 changed lines costs, beside the tools that people use for it. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { applyPatch as applyWithJsdiff, parsePatch as parseWithJsdiff, type StructuredPatch } from 'diff';
import { runAtOnce } from '../src/lib/steps.ts';
import { FileReview } from '../src/review/core/file-review.ts';
import { formatFile } from '../src/review/core/format-diff.ts';
import { lineTable } from '../src/review/core/line-table.ts';
import { parsePatch } from '../src/review/core/parse-patch.ts';
import { subjectSteps } from '../src/review/core/subjects.ts';
import { diffLines } from '../src/review/core/text-diff.ts';
import { gitBlobName, sha256 } from '../src/review/files/hash.ts';
import { COPANE, copaneEnv } from '../test/helpers/companion-pane.ts';
import { openTestReviews } from '../test/helpers/review-service.ts';
import { makeRepository, nameOf, textOf } from './git-repository.ts';
import { type BenchRow, type BenchSuite, spreadOf } from './harness.ts';
import { lazygit } from './lazygit.ts';
import { notMeasured, PEERS } from './peers.ts';
import { RAW_FRAME_SCRIPT, runToEnd, timeToFrame } from './time-to-frame.ts';

const LINES = 272_730;
/** One run of replaced lines in so many. */
const EVERY = 30;
const RUN_LINES = 11;

interface Data {
  readonly folder: string;
  readonly old: Buffer;
  readonly patch: Buffer;
}

/** A file, its edited form and their patch: some 9,000 hunks, 200,000 changed lines on both sides together. */
function makeData(): Data {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'copane-bench-'));
  const lines = Array.from({ length: LINES }, (_, i) => `line ${i} ${'abcdefghij'.slice(i % 10)}\n`);
  const edited = lines.map((line, i) => (i % EVERY < RUN_LINES ? line.replace('line', 'edited') : line));
  const old = Buffer.from(lines.join(''));
  const updated = Buffer.from(edited.join(''));
  const side = (bytes: Buffer) => ({
    path: 'f',
    mode: 0o100644,
    table: lineTable(bytes),
    blob: gitBlobName(bytes),
  });
  const patch = Buffer.from(formatFile(side(old), side(updated), 3));
  writeFileSync(path.join(folder, 'old'), old);
  writeFileSync(path.join(folder, 'new'), updated);
  writeFileSync(path.join(folder, 'p'), patch);
  return { folder, old, patch };
}

function timed(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** Runs a program over a fresh copy of the old file; copying is not timed. */
function timedProgram(data: Data, program: string, ...args: string[]): number {
  copyFileSync(path.join(data.folder, 'old'), path.join(data.folder, 'f'));
  return timed(() => {
    const run = spawnSync(program, args, { cwd: data.folder, encoding: 'utf8', maxBuffer: 1 << 29 });
    if (run.error !== undefined || (run.status ?? 2) > 1)
      throw new Error(`${program}: ${run.error?.message ?? run.stderr}`);
  });
}

/** Parses the patch, matches every context line, and builds the new text. */
function acceptAll({ old, patch }: Data): Uint8Array {
  const parsed = parsePatch(patch);
  if (!parsed.ok) throw new Error(parsed.error.message);
  const [subject] = runAtOnce(subjectSteps(parsed.value, sha256, () => ({ problem: 'none' })));
  if (subject === undefined) throw new Error('no subject');
  const base = { path: 'f', type: 'file', executable: false, bytes: old } as const;
  const state = { base, unmoved: true, inPlace: false, changes: new Map(), parts: new Map() };
  const review = new FileReview(subject, state, { newPathProblem: null, hash: sha256 });
  const accepted = review.decide(new Set(review.changes.map((change) => change.id)), 'accept');
  if (!accepted.ok) throw new Error(accepted.error.message);
  const image = accepted.value.image();
  if (image === null) throw new Error('no file');
  return image.bytes;
}

const DECIDED_LINES = 100_000;
/** Decisions per round: keys pressed faster than one decision is written. */
const DECISIONS = 100;

/** Decides one hunk after another in a large file and writes each. Built late: its memory would slow the rows before it. */
function decideRow(folder: string): { row: BenchRow; close: () => void } {
  let made: ReturnType<typeof openDecided> | null = null;
  let next = 0;
  const row: BenchRow = {
    name: 'decide on 100 hunks of a 100,000-line file, as fast as keys come, all on disk',
    peer: 'npm diff, applyPatch, nothing written',
    target: 0.055,
    ours: async () => {
      made ??= openDecided(folder);
      const { reviews, suggestion, hunks } = await made;
      const some = hunks.slice(next, next + DECISIONS);
      next += DECISIONS;
      const start = performance.now();
      const all = some.map(({ id: hunk }) => reviews.decide({ suggestion, hunk, action: 'accept' }));
      const failed = (await Promise.all(all)).find((one) => !one.ok);
      if (failed !== undefined || some.length < DECISIONS) throw new Error('a hunk was not taken');
      return performance.now() - start;
    },
    theirs: async () => {
      made ??= openDecided(folder);
      const { text, hunks } = await made;
      const patches = hunks
        .slice(0, DECISIONS)
        .map(({ diff }): StructuredPatch | undefined => parseWithJsdiff(`--- f\n+++ f\n${diff}`)[0]);
      return timed(() => {
        let now: string | false = text;
        for (const one of patches) if (now !== false && one !== undefined) now = applyWithJsdiff(now, one);
        if (now === false) throw new Error('a hunk does not fit');
      });
    },
  };
  return { row, close: () => void made?.then(({ reviews }) => reviews.close()) };
}

async function openDecided(folder: string) {
  const [from, to, state] = ['from', 'to', 'state'].map((name) => path.join(folder, `decide-${name}`));
  if (from === undefined || to === undefined || state === undefined) throw new Error('no folders');
  const lines = (isEdited: (i: number) => boolean) =>
    Array.from({ length: DECIDED_LINES }, (_, i) => `${isEdited(i) ? 'edited' : 'line'} ${i}\n`).join('');
  const text = lines(() => false);
  for (const place of [from, to, state]) mkdirSync(place);
  writeFileSync(path.join(from, 'f'), text);
  writeFileSync(
    path.join(to, 'f'),
    lines((i) => i % RUN_LINES === 0),
  );
  const reviews = openTestReviews(state);
  const published = await reviews.publishFrom({ target: from, source: { kind: 'folders', from, to } });
  if (!published.ok) throw new Error(published.error.message);
  const { id: suggestion, hunks } = published.value;
  return { reviews, suggestion, hunks, text };
}

/** From the start of the companion to the first hunk of a patch published before. */
async function openRows(data: Data): Promise<BenchRow[]> {
  const project = path.join(data.folder, 'project');
  mkdirSync(project);
  const run = (program: string, ...args: string[]) => {
    const ended = spawnSync(program, args, { cwd: project, env, encoding: 'utf8' });
    if (ended.status !== 0) throw new Error(`${program} ${args[0]}: ${ended.stderr}`);
  };
  // No such tmux server: we measure ourselves, not tmux.
  const env = { ...copaneEnv({ root: data.folder, project }), TMUX_TMPDIR: data.folder };
  copyFileSync(path.join(data.folder, 'old'), path.join(project, 'f'));
  run('git', 'init', '-q');
  run('git', 'add', 'f');
  run('git', '-c', 'user.name=b', '-c', 'user.email=b@example.org', 'commit', '-qm', 'b');
  run(COPANE, 'publish', '--patch', path.join(data.folder, 'p'), '--target', project);
  const raw = path.join(data.folder, 'raw.mjs');
  writeFileSync(raw, RAW_FRAME_SCRIPT);
  const at = { env, cwd: project };
  const edited = async (measure: () => Promise<number>) => {
    copyFileSync(path.join(data.folder, 'new'), path.join(project, 'f'));
    const took = await measure();
    copyFileSync(path.join(data.folder, 'old'), path.join(project, 'f'));
    return took;
  };
  const peer = lazygit(project, data.folder);
  const start = { ...at, file: COPANE, args: ['tui'], keys: '2', shows: /@@ 1,14/ };
  // The first start of a version compiles code that later starts find compiled.
  await runToEnd(start, '\u0003');
  const ours = () => timeToFrame(start);
  return [
    {
      name: 'open it in the companion, from its start to the first hunk',
      peer: 'raw frame of a bare Node',
      target: 1.2,
      ours,
      theirs: () => timeToFrame({ ...at, file: process.execPath, args: [raw], shows: /READY/ }),
    },
    {
      name: 'the same',
      peer: 'git add -p',
      target: 0.11,
      rounds: 3,
      ours,
      theirs: () =>
        edited(() => timeToFrame({ ...at, file: 'git', args: ['add', '-p'], shows: /Stage this hunk/ })),
    },
    ...(peer === null
      ? []
      : [
          {
            name: 'the same',
            peer: 'lazygit',
            target: 0.4,
            ours,
            theirs: () => edited(() => timeToFrame({ ...peer, shows: /@@ -1,14/ })),
          },
        ]),
  ];
}

const TAKEN_FILES = 1_000;

/** Publishes changes to many files: from the command until it prints the hunks. */
function takeInRow(folder: string): BenchRow[] {
  mkdirSync(path.join(folder, 'many'));
  const project = makeRepository(path.join(folder, 'many'), TAKEN_FILES);
  const peer = lazygit(project, folder);
  if (peer === null) {
    console.log(notMeasured('review beside lazygit', PEERS.lazygit));
    return [];
  }
  let round = 0;
  const edit = () => {
    round += 1;
    for (let i = 0; i < TAKEN_FILES; i += 1) {
      const text = textOf(i).replace('line 2\n', `line two, ${round}\n`);
      writeFileSync(path.join(project, nameOf(i)), text.replace('line 17\n', 'line seventeen\n'));
    }
  };
  const env = copaneEnv({ root: folder, project });
  return [
    {
      name: 'take in what changed in 1,000 files, 2,000 hunks',
      peer: 'lazygit, to its first hunk',
      target: 1,
      rounds: 5,
      ours: async () => {
        edit();
        return timed(() => {
          const run = spawnSync(COPANE, ['review'], { cwd: project, env, encoding: 'utf8' });
          if (run.status !== 0 || !run.stderr.includes('2000 hunks')) throw new Error(run.stderr);
        });
      },
      theirs: async () => {
        edit();
        return timeToFrame({ ...peer, shows: /@@ -/ });
      },
    },
  ];
}

export const suite: BenchSuite = {
  name: 'review',
  prepare: async () => {
    const data = makeData();
    if (Buffer.compare(acceptAll(data), readFileSync(path.join(data.folder, 'new'))) !== 0)
      throw new Error('wrong result');
    const [oldTable, newTable] = ['old', 'new'].map((name) =>
      lineTable(readFileSync(path.join(data.folder, name))),
    );
    if (oldTable === undefined || newTable === undefined) throw new Error('no data');
    const text = data.patch.toString('utf8');
    const decide = decideRow(data.folder);
    return {
      rows: [
        {
          name: 'read a patch of 200,000 changed lines, all hunks indexed',
          peer: 'npm diff, parsePatch',
          target: 0.25,
          ours: async () => timed(() => parsePatch(data.patch)),
          theirs: async () => timed(() => parseWithJsdiff(text)),
        },
        {
          name: 'read it, name every hunk, accept all, make the text',
          peer: 'patch -p1',
          target: 1,
          rounds: 15,
          ours: async () => timed(() => acceptAll(data)),
          theirs: async () => timedProgram(data, 'patch', '-p1', '-s', '-i', 'p'),
        },
        {
          name: 'the same',
          peer: 'git apply',
          target: 1 / 40,
          rounds: 1,
          // One round of the peer takes as long as a hundred of ours.
          ours: async () => spreadOf(Array.from({ length: 9 }, () => timed(() => acceptAll(data)))).median,
          theirs: async () => timedProgram(data, 'git', 'apply', '--whitespace=nowarn', 'p'),
        },
        {
          name: 'compare the two texts (37 % of 272,730 lines edited)',
          peer: 'git diff --no-index',
          target: 1.5,
          rounds: 5,
          ours: async () => timed(() => diffLines(oldTable, newTable)),
          theirs: async () => timedProgram(data, 'git', 'diff', '--no-index', '--no-color', 'old', 'new'),
        },
        decide.row,
        ...(await openRows(data)),
        ...takeInRow(data.folder),
      ],
      cleanup: async () => {
        decide.close();
        rmSync(data.folder, { recursive: true, force: true });
      },
    };
  },
};
