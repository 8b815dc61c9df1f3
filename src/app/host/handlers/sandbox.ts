import type { Handlers } from '../handler.ts';

type SandboxCommand = Extract<keyof Handlers, `sandbox/${string}`>;

export const sandboxHandlers: Pick<Handlers, SandboxCommand> = {
  'sandbox/new': (input, { reviews }) => reviews.sandboxes.create(input),
};
