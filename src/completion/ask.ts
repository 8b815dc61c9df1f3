/** Gets candidates for a program: from the daemon, or from a temporary engine if no daemon listens. */
import net from 'node:net';
import * as z from 'zod';
import { parseJson } from '../lib/parse-json.ts';
import { fail, ok, type Result } from '../lib/result.ts';
import { type CompletionReply, completionCandidateSchema } from '../protocol/completion.ts';
import { createEngineParts, NO_HELPERS } from './daemon.ts';
import { toWire } from './server.ts';
import type { WorkerSettings } from './worker-protocol.ts';

const ANSWER_TIMEOUT_MS = 2_000;
/** Longer than the daemon's: a temporary engine has read no folder yet, and nobody is typing. */
const OWN_DEADLINE_MS = 1_000;
const MAX_ANSWER_BYTES = 1024 * 1024;

export interface Question {
  readonly input: string;
  /** Index of the cursor in `input`. */
  readonly cursor: number;
  readonly cwd: string;
  readonly limit: number;
}

const replySchema = z.object({ request_id: z.int(), candidates: z.array(completionCandidateSchema) });

const INVALID = fail('internal', 'the completion daemon gave an invalid answer');

/** The daemon's answer; `not_found` if none listens. */
export function askDaemon(socketFile: string, question: Question): Promise<Result<CompletionReply>> {
  const line = JSON.stringify({
    request_id: 1,
    input: question.input,
    cursor_pos: Buffer.byteLength(question.input.slice(0, question.cursor)),
    cursor_unit: 'byte',
    cwd: question.cwd,
    max_candidates: question.limit,
    explain: true,
  });
  return new Promise((resolve) => {
    const socket = net.connect(socketFile);
    let answer = '';
    const settle = (result: Result<CompletionReply>) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(result);
    };
    const timer = setTimeout(
      () => settle(fail('internal', 'the completion daemon does not answer')),
      ANSWER_TIMEOUT_MS,
    );
    socket.setEncoding('utf8');
    socket.on('error', () => settle(fail('not_found', `nothing listens on ${socketFile}`)));
    socket.on('data', (chunk: string) => {
      answer += chunk;
      if (answer.length > MAX_ANSWER_BYTES) settle(INVALID);
      else if (answer.includes('\n')) settle(parseReply(answer));
    });
    socket.on('end', () => settle(parseReply(answer)));
    socket.write(`${line}\n`);
  });
}

function parseReply(text: string): Result<CompletionReply> {
  const reply = replySchema.safeParse(parseJson(text));
  return reply.success ? ok(reply.data) : INVALID;
}

export async function askOwnEngine(settings: WorkerSettings, question: Question): Promise<CompletionReply> {
  const { memory, engine } = createEngineParts(settings, () => undefined, NO_HELPERS, OWN_DEADLINE_MS);
  await memory.load();
  const candidates = await engine.complete(
    {
      line: question.input,
      cursor: question.cursor,
      cwd: question.cwd,
      session: '',
      limit: question.limit,
      isPatient: true,
    },
    new AbortController().signal,
  );
  return {
    request_id: 1,
    candidates: candidates.map((one) => toWire(one, { unit: 'byte', explain: true, separated: false })),
  };
}
