/** Judges a model's proposals and counts faults; too many, or a repeated answer, end the attempt. Keeps good edits. */
import { count } from '../../lib/count.ts';
import { ok, type Result } from '../../lib/result.ts';
import type { EditFault, ProposedEdit } from '../../protocol/agent.ts';
import { saysYes } from '../core/says-yes.ts';
import type { FallbackTrigger } from '../providers/routing.ts';
import { asksForChange, type Proposal } from './edits.ts';
import { type AttemptFailure, failure } from './failure.ts';
import type { FillContext, LoopMemory } from './memory.ts';
import type { LoopDeps, LoopInput, LoopOutcome } from './port.ts';

/** What to do about a file in conflict. */
export const CONFLICT_HINT = 'Save, merge or reject that proposal first, then run the job again.';

export type Ended = Result<LoopOutcome, AttemptFailure>;

/** A fault that the model is asked to correct. */
export interface Fault {
  /** The fault in one sentence. */
  readonly words: string;
  readonly trigger: FallbackTrigger;
  readonly edits?: readonly EditFault[];
  /** The model's answer, to recognize it again. */
  readonly answer?: string;
}

export type Judged =
  | { readonly kind: 'ended'; readonly ended: Ended }
  | { readonly kind: 'again'; readonly words: string };

export interface JudgeOptions {
  readonly input: LoopInput;
  readonly deps: LoopDeps;
  readonly memory: LoopMemory;
  readonly fillContext: () => FillContext;
  readonly ask: (question: string) => Promise<string>;
}

/** The model's text beside its proposal, and the whole answer, to recognize it again. */
interface Said {
  readonly words?: string;
  readonly answer: string;
}

export class ProposalJudge {
  readonly #options: JudgeOptions;
  /** Edits of earlier proposals that fit, while others did not. */
  #kept: readonly ProposedEdit[] = [];
  #faults = 0;
  /** Faults since the model last used a tool. */
  #told = new Set<string>();
  #isConfirmed: boolean;
  #knowsNoChange = false;

  constructor(options: JudgeOptions) {
    this.#options = options;
    this.#isConfirmed = !options.input.confirmBeforeEdits;
  }

  get kept(): readonly ProposedEdit[] {
    return this.#kept;
  }

  /** The model has used a tool, so the same answer may now be right. */
  learned(): void {
    this.#told.clear();
  }

