/** Shared parts of the readers of recorded edits: the turn with its facts, and the list that its edits go to. */
import type { Turn } from '../../protocol/turn.ts';
import type { TranscriptRef } from '../../responses/transcripts/port.ts';
import type { ToolFact } from '../../responses/transcripts/tool-facts.ts';
import type { ByteString } from '../../review/core/bytes.ts';
import { bytesOfLines, exactBytes, isBinary, linesOf } from '../core/file-text.ts';
import { ownPart, replayedLines, textsOf } from '../core/own-part.ts';
import type { Asked, RecordedTurn, TurnCommand, TurnEdit } from '../core/turn-edits.ts';

/** A turn, and what the session file says about its tools. */
export interface TurnWithFacts {
  readonly turn: Pick<Turn, 'id' | 'progress' | 'response'>;
  readonly facts: readonly ToolFact[];
}

/** Reads the edits of turns from their facts, and from what the AI CLI stores beside its session. */
export type RecordedReader = (
  turns: readonly TurnWithFacts[],
  ref: TranscriptRef,
) => Promise<readonly RecordedTurn[]>;

/** One turn after the other: each may start programs, and a session can have hundreds. */
export async function eachTurn(
  turns: readonly TurnWithFacts[],
  read: (turn: TurnWithFacts, index: number) => Promise<RecordedTurn>,
): Promise<readonly RecordedTurn[]> {
  const recorded: RecordedTurn[] = [];
  for (const [index, turn] of turns.entries()) recorded.push(await read(turn, index));
  return recorded;
}

export type NewEdit = Pick<TurnEdit, 'path' | 'kind'> & Partial<Omit<TurnEdit, 'order'>>;
type NewCommand = Pick<TurnCommand, 'command'> & Partial<Omit<TurnCommand, 'order'>>;

/** The edits and commands of one turn, numbered in the order in which they are added. */
export class EditLog {
  readonly #edits: TurnEdit[] = [];
  readonly #commands: TurnCommand[] = [];
  #order = 0;

  edit(edit: NewEdit): void {
    this.#edits.push({
      at: null,
      outcome: 'applied',
      source: 'tool',
      by: 'tool',
      lineEnds: 'exact',
      ...edit,
      order: this.#order++,
    });
  }

  command(command: NewCommand): void {
    this.#commands.push({
      cwd: null,
      at: null,
      exit: null,
      outcome: 'applied',
      ...command,
      order: this.#order++,
    });
  }

  turn({ id, progress }: Pick<Turn, 'id' | 'progress'>, rewound = false): RecordedTurn {
    const interrupted = progress === 'interrupted';
    return { turnId: id, edits: this.#edits, commands: this.#commands, interrupted, rewound };
  }
}

/** A text as a side of an edit; left out if the text is beyond the bound. */
export function side<K extends 'before' | 'after'>(key: K, text: TurnEdit[K]): Partial<Pick<TurnEdit, K>> {
  return (text === undefined ? {} : { [key]: text }) as Partial<Pick<TurnEdit, K>>;
}

/** Splits an edit into the part that its own texts account for, and the rest. `askedIn`: the requests for a file. */
export function ownAndRest(
  edit: NewEdit,
  askedIn: (from: readonly ByteString[]) => readonly Asked[],
): readonly NewEdit[] {
  const { path, source, at = null, before, after, kind } = edit;
  if (after === undefined || isBinary(before) || isBinary(after)) return [edit];
  const [from, to] = [before === undefined ? [] : linesOf(before), linesOf(after)];
  const asked = askedIn(from);
  const own = replayedLines(from, asked) ?? ownPart(from, to, textsOf({ asked }));
  const isOf = (lines: readonly ByteString[]) => own.join('') === lines.join('');
  if (isOf(to)) return [{ ...edit, asked }];
  // aider gives every file that it writes one kind of line end, and commits what you wrote before its edit by itself.
  if (source === 'commit' && asked.length > 0 && isSameButEnds(own, to)) return [edit];
  const rest = { path, kind: 'edit', by: 'unknown', at, ...(source && { source }), after } as const;
  if (isOf(from) && kind === 'edit') return [{ ...rest, ...side('before', before) }];
  const middle = exactBytes(bytesOfLines(own));
  return [
    { ...edit, ...side('after', middle), asked },
    { ...rest, ...side('before', middle) },
  ];
}

const isSameButEnds = (a: readonly ByteString[], b: readonly ByteString[]) =>
  a.join('').replaceAll('\r\n', '\n') === b.join('').replaceAll('\r\n', '\n');

/** Calls with their results, in the order of the calls; a result without a call keeps its place. */
export interface CallAndResult {
  readonly id: string;
  readonly call: ToolFact | null;
  readonly result: ToolFact | null;
}

export function pairCalls(facts: readonly ToolFact[]): readonly CallAndResult[] {
  const calls = new Set(facts.flatMap(({ kind, id }) => (kind === 'call' ? [id] : [])));
  const results = new Map(
    facts.flatMap((fact) => (fact.kind === 'result' ? [[fact.id, fact] as const] : [])),
  );
  return facts.flatMap((fact): CallAndResult[] => {
    if (fact.kind === 'call') return [{ id: fact.id, call: fact, result: results.get(fact.id) ?? null }];
    return fact.kind === 'result' && !calls.has(fact.id) ? [{ id: fact.id, call: null, result: fact }] : [];
  });
}
