/** Random whole sessions over a real store and real files, with invariants checked after every step. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AgentHost } from '../../test/helpers/agent-host.ts';
import { inFull } from '../../test/helpers/full-run.ts';
import type { DraftEdit } from '../protocol/agent.ts';

/** The third does not exist at first: others are moved to it. */
const FILES = ['a.md', 'b.md', 'c.md'] as const;
const START = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n';

type Step =
  | {
      readonly kind: 'propose';
      readonly edits: readonly { file: number; line: number; text: string; how: number }[];
    }
  | { readonly kind: 'decide'; readonly nth: number; readonly accept: boolean }
  | { readonly kind: 'undo'; readonly nth: number }
  | { readonly kind: 'save' | 'restart' | 'merge' }
  | { readonly kind: 'disk'; readonly file: number; readonly line: number; readonly text: string }
  | { readonly kind: 'edit'; readonly file: number; readonly line: number; readonly text: string }
  | { readonly kind: 'hard' | 'scoped'; readonly nth: number; readonly undo: boolean };

const file = fc.nat(2);
const line = fc.nat(9);
const text = fc.constantFrom('X', 'Y\nZ', '', 'same');
const at = fc.record({ file, line, text });
const nth = fc.nat(5);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('propose' as const),
      edits: fc.array(fc.record({ file, line, text, how: fc.nat(9) }), { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('decide' as const), nth, accept: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('undo' as const), nth }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('save' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('restart' as const, 'merge' as const) }) },
  { weight: 2, arbitrary: at.map((where) => ({ kind: 'disk' as const, ...where })) },
  { weight: 1, arbitrary: at.map((where) => ({ kind: 'edit' as const, ...where })) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('hard' as const, 'scoped' as const),
      nth,
      undo: fc.boolean(),
    }),
  },
);

/** A session that is played, with its expected results. */
class Play {
  readonly host: AgentHost;
  readonly session: string;
  /** The working texts before each job with a proposal. */
  readonly jobs: {
    readonly id: string;
    readonly checkpoint: string;
    readonly before: readonly (string | null)[];
    readonly suggestion: string;
  }[] = [];

  constructor(host: AgentHost, session: string) {
    this.host = host;
    this.session = session;
  }

  working(): Promise<readonly (string | null)[]> {
    return Promise.all(FILES.map((name) => this.host.working(this.session, name)));
  }

  disk(): readonly (string | null)[] {
    return FILES.map((name) => this.host.disk(name));
  }

  async play(one: Step): Promise<void> {
    const before = this.disk();
    await this.#play(one);
    // Only a save, and the user, write files.
    if (one.kind !== 'save' && one.kind !== 'disk') expect(this.disk()).toEqual(before);
  }

