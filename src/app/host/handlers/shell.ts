/** Handlers of the shell's completions, which the leader's worker computes. */
import { fail, ok, type Result } from '../../../lib/result.ts';
import type { ShellStatus } from '../../../protocol/shell.ts';
import type { HandlerContext, Handlers } from '../handler.ts';

/** Calls the worker, if there is one, and returns its state afterwards. */
async function after(
  { completion }: HandlerContext,
  act: (service: NonNullable<HandlerContext['completion']['service']>) => void,
): Promise<Result<ShellStatus>> {
  const { service, refusal } = completion;
  if (service === null)
    return ok(
      refusal === null
        ? { state: 'none' }
        : { state: 'refused', message: refusal.message, hint: refusal.hint ?? null },
    );
  act(service);
  const status = await service.status();
  return status === null
    ? fail(
        'internal',
        'The completion worker does not answer.',
        'The log in the state folder has the details.',
      )
    : ok({ state: 'running', status });
}

export const shellHandlers: Pick<Handlers, 'shell/status' | 'shell/private' | 'shell/forget'> = {
  'shell/status': (_input, context) => after(context, () => undefined),
  'shell/private': ({ on }, context) => after(context, (service) => service.setPrivate(on)),
  'shell/forget': ({ line }, context) => after(context, (service) => service.forget(line)),
};
