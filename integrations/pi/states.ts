/** Tells the companion which session pi runs and what it does. */
import type { ExtensionAPI, ExtensionContext } from '@mariozechner/pi-coding-agent';
import { createHookSpool } from '../shared/hook-spool.js';
import type { Place } from './place.ts';

export function addStates(pi: ExtensionAPI, { hooks }: Place): void {
  const spool = createHookSpool({ cli: 'pi', folder: hooks });
  const tell = (name: string, { sessionManager }: ExtensionContext, prompt?: string) =>
    spool(name, { id: sessionManager.getSessionId(), path: sessionManager.getSessionFile() ?? null }, prompt);
  pi.on('session_start', (_event, context) => tell('SessionStart', context));
  pi.on('before_agent_start', ({ prompt }, context) => tell('UserPromptSubmit', context, prompt));
  pi.on('agent_end', (_event, context) => tell('Stop', context));
  pi.on('session_shutdown', (_event, context) => tell('SessionEnd', context));
}
