import { ok } from '../../../lib/result.ts';
import type { Handlers } from '../handler.ts';

export const hostHandlers: Pick<Handlers, 'host/status'> = {
  'host/status': (_input, context) => ok(context.status()),
};
