/** Candidates for a program that asks: of the daemon, or, where none listens, of an engine made for the question. */
import { askDaemon, askOwnEngine, type Question } from '../completion/ask.ts';
import { completionSettings } from '../completion/start.ts';
import type { Env } from '../platform/paths.ts';
import type { CompletionReply } from '../protocol/completion.ts';

/** The candidates, also when the daemon is missing or does not answer. */
export async function completeLine(env: Env, question: Question): Promise<CompletionReply> {
  const settings = completionSettings(env);
  const answered = await askDaemon(settings.socketFile, question);
  return answered.ok ? answered.value : askOwnEngine(settings, question);
}
