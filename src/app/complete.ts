/** Completions for a program: from the daemon, or from an engine created for this request if there is none. */
import { askDaemon, askOwnEngine, type Question } from '../completion/ask.ts';
import { completionSettings } from '../completion/start.ts';
import type { Env } from '../platform/paths.ts';
import type { CompletionReply } from '../protocol/completion.ts';

/** Returns the candidates, also when the daemon is missing or does not answer. */
export async function completeLine(env: Env, question: Question): Promise<CompletionReply> {
  const settings = completionSettings(env);
  const answered = await askDaemon(settings.socketFile, question);
  return answered.ok ? answered.value : askOwnEngine(settings, question);
}
