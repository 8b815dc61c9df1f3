import type { Handlers } from '../../commands/handler.ts';
export const insertCommands: Handlers = {};
