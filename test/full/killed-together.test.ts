/**
 * Twenty companions decide, write drafts and record prompts on one store, while they and their leader are killed again
 * and again. Everything acknowledged is there exactly once in the end, and the files match a model of their lines.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Hunk } from '../../src/protocol/review.ts';
import { putTree } from '../helpers/git-fixture.ts';
import { must, promptOf, temporaryHome } from '../helpers/host-fakes.ts';
import { Companion } from '../helpers/host-process.ts';

const WORKERS = 20;
const FILES = ['a', 'b', 'c'];
const HUNKS_A_FILE = 60;
const EVERY = 20;
/** How long they work. */
const RUN_MS = Number(process.env.TOGETHER_MS ?? 60_000);
/** On a busy machine, until enough actions and kills have happened. */
const RUN_MAX_MS = RUN_MS + 300_000;
const DEATHS_MIN = 4;
const ACKNOWLEDGED_MIN = 201;
/** The minimum number of actions between two kills. */
const ACKNOWLEDGED_BETWEEN = 3;
/** Time between two kills: at least this, at most twice this. */
const KILL_EVERY_MS = 700;
/** All start at once, on a machine that may be busy. */
const START_MAX_MS = 120_000;

type Status = 'pending' | 'accepted' | 'rejected';

/** The states that a hunk may have, given what was acknowledged and what was under way at a kill. */
interface Owned {
  readonly hunk: string;
  possible: Set<Status>;
}

interface Work {
  readonly name: string;
  readonly hunks: readonly Owned[];
  /** Lines of its draft; `sure`: acknowledged. */
  readonly lines: { readonly text: string; readonly sure: boolean }[];
  readonly prompts: { readonly id: string; readonly sure: boolean }[];
}

/** Numbers that are the same in every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const textOf = (isEdited: (hunk: number) => boolean) =>
  Array.from({ length: HUNKS_A_FILE * EVERY }, (_, i) => {
    const edited = i % EVERY === 9 && isEdited((i - 9) / EVERY);
    return `${edited ? 'edited' : 'line'} ${i}\n`;
  }).join('');

class Crowd {
  readonly #home: string;
  readonly #live = new Map<string, Companion>();
  isOver = false;
  killed = { leaders: 0, clients: 0 };
  acknowledged = 0;

  constructor(home: string) {
    this.#home = home;
  }

  get hasSeenEnough(): boolean {
    const { leaders, clients } = this.killed;
    return leaders >= DEATHS_MIN && clients >= DEATHS_MIN && this.acknowledged >= ACKNOWLEDGED_MIN;
  }

  /** One worker across all its restarts. */
  async run(work: Work, suggestion: string, random: () => number): Promise<void> {
    let step = 0;
    while (!this.isOver) {
      const companion = await Companion.start({ home: this.#home, startMs: START_MAX_MS });
      this.#live.set(work.name, companion);
      let isAlive = companion.failure === null;
      while (isAlive && !this.isOver) {
        step += 1;
        const choice = random();
        if (choice < 0.5) isAlive = await this.#decide(companion, work, suggestion, random);
        else if (choice < 0.8) isAlive = await this.#append(companion, work, step);
        else isAlive = await this.#record(companion, work, step);
      }
      if (this.isOver) await companion.kill();
    }
  }

  async #decide(
    companion: Companion,
    work: Work,
    suggestion: string,
    random: () => number,
  ): Promise<boolean> {
    const own = work.hunks[Math.floor(random() * work.hunks.length)];
    if (own === undefined) return true;
    const action = random() < 0.6 ? 'accept' : 'reject';
    const wanted: Status = action === 'accept' ? 'accepted' : 'rejected';
    const answer = await companion.requestUntilEnd('review/decide', { suggestion, hunk: own.hunk, action });
    if (answer?.ok) own.possible = new Set([wanted]);
    else own.possible.add(wanted);
    return this.#counted(answer);
  }

  async #append(companion: Companion, work: Work, step: number): Promise<boolean> {
    const text = `${work.name} line ${step}`;
    const key = { project: `/${work.name}`, pane: '%1' };
    const answer = await companion.requestUntilEnd('draft/append', { key, text });
    work.lines.push({ text, sure: answer?.ok ?? false });
    return this.#counted(answer);
  }

  async #record(companion: Companion, work: Work, step: number): Promise<boolean> {
    const id = `${work.name}-${step}`;
    const answer = await companion.requestUntilEnd('outbox/record', promptOf(id));
    work.prompts.push({ id, sure: answer?.ok ?? false });
    return this.#counted(answer);
  }

  #counted(answer: { readonly ok: boolean } | null): boolean {
    if (answer?.ok) this.acknowledged += 1;
    return answer !== null;
  }

  /** Kills the leader, then another one, in turn. */
  async killUntil(since: number, random: () => number): Promise<void> {
    const end = since + RUN_MAX_MS;
    while (performance.now() < since + RUN_MS || (!this.hasSeenEnough && performance.now() < end)) {
      await sleep(KILL_EVERY_MS * (1 + random()));
      // On a busy machine none would live long enough to do anything.
      const goal = this.acknowledged + ACKNOWLEDGED_BETWEEN;
      while (this.acknowledged < goal && performance.now() < end) await sleep(KILL_EVERY_MS / 10);
      const all = [...this.#live.values()].filter(({ ready }) => ready !== undefined);
      const leader = all.find((one) => one.leads);
      const victim = random() < 0.5 ? leader : all[Math.floor(random() * all.length)];
      if (victim === undefined) continue;
      this.killed[victim === leader ? 'leaders' : 'clients'] += 1;
      await victim.kill();
    }
    this.isOver = true;
  }
}

