/** What turns changed in files, as commands ask for it: looks at working trees when turns begin and end. */
import { ok, type Result } from '../lib/result.ts';
import type { Observation, TurnMark } from '../protocol/changes.ts';
import type { CommandInput, CommandResult, CommandsBy, ServiceOf } from '../protocol/command.ts';
import type { Observer } from './snapshots/observer.ts';

/** Where looks and turns are kept. */
export interface ChangeRecords {
  /** The last look at a working tree at which something had changed; 0 for none. */
  head(root: string): number;
  turns(session: string): ReadonlyMap<string, TurnMark>;
  keepLook(root: string, seen: Observation): Result<unknown>;
  keepTurn(session: string, turn: string, mark: TurnMark): Result<unknown>;
}

export interface ChangesOptions {
  readonly records: ChangeRecords;
  readonly observer: Pick<Observer, 'look' | 'sweep'>;
}

export class ChangesService implements ServiceOf<CommandsBy<'changes'>> {
  readonly #options: ChangesOptions;

  constructor(options: ChangesOptions) {
    this.#options = options;
  }

  /** Takes away what no snapshot to come will ask for. */
  sweep(now: number, signal: AbortSignal): Promise<void> {
    return this.#options.observer.sweep(now, signal);
  }

  /** Looks at the working tree of a turn that begins or ends. */
  async mark(input: CommandInput<'changes/mark'>): Promise<Result<CommandResult<'changes/mark'>>> {
    const { records, observer } = this.#options;
    let before: number | null = null;
    const looked = await observer.look(input.folder, (top, seen) => {
      before = records.head(top);
      return records.keepLook(top, seen);
    });
    if (!looked.ok) return looked.error.code === 'not_found' ? ok({ look: null }) : looked;
    const { top, first } = looked.value;
    const look = records.head(top);
    if (input.turn === null) return ok({ look });
    const known = records.turns(input.session).get(input.turn);
    const mark: TurnMark = {
      root: top,
      from: known?.from ?? input.since ?? (input.moment === 'begin' ? look : (before ?? look)),
      to: input.moment === 'end' ? look : null,
      late: known?.late ?? (input.late || (first && input.moment === 'end')),
    };
    const kept = records.keepTurn(input.session, input.turn, mark);
    return kept.ok ? ok({ look }) : kept;
  }
}
