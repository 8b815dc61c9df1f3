/** The Shell screen before any shell has made a request: why, and the line that connects one. Pure. */
import type { CompletionStatus } from '../../protocol/shell.ts';
import { indented as prose, type Row } from '../kit/row.ts';
import type { ShellFacts } from './model.ts';

/** The line that connects a zsh. */
export const INIT_LINE = 'eval "$(copane init zsh)"';

/** Shell completions are not running here, or their state is unknown yet. */
export function planNoShell(facts: ShellFacts, columns: number): readonly Row[] {
  const { problem, shell } = facts.shell;
  if (problem !== null)
    return [...prose(problem.message, columns, 'warn'), ...prose(problem.hint ?? '', columns)];
  switch (shell?.state) {
    case undefined:
      return prose('Loading the completions', columns);
    case 'refused':
      return [
        ...prose('Shell completions are not running.', columns, 'warn'),
        ...prose(shell.message, columns, 'warn'),
        ...prose(shell.hint ?? '', columns),
      ];
    default:
      return prose(
        'A short copane command is the leader now and serves no completions. They start when it ends.',
        columns,
      );
  }
}

/** They run, but no shell has made a request. */
export function planNobodyAsked(
  status: CompletionStatus,
  facts: ShellFacts,
  columns: number,
): readonly Row[] {
  const copy = facts.keyOf('copy', ['shell']) ?? 'the palette';
  return [
    ...prose('Shell completions are running; no shell has asked yet.', columns),
    ...prose('This line in ~/.zshrc connects every new zsh:', columns),
    [],
    ...prose(INIT_LINE, columns, 'code'),
    [],
    ...prose(
      `${copy} copies the line; "copane init zsh" writes it. In a new shell, type the start of a command: the rest appears below it, Tab takes it. No model and no account are needed.`,
      columns,
    ),
    [],
    ...prose(`They listen on ${status.socketFile}`, columns),
  ];
}
