/** Runs the Shell screen's effects. */

import { type ShellEffect, type ShellEffectContext, say, track } from './model.ts';

/** Starts an effect; a defect in a port is rethrown and ends the process. */
export function runShellEffect(
  effect: Extract<ShellEffect, { kind: 'shell-private' | 'shell-forget' }>,
  context: ShellEffectContext,
): Promise<void> {
  const { shell } = context.ports;
  if (effect.kind === 'shell-forget')
    return track(context, 'Forgetting', shell.forget(effect.line), (state, facts) =>
      say(state, facts, 'ok', 'Forgotten: it is not suggested again'),
    );
  return track(context, 'Updating the completions', shell.setPrivate(effect.on), (state, facts) =>
    effect.on
      ? say(
          state,
          facts,
          'warn',
          `Private mode: shells get no answers until ${facts.keyOf('shell/private', ['shell']) ?? 'this'} is pressed again`,
        )
      : say(state, facts, 'ok', 'Private mode is off: shells get answers again'),
  );
}
