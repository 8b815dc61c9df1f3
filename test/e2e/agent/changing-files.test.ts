/** Files that change while a job runs on them, before its proposal is saved, and during the save: nothing of them is lost. */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type PlayedJob, playJob } from '../../../evals/agent/faults/play-job.ts';
import { type Answer, type Call, calls, words } from '../../../evals/agent/faults/replies.ts';
import { COPANE } from '../../helpers/companion-pane.ts';

const BEFORE = 'alpha\nbeta\ngamma\n';
const AFTER = 'alpha\nBETA\ngamma\n';
const READ = calls(['read_file', { file_path: 'b.md' }]);
const edit: Call = ['propose_edits', { edits: [{ file_path: 'b.md', old_text: 'beta', new_text: 'BETA' }] }];
const line: Call = [
  'propose_edits',
  { edits: [{ file_path: 'b.md', operation: 'replace', start_line: 2, end_line: 2, new_text: 'BETA\n' }] },
];
const QUOTE = calls(edit);
const LINE = calls(line);

type Act = (root: string) => void;

interface Row {
  readonly name: string;
  /** One per request; the last one repeats. */
  readonly answers: readonly Answer[];
  /** What the user does before the answer of that number is sent. */
  readonly acts?: Readonly<Record<number, Act>>;
  readonly beforeSave?: Act;
  readonly check: (played: PlayedJob, root: string) => void;
}

const at = (root: string, name = 'b.md') => path.join(root, name);
const put =
  (text: string, name = 'b.md'): Act =>
  (root) =>
    writeFileSync(at(root, name), text);
const drop: Act = (root) => rmSync(at(root), { recursive: true });
/** Beside the project. */
const outside = (root: string) => path.join(path.dirname(root), 'outside.md');
const both =
  (...acts: readonly Act[]): Act =>
  (root) => {
    for (const act of acts) act(root);
  };
const link = both(
  (root) => writeFileSync(outside(root), BEFORE),
  drop,
  (root) => symlinkSync(outside(root), at(root)),
);
const folder = both(drop, (root) => mkdirSync(at(root)), put('inside\n', 'b.md/inside.md'));
const text = (played: PlayedJob, name = 'b.md') => played.read(name)?.toString() ?? null;
const staysOutside = (root: string) => expect(readFileSync(outside(root), 'utf8')).toBe(BEFORE);

const DURING: readonly Row[] = [
  {
    name: 'changes twice: after the first reading, and after the second',
    answers: [READ, LINE, READ, LINE, READ, LINE],
    acts: { 1: put(`first\n${BEFORE}`), 3: put(`second\nfirst\n${BEFORE}`), 5: put('beta\nBETA\n') },
    check: (played) => {
      expect(played.asked.join('')).toContain('are not what you saw');
      expect(text(played)).toBe('beta\nBETA\n');
    },
  },
  {
    name: 'changes between two readings: the second one counts',
    answers: [READ, READ, LINE],
    acts: { 1: put('ALPHA\nbeta\n') },
    check: (played) => expect(text(played)).toBe('ALPHA\nBETA\n'),
  },
  {
    name: 'vanishes',
    answers: [READ, QUOTE, words('I cannot find b.md any more.')],
    acts: { 1: drop },
    check: (played) => {
      expect(text(played)).toBe(null);
      expect(played.asked.at(-1)).toMatch(/There is no file .{0,3}b\.md/);
    },
  },
  {
    name: 'is moved to another name',
    answers: [
      READ,
      QUOTE,
      calls(['read_file', { file_path: 'c.md' }]),
      calls(['propose_edits', { edits: [{ file_path: 'c.md', old_text: 'beta', new_text: 'BETA' }] }]),
    ],
    acts: { 1: (root) => renameSync(at(root), at(root, 'c.md')) },
    check: (played) => expect([text(played), text(played, 'c.md')]).toEqual([null, AFTER]),
  },
  {
    name: 'is replaced by a link out of the project',
    answers: [READ, QUOTE],
    acts: { 1: link },
    check: (played, root) => {
      staysOutside(root);
      expect(lstatSync(at(root)).isSymbolicLink()).toBe(true);
      expect(played.said).toMatch(/link|outside/);
    },
  },
  {
    name: 'is replaced by a folder',
    answers: [READ, QUOTE],
    acts: { 1: folder },
    check: (played) => {
      expect(text(played, 'b.md/inside.md')).toBe('inside\n');
      expect(played.said).toMatch(/folder/);
    },
  },
  {
    name: 'becomes executable',
    answers: [READ, QUOTE],
    acts: { 1: (root) => chmodSync(at(root), 0o755) },
    check: (played, root) => {
      expect(text(played)).toBe(AFTER);
      expect(statSync(at(root)).mode & 0o777).toBe(0o755);
    },
  },
  {
    name: 'gets other line ends',
    answers: [READ, QUOTE, READ, QUOTE],
    acts: { 1: put(BEFORE.replaceAll('\n', '\r\n')) },
    check: (played) => expect(text(played)).toBe(AFTER.replaceAll('\n', '\r\n')),
  },
  {
    name: 'becomes binary',
    answers: [READ, QUOTE],
    acts: { 1: put(`\0${BEFORE}`) },
    check: (played) => {
      expect(text(played)).toBe(`\0${BEFORE}`);
      expect(played.said).toMatch(/binary|not UTF-8 text/);
    },
  },
  {
    name: 'grows until it has to be cut',
    answers: [READ, QUOTE],
    acts: { 1: put(BEFORE + 'filler\n'.repeat(200_000)) },
    check: (played) => expect(text(played)).toBe(AFTER + 'filler\n'.repeat(200_000)),
  },
];

