/** Steps, edits and commands of one file, and what `attributeFile` makes of them. */
import { attributeFile, type SeenSide, type SeenStep } from '../../src/changes/core/attribute.ts';
import { exactText } from '../../src/changes/core/file-text.ts';
import type { TurnCommand, TurnEdit } from '../../src/changes/core/turn-edits.ts';

export const side = (text: string | null): SeenSide =>
  text === null ? null : { mode: 0o100644, bytes: new TextEncoder().encode(text) };
export const step = (
  before: string | null,
  after: string | null,
  changedAt: number | null,
  seenAt = 10_000,
  since: number | null = 0,
): SeenStep => ({
  before: side(before),
  after: side(after),
  changedAt,
  since,
  seenAt,
});

let order = 0;
export function edit(
  before: string | null,
  after: string,
  at: number,
  more: Partial<TurnEdit> = {},
): TurnEdit {
  order += 1;
  return {
    path: '/p/a',
    kind: before === null ? 'add' : 'edit',
    ...(before === null ? {} : { before: exactText(before) }),
    after: exactText(after),
    order,
    at,
    outcome: 'applied',
    source: 'tool',
    by: 'tool',
    lineEnds: 'exact',
    ...more,
  } as TurnEdit;
}
export function command(at: number, endedAt: number | null, text = 'x'): TurnCommand {
  order += 1;
  return { command: text, cwd: null, at, endedAt, exit: 0, order, outcome: 'applied', turnAt: 0 };
}

interface Turn {
  readonly edits?: readonly TurnEdit[];
  readonly commands?: readonly TurnCommand[];
  readonly othersEdits?: readonly TurnEdit[];
  readonly othersCommands?: readonly TurnCommand[];
  readonly until?: number;
}

/** Each hunk as `origin: lines`, and the text with which its review begins. */
export function attributed(steps: readonly SeenStep[], { edits = [], commands = [], ...others }: Turn) {
  const editTimes = edits.flatMap(({ at }) => at ?? []);
  const found = attributeFile({ path: '/p/a', steps }, { edits, commands, editTimes, ...others });
  if (found === null) return null;
  const before = found.review?.before?.bytes;
  return {
    hunks: found.change.hunks.map(
      ({ origin, lines }) =>
        `${origin}: ${lines
          .filter((line) => line[0] !== ' ')
          .map((line) => line.slice(0, -1))
          .join(' ')}`,
    ),
    from: found.review === null ? null : before == null ? '' : new TextDecoder().decode(before),
  };
}

export const lines = (...all: readonly (string | number)[]) => all.map((line) => `${line}\n`).join('');
export const TEN = lines(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
export const with_ = (
  text: string,
  ...changes: readonly (readonly [from: string | number, to: string | number])[]
) => changes.reduce((now, [from, to]) => now.replace(`${from}\n`, `${to}\n`), text);