  async #play(one: Step): Promise<void> {
    const { host, session } = this;
    switch (one.kind) {
      case 'propose':
        return this.#propose(one.edits);
      case 'decide': {
        const hunk = await this.#hunk(one.nth);
        if (hunk === null) return;
        await host.client.request('review/decide', { ...hunk, action: one.accept ? 'accept' : 'reject' });
        return;
      }
      case 'undo': {
        const hunk = await this.#hunk(one.nth);
        if (hunk !== null) await host.client.request('review/undo', hunk);
        return;
      }
      case 'save':
        return this.#save();
      case 'restart': {
        const texts = await this.working();
        await host.close();
        await host.open();
        expect(await this.working()).toEqual(texts);
        return;
      }
      case 'merge':
        for (const name of FILES)
          await host.client.request('agent/merge', { session_id: session, file_path: name });
        return;
      case 'disk':
        host.put(FILES[one.file] ?? 'a.md', changed(this.disk()[one.file] ?? '', one));
        return;
      case 'edit': {
        const now = (await this.working())[one.file] ?? '';
        const wanted = changed(now, one);
        const done = await host.client.request('agent/edit', {
          session_id: session,
          file_path: FILES[one.file] ?? 'a.md',
          text: wanted,
        });
        if (done.ok) expect((await this.working())[one.file]).toBe(wanted);
        return;
      }
      case 'hard':
      case 'scoped':
        return this.#rollback(one);
    }
  }

  async #propose(edits: Extract<Step, { kind: 'propose' }>['edits']): Promise<void> {
    const before = await this.working();
    const drafts: DraftEdit[] = [];
    const taken = new Set<string>();
    for (const { file: index, line: at, text: words, how } of edits) {
      const name = FILES[index] ?? 'a.md';
      const lines = (before[index] ?? '').split('\n').length - 1;
      // Edits of one place, or of neighbours at the end, are refused: tested elsewhere.
      if (
        taken.has(`${index} all`) ||
        (how === 0 && taken.has(`${index} moved`)) ||
        [-1, 0, 1].some((by) => taken.has(`${index} ${at + by}`))
      )
        continue;
      if (before[index] === null) {
        drafts.push({ file_path: name, operation: 'insert', start_line: 1, new_text: `new ${words}\n` });
        taken.add(`${index} all`);
      } else if (how === 0 && ![...taken].some((key) => key.startsWith(`${index} `))) {
        drafts.push({ file_path: name, operation: 'delete_file', new_text: '' });
        taken.add(`${index} all`);
      } else if (
        how === 1 &&
        before[2] === null &&
        index !== 2 &&
        ![...taken].some((key) => /^[2]/.test(key) || key.startsWith(`${index} `))
      ) {
        drafts.push({ file_path: name, operation: 'rename_file', new_path: 'c.md', new_text: '' });
        taken.add(`${index} moved`);
        taken.add('2 all');
      } else if (at < lines) {
        const operation = words === '' ? 'delete' : how < 4 ? 'insert' : 'replace';
        const end = operation === 'insert' ? {} : { end_line: at + 1 };
        drafts.push({
          file_path: name,
          operation,
          start_line: at + 1,
          ...end,
          new_text: words === '' ? '' : `${words} ${how}\n`,
        });
        taken.add(`${index} ${at}`);
      }
    }
    if (drafts.length === 0) return;
    const id = await this.host.run(this.session, ({ propose }) => propose(drafts));
    for (;;) {
      const job = await this.host.ask('agent/job', { job_id: id });
      // Refused because the disk changed under an open proposal.
      if (job.status === 'failed') return;
      if (job.status !== 'awaiting_review') continue;
      const suggestion = job.diff_bundle?.suggestion_id ?? '';
      this.jobs.push({ id, checkpoint: job.checkpoint_id ?? '', before, suggestion });
      return;
    }
  }

  /** Some hunk that can be decided on. */
  async #hunk(nth: number): Promise<{ suggestion: string; hunk: string } | null> {
    const job = this.jobs.at(-1 - (nth % Math.max(1, this.jobs.length)));
    if (job === undefined) return null;
    const hunks = this.host.hunks(await this.host.ask('agent/job', { job_id: job.id }));
    const hunk = hunks[nth % Math.max(1, hunks.length)];
    return hunk === undefined ? null : { suggestion: job.suggestion, hunk };
  }

  async #save(): Promise<void> {
    const before = this.disk();
    const saved = await this.host.ask('agent/save', { session_id: this.session });
    if (saved.status === 'conflict') {
      expect(this.disk()).toEqual(before);
      return;
    }
    const { pending_review } = await this.host.ask('agent/session', { session_id: this.session });
    const open = (await this.host.ask('agent/working', { session_id: this.session })).filter(
      (one) => one.undecided > 0,
    );
    if (pending_review === null && open.length === 0) expect(this.disk()).toEqual(await this.working());
    const left = await this.host.ask('agent/working', { session_id: this.session });
    expect(left.filter((one) => one.unsaved && one.conflict === null)).toEqual([]);
  }

  async #rollback({ kind, nth: which, undo }: Extract<Step, { kind: 'hard' | 'scoped' }>): Promise<void> {
    const job = this.jobs[which % Math.max(1, this.jobs.length)];
    if (job === undefined) return;
    const before = await this.working();
    const wanted =
      kind === 'hard'
        ? { checkpoint_id: job.checkpoint, mode: 'hard_all' as const }
        : {
            checkpoint_id: job.checkpoint,
            mode: 'scoped_selected' as const,
            hunk_ids: this.host.hunks(await this.host.ask('agent/job', { job_id: job.id })).slice(0, 1),
          };
    const preview = await this.host.ask('agent/rollback', { ...wanted, preview: true });
    expect(await this.working()).toEqual(before);
    const done = await this.host.ask('agent/rollback', wanted);
    expect(done.files).toEqual(preview.files);
    if (done.status !== 'completed') {
      expect(await this.working()).toEqual(before);
      return;
    }
    const after = await this.working();
    if (kind === 'hard') {
      const { affected_files } = await this.host.ask('agent/checkpoint', { checkpoint_id: job.checkpoint });
      for (const { file_path } of affected_files) {
        const index = FILES.indexOf(file_path as 'a.md');
        expect(after[index]).toBe(job.before[index]);
      }
    }
    if (!undo) return;
    const undone = await this.host.ask('agent/rollback', {
      checkpoint_id: done.undo_checkpoint_id ?? '',
      mode: 'hard_all',
    });
    expect(undone.status).toBe('completed');
    expect(await this.working()).toEqual(before);
  }
}

/** The text with one line replaced, and the words in front of it. */
function changed(
  text: string,
  { line: at, text: words }: { readonly line: number; readonly text: string },
): string {
  const lines = text.split('\n');
  lines.splice(Math.min(at, Math.max(0, lines.length - 2)), 1, `mine ${words}`);
  return lines.join('\n');
}

it('keeps its invariants over whole sessions', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 20, size: 'max' }), async (steps) => {
      const host = await AgentHost.start({ 'a.md': START, 'b.md': START });
      try {
        const play = new Play(host, await host.session());
        for (const one of steps) await play.play(one);
      } finally {
        await host.stop();
      }
    }),
    {
      seed: Number(process.env.AGENT_FUZZ_SEED ?? 312),
      numRuns: Number(process.env.AGENT_FUZZ_RUNS ?? inFull(4, 12)),
    },
  );
});
