import type { Handlers } from '../../commands/handler.ts';
export const pullCommands: Handlers = {};