  /** The attempt has failed; still offers edits of its proposals that fit. */
  ended(error: AttemptFailure): Ended {
    if (this.#kept.length === 0 || error.error.code === 'cancelled') return { ok: false, error };
    const message = `The model's other edits did not fit and were left out. ${error.error.message}`;
    return ok({ edits: this.#kept, message });
  }

  /** Counts and reports a fault; null as long as the model may try again. */
  fault({ words, trigger, edits = [], answer = '' }: Fault): Ended | null {
    this.#faults += 1;
    const data = { summary: words.slice(0, 2000), attempt: this.#faults, faults: [...edits] };
    this.#options.deps.emit({ type: 'edits.refused', data });
    // The ids of edits count on from proposal to proposal.
    const key = JSON.stringify([words.replace(/\be_\d+\b/g, ''), answer]);
    const wasTold = this.#told.has(key);
    this.#told.add(key);
    if (!wasTold && this.#faults <= this.#options.input.limits.max_schema_retries) return null;
    const code = trigger === 'validation' ? 'invalid_edits' : 'invalid_output';
    const tries = this.#faults === 1 ? 'one try' : `${this.#faults} tries`;
    const message = `After ${tries} the model gave nothing that could be used. It was told last: ${words}`;
    return this.ended(failure(code, message, { trigger }));
  }

  /** Whether a proposal can be reviewed: its form, the lines the model saw, the current files, the user's consent. */
  async judge(proposal: Result<Proposal, string>, { words = '', answer }: Said): Promise<Judged> {
    if (!proposal.ok) {
      const fault = { words: proposal.error, trigger: 'schema', answer } as const;
      return this.#refuse(fault, `Not proposed: ${proposal.error}`);
    }
    const { deps, memory, fillContext } = this.#options;
    const filled = await memory.fill(proposal.value.edits, fillContext());
    const edits = withKept(this.#kept, filled.edits);
    const checked = edits.length === 0 ? [] : await deps.check(edits);
    for (const { edit_id: id, code } of checked)
      if (code === 'missing') memory.forget(edits.find((edit) => edit.edit_id === id)?.file_path ?? '');
    const message = [words, proposal.value.message].filter(Boolean).join('\n\n');
    const unread = proposal.value.faults.map(unreadEdit);
    // A change that is already in the file is not a fault: there is nothing to do about it.
    const faults = [...unread, ...filled.faults, ...checked.filter(({ code }) => code !== 'no_change')];
    const good = withoutFaulty(edits, checked);
    const conflicts = faults.filter(({ code }) => code === 'conflict');
    if (conflicts.length < faults.length) return this.#refuseEdits({ faults, good, answer });
    if (good.length === 0 && conflicts[0] !== undefined) return inConflict(conflicts[0]);
    const leftOut = conflicts.map((fault) => `Left out: ${fault.message}`);
    return this.#offer(good, [message, ...leftOut].filter(Boolean).join('\n\n'));
  }

  async #offer(edits: readonly ProposedEdit[], message: string): Promise<Judged> {
    if (edits.length === 0) {
      if (!this.#knowsNoChange && asksForChange(this.#options.input.instruction)) {
        this.#knowsNoChange = true;
        return { kind: 'again', words: NO_CHANGE };
      }
      const words = message === '' ? 'There is nothing to change: the files are so already.' : message;
      return { kind: 'ended', ended: ok({ edits, message: words }) };
    }
    const objection = await this.#confirm(edits, message);
    if (objection !== null) return { kind: 'again', words: objection };
    return { kind: 'ended', ended: ok({ edits, message }) };
  }

  #refuseEdits({ faults, good, answer }: RefusedEdits): Judged {
    this.#kept = good;
    const [first] = faults;
    const more = faults.length === 1 ? '' : ` (and ${faults.length - 1} more)`;
    const list = faults.map((fault) => `- ${fault.message}`).join('\n');
    return this.#refuse(
      { words: `${first?.message ?? ''}${more}`, trigger: 'validation', edits: faults, answer },
      good.length === 0
        ? `Nothing was proposed. Fix this and propose all edits again:\n${list}`
        : `${count(good.length, 'edit')} fit and are kept. Fix the others and propose them alone, or answer in words to leave them out:\n${list}`,
    );
  }

  #refuse(fault: Fault, words: string): Judged {
    const ended = this.fault(fault);
    return ended === null ? { kind: 'again', words } : { kind: 'ended', ended };
  }

  /** Asks the user before the first proposal, if configured; returns the model's message unless the answer is yes. */
  async #confirm(edits: readonly ProposedEdit[], message: string): Promise<string | null> {
    if (this.#isConfirmed) return null;
    const files = [...new Set(edits.map((edit) => edit.file_path))];
    const places = `${count(edits.length, 'edit')} in ${files.join(', ')}`;
    const answer = await this.#options.ask(`${message === '' ? '' : `${message}\n\n`}Propose ${places}?`);
    this.#isConfirmed = true;
    if (saysYes(answer)) return null;
    return `Not proposed yet. The user was asked and answers: ${answer}\nAct on that: propose what the user wants, or answer in words.`;
  }
}

const NO_CHANGE =
  'Your edits change nothing: each new_text is what stands in the file already. Write the lines as they shall become, or answer in words that nothing is to be changed.';

interface RefusedEdits {
  readonly faults: readonly EditFault[];
  readonly good: readonly ProposedEdit[];
  readonly answer: string;
}

/** No model can resolve that. */
function inConflict({ message }: EditFault): Judged {
  const error = failure('conflict', message, { hint: CONFLICT_HINT });
  return { kind: 'ended', ended: { ok: false, error } };
}

const unreadEdit = (message: string, at: number): EditFault => ({
  edit_id: `unread_${at + 1}`,
  code: 'invalid',
  message,
});

/** The kept edits that are not proposed again, and the new ones. */
function withKept(kept: readonly ProposedEdit[], fresh: readonly ProposedEdit[]): readonly ProposedEdit[] {
  return [...kept.filter((one) => !fresh.some((other) => meet(one, other))), ...fresh];
}

/** Drops edits with a fault, and both of two that overlap. */
function withoutFaulty(
  edits: readonly ProposedEdit[],
  faults: readonly EditFault[],
): readonly ProposedEdit[] {
  const codes = new Map(faults.map(({ edit_id, code }) => [edit_id, code]));
  const overlapping = edits.filter(({ edit_id }) => codes.get(edit_id) === 'overlap');
  return edits.filter((edit) => !codes.has(edit.edit_id) && !overlapping.some((other) => meet(edit, other)));
}

/** Whether both affect the same lines, or one of them the whole file. */
function meet(one: ProposedEdit, other: ProposedEdit): boolean {
  if (one.file_path !== other.file_path) return false;
  if ((one.operation === 'insert') !== (other.operation === 'insert')) return false;
  const [a, b] = [rangeOf(one), rangeOf(other)];
  return a.from <= b.to && b.from <= a.to;
}

function rangeOf({ start_line: start, end_line: end }: ProposedEdit) {
  return start === undefined ? { from: 0, to: Number.POSITIVE_INFINITY } : { from: start, to: end ?? start };
}