test('nothing is wrong and nothing is lost', { timeout: RUN_MAX_MS + 2 * START_MAX_MS }, async () => {
  const home = temporaryHome();
  try {
    const [from, to] = [path.join(home.home, 'from'), path.join(home.home, 'to')];
    for (const folder of [from, to]) mkdirSync(folder);
    putTree(from, Object.fromEntries(FILES.map((name) => [name, textOf(() => false)])));
    putTree(to, Object.fromEntries(FILES.map((name) => [name, textOf(() => true)])));
    const first = await Companion.start({ home: home.home });
    const source = { kind: 'folders' as const, from, to };
    const { id: suggestion, hunks } = must(await first.request('review/publish', { target: from, source }));
    await first.kill();
    const works: Work[] = Array.from({ length: WORKERS }, (_, worker) => ({
      name: `w${worker}`,
      hunks: hunks
        .filter((_one, at) => at % WORKERS === worker)
        .map(({ id }) => ({ hunk: id, possible: new Set<Status>(['pending']) })),
      lines: [],
      prompts: [],
    }));
    const crowd = new Crowd(home.home);
    await Promise.all([
      crowd.killUntil(performance.now(), randomFrom(1)),
      ...works.map((work, i) => crowd.run(work, suggestion, randomFrom(i + 2))),
    ]);
    const faults = await look(home.home, { works, suggestion, from });
    console.log(
      `${crowd.acknowledged} acknowledged, ${crowd.killed.leaders} leaders and ${crowd.killed.clients} clients killed: ${faults.wrong.length} wrong, ${faults.lost.length} lost`,
    );
    expect(faults).toEqual({ wrong: [], lost: [] });
    expect(crowd.hasSeenEnough).toBe(true);
  } finally {
    home.remove();
  }
});

interface Seen {
  readonly works: readonly Work[];
  readonly suggestion: string;
  readonly from: string;
}

/** Compares everything stored with everything acknowledged. */
async function look(
  home: string,
  { works, suggestion, from }: Seen,
): Promise<{ wrong: string[]; lost: string[] }> {
  const companion = await Companion.start({ home });
  const [wrong, lost]: [string[], string[]] = [[], []];
  try {
    const { hunks } = must(await companion.request('review/show', { suggestion, file: null }));
    const statusOf = new Map(hunks.map(({ id, status }) => [id, status]));
    for (const { hunk, possible } of works.flatMap((work) => work.hunks)) {
      const status = statusOf.get(hunk);
      if (!possible.has(status as Status))
        lost.push(`hunk ${hunk} is ${status}, not ${[...possible].join(' or ')}`);
    }
    wrong.push(...wrongFiles(from, hunks));
    for (const work of works) await lookAt(companion, work, { wrong, lost });
  } finally {
    await companion.kill();
  }
  return { wrong, lost };
}

/** A file has exactly the lines of its accepted hunks. */
function wrongFiles(from: string, hunks: readonly Hunk[]): string[] {
  return FILES.filter((name) => {
    const own = hunks.filter(({ file }) => file === name);
    const wanted = textOf((hunk) => own[hunk]?.status === 'accepted');
    return readFileSync(path.join(from, name), 'utf8') !== wanted;
  }).map((name) => `the file ${name} is not what its accepted hunks make of it`);
}

async function lookAt(
  companion: Companion,
  { name, lines, prompts }: Work,
  { wrong, lost }: { readonly wrong: string[]; readonly lost: string[] },
): Promise<void> {
  const key = { project: `/${name}`, pane: '%1' };
  const { draft } = must(await companion.request('draft/load', { key }));
  const found = draft.lines.map(({ text }) => text).filter((text) => text !== '');
  const known = lines.map(({ text }) => text);
  if (new Set(found).size !== found.length) wrong.push(`${name}: a line of the draft is there twice`);
  const places = found.map((text) => known.indexOf(text));
  if (places.some((place, i) => place < 0 || place <= (places[i - 1] ?? -1)))
    wrong.push(`${name}: the lines of the draft are not in order, or not its own`);
  for (const { text, sure } of lines) if (sure && !found.includes(text)) lost.push(`draft line ${text}`);
  const kept = must(await companion.request('outbox/list', { limit: 1000 })).map(({ id }) => id);
  if (new Set(kept).size !== kept.length) wrong.push('a prompt is recorded twice');
  // The list is bounded: only the newest are available.
  for (const { id, sure } of prompts.slice(-20)) if (sure && !kept.includes(id)) lost.push(`prompt ${id}`);
}
