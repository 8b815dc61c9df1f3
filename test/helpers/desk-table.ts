/** A desk in short notation: hunks in a few words, reviewers who act on them, an engine that lands or refuses actions. */
import { type IntentParams, intentSchema } from '../../src/protocol/intent.ts';
import { type Desk, type DeskHunk, type HunkStatus, statusOf } from '../../src/review/desk/desk.ts';
import type { DeskAct, DeskPlan } from '../../src/review/desk/desk-plan.ts';
import { planIntent } from '../../src/review/desk/plan.ts';
import { settleDone, settleRefused } from '../../src/review/desk/settle.ts';

/** The file names whose hunks need their own look. */
const WARNINGS: Readonly<Record<string, DeskHunk['warnings']>> = {
  '.envrc': [{ kind: 'runs', text: 'This file runs by itself' }],
  'mine.txt': [{ kind: 'unsure', text: 'This may be yours' }],
};

/** Words such as `a`, `b:rejected`, `c:conflict@other.ts`, `d<root` (a part of `root`). */
export function tableDesk(words: string): Desk {
  const hunks = words
    .split(' ')
    .filter((word) => word !== '')
    .map((word): DeskHunk => {
      const [, id = '', status = 'pending', file = 'f.ts', parent = null] =
        /^(\w+)(?::(\w+))?(?:@([\w.]+))?(?:<(\w+))?$/.exec(word) ?? [];
      const warnings = WARNINGS[file] ?? [];
      return { id, status: status as HunkStatus, file, kind: 'text', parent, reason: null, warnings };
    });
  return { suggestion: 's', revision: 4, end: null, hunks, inFlight: [], done: [], undone: [] };
}

/** One or more reviewers at a desk; their actions are written at once, or when `land` says so. */
export class Table {
  desk: Desk;
  readonly marks: Record<string, string | null> = {};
  readonly flying: DeskAct[] = [];
  #ids = 0;

  constructor(words: string) {
    this.desk = tableDesk(words);
  }

  plan(
    params: IntentParams,
    {
      client = 'me',
      confirmed = null,
      mergeConflicts = null,
    }: Partial<Record<'client', string>> & {
      confirmed?: number | null;
      mergeConflicts?: number | null;
    } = {},
  ): DeskPlan {
    this.#ids += 1;
    const mark = this.marks[client] ?? this.desk.hunks[0]?.id ?? null;
    const plan = planIntent(this.desk, intentSchema.parse(params), {
      reviewer: { client, mark },
      id: `${this.#ids}`,
      confirmed,
      mergeConflicts,
      nameOf: (name) => name ?? 'Somebody',
    });
    this.marks[client] = plan.mark;
    if (plan.kind === 'act') {
      this.desk = plan.desk;
      this.flying.push(plan);
    }
    return plan;
  }

  /** The engine completed the oldest pending action; `fits` are the hunks that could take it. */
  land(fits: (id: string) => boolean = () => true, parts: readonly string[] = []): string | null {
    const act = this.flying.shift();
    if (act === undefined) throw new Error('nothing is on its way');
    const hunks = parts.length > 0 ? tableDesk(parts.join(' ')).hunks : this.#answer(act, fits);
    const answer = { hunks, revision: this.desk.revision + 1, end: this.desk.end };
    const settled = settleDone(this.desk, act, answer, this.marks[act.client] ?? null);
    this.desk = settled.desk;
    this.marks[act.client] = settled.mark;
    return settled.words;
  }

  refuse(): void {
    const act = this.flying.shift();
    if (act === undefined) throw new Error('nothing is on its way');
    const settled = settleRefused(this.desk, act);
    this.desk = settled.desk;
    this.marks[act.client] = settled.mark;
  }

  do(params: IntentParams, more: Parameters<Table['plan']>[1] = {}): string | null {
    const plan = this.plan(params, more);
    if (plan.kind === 'act') return this.land();
    return plan.kind === 'say' ? plan.words : plan.kind === 'ask' ? plan.question : plan.message;
  }

  /** `a=accepted b=pending` */
  shown(): string {
    return this.desk.hunks.map((hunk) => `${hunk.id}=${statusOf(this.desk, hunk)}`).join(' ');
  }

  #answer({ command, statuses, hunk }: DeskAct, fits: (id: string) => boolean): DeskHunk[] {
    const about =
      command.kind === 'step'
        ? ([...this.desk.done, ...this.desk.undone].find(({ id }) => id === command.step)?.hunks ??
          command.hunks)
        : command.kind === 'step_all'
          ? this.desk.hunks.filter(({ status }) => status !== 'pending').map(({ id }) => id)
          : Object.keys(statuses).length > 0
            ? Object.keys(statuses)
            : hunk === null
              ? []
              : [hunk];
    return this.desk.hunks
      .filter(({ id }) => about.includes(id) && fits(id))
      .map((one) => ({
        ...one,
        status:
          statuses[one.id] ??
          (command.kind === 'decide' && command.action === 'modify' ? 'modified' : one.status),
      }))
      .map((one) =>
        command.kind.startsWith('step') && statuses[one.id] === undefined ? undone(command, one) : one,
      );
  }
}

const undone = (command: DeskAct['command'], hunk: DeskHunk): DeskHunk => ({
  ...hunk,
  status: 'direction' in command && command.direction === 'redo' ? 'accepted' : 'pending',
});

/** Three open hunks in two files. */
export const THREE = 'a@x.ts b@x.ts c@y.ts';