const BEFORE_SAVE: readonly Row[] = [
  {
    name: 'changes',
    answers: [READ, QUOTE],
    beforeSave: put(`mine\n${BEFORE}`),
    check: (played) => {
      expect(text(played)).toBe(`mine\n${BEFORE}`);
      expect(played.saved).toMatch(/changed on disk|has changed/);
    },
  },
  {
    name: 'changes and changes back',
    answers: [READ, QUOTE],
    beforeSave: both(put('mine\n'), put(BEFORE)),
    check: (played) => expect(text(played)).toBe(AFTER),
  },
  {
    name: 'vanishes',
    answers: [READ, QUOTE],
    beforeSave: drop,
    check: (played) => {
      expect(text(played)).toBe(null);
      expect(played.saved).toMatch(/b\.md: the file on disk is gone/);
    },
  },
  {
    name: 'is replaced by a link to the same text',
    answers: [READ, QUOTE],
    beforeSave: link,
    check: (played, root) => {
      staysOutside(root);
      expect(played.saved).toMatch(/link/);
    },
  },
  {
    name: 'is replaced by a folder',
    answers: [READ, QUOTE],
    beforeSave: folder,
    check: (played) => {
      expect(text(played, 'b.md/inside.md')).toBe('inside\n');
      expect(played.saved).toMatch(/b\.md/);
    },
  },
  {
    name: 'becomes executable',
    answers: [READ, QUOTE],
    beforeSave: (root) => chmodSync(at(root), 0o755),
    check: (_, root) => expect(statSync(at(root)).mode & 0o777).toBe(0o755),
  },
  {
    name: 'stands in a folder that is replaced by a link',
    answers: [
      calls(['read_file', { file_path: 'sub/c.md' }]),
      calls(['propose_edits', { edits: [{ file_path: 'sub/c.md', old_text: 'beta', new_text: 'BETA' }] }]),
    ],
    beforeSave: (root) => {
      const away = path.join(path.dirname(root), 'away');
      renameSync(at(root, 'sub'), away);
      symlinkSync(away, at(root, 'sub'));
    },
    check: (played) => {
      expect(text(played, '../away/c.md')).toBe(BEFORE);
      expect(played.saved).toMatch(/link/);
    },
  },
];

async function play({ answers, acts = {}, beforeSave, check }: Row) {
  let root = '';
  await playJob(
    {
      program: COPANE,
      prompt: 'Put beta in capitals.',
      files: { 'b.md': BEFORE, 'sub/c.md': BEFORE },
      ...(beforeSave === undefined ? {} : { beforeSave }),
      answer: (response, asked) => {
        root = asked.root;
        acts[asked.at]?.(root);
        send(answers[Math.min(asked.at, answers.length - 1)] ?? words(''), response);
      },
    },
    (played) => check(played, root),
  );
}

function send({ status = 200, headers = {}, body }: Answer, response: ServerResponse): void {
  response.writeHead(status, headers);
  response.end(Buffer.concat(body));
}

test.each(DURING)('while a job runs, the file $name', play);
test.each(BEFORE_SAVE)('before the save, the file $name', play);

test('a file that is written all the time while it is saved: what another program wrote last is there, whole', async () => {
  const texts = Array.from({ length: 200 }, (_, i) => `mine ${i}\nalpha\nbeta\n${'x'.repeat(i)}\n`);
  let root = '';
  let timer: NodeJS.Timeout | undefined;
  let written = 0;
  await playJob(
    {
      program: COPANE,
      prompt: 'Put beta in capitals.',
      files: { 'b.md': BEFORE },
      beforeSave: () => {
        timer = setInterval(() => {
          writeFileSync(`${at(root)}.new`, texts[written % texts.length] ?? '');
          renameSync(`${at(root)}.new`, at(root));
          written += 1;
        }, 2);
      },
      answer: (response, asked) => {
        root = asked.root;
        send([READ, QUOTE][Math.min(asked.at, 1)] ?? words(''), response);
      },
    },
    (played) => {
      clearInterval(timer);
      expect(written).toBeGreaterThan(10);
      expect(texts).toContain(text(played));
    },
  );
});
