/** The Shell screen's commands: go through requests, explain, go private, forget a line. */
import type { CompletionStatus } from '../../protocol/shell.ts';
import { type MoveRows, moveCommands } from '../kit/moves.ts';
import { foreign } from '../kit/row.ts';
import { INIT_LINE } from './empty.ts';
import {
  done,
  type ShellFacts,
  type ShellHandler,
  type ShellHandlers,
  type ShellModel,
  say,
} from './model.ts';
import { isExplained, markedIndex, runningStatus } from './state.ts';

/** Acts on the status; if completions are not running, says why. */
const running =
  (
    act: (state: ShellModel, facts: ShellFacts, status: CompletionStatus) => ReturnType<ShellHandler>,
  ): ShellHandler =>
  (state, facts) => {
    const status = runningStatus(facts.shell);
    return status === null
      ? say(state, facts, 'info', 'Shell completions are not running here')
      : act(state, facts, status);
  };

const move = (delta: MoveRows): ShellHandler =>
  running((state, _facts, { recent }) => {
    const page = Math.max(1, Math.floor(state.size.rows / 3));
    const at = markedIndex(state.shell, recent) + delta(page, recent.length);
    const index = Math.max(0, Math.min(recent.length - 1, at));
    // At the top, the mark follows new requests.
    const marked = index === 0 ? null : (recent[index]?.id ?? null);
    return done({ ...state, shell: { ...state.shell, marked } });
  });

const explain: ShellHandler = (state) =>
  done({ ...state, shell: { ...state.shell, isExplained: !isExplained(state.shell, state.size) } });

const goPrivate = running((state, _facts, { isPrivate }) =>
  done(state, { kind: 'shell-private', on: !isPrivate }),
);

const forget = running((state, facts, { recent }) => {
  const line = recent[markedIndex(state.shell, recent)]?.candidates[0]?.line;
  if (line === undefined) return say(state, facts, 'info', 'There is no line to forget');
  return done({
    ...state,
    overlay: {
      kind: 'confirm',
      question: `Never suggest this line again, in any shell? ${foreign(line).text}`,
      effects: [{ kind: 'shell-forget', line }],
    },
  });
});

/** Copies the top line; without requests, the line that connects a shell. */
const copy: ShellHandler = (state, facts) => {
  const recent = runningStatus(facts.shell)?.recent ?? [];
  const line = recent[markedIndex(state.shell, recent)]?.candidates[0]?.line;
  return done(state, { kind: 'copy', text: line ?? INIT_LINE, what: 'the line' });
};

export const shellCommands: ShellHandlers = {
  ...moveCommands(move),
  'shell/explain': explain,
  'shell/private': goPrivate,
  'shell/forget': forget,
  copy,
};
