/**
 * The process that holds the agent's GGUF model: a crash of native code ends it and nothing else. Answers one
 * question at a time, in JSON alone; ends itself when its parent is gone.
 */
import {
  type ChatSession,
  type LoadedModel,
  loadModel,
  serveParent,
} from '../../completion/models/gguf-runtime.ts';
import type { LoadMessage } from '../../completion/models/model-process.ts';
import { errorMessage } from '../../lib/result.ts';
import type { FromGguf, GgufMessage, ToGguf } from './gguf-messages.ts';

interface Loaded extends LoadedModel {
  readonly session: ChatSession;
  readonly contextTokens: number;
}

/** What a chat template adds to each message, at most. */
const TEMPLATE_TOKENS = 16;

const tell = (message: FromGguf) => void process.send?.(message);

async function load(message: LoadMessage): Promise<Loaded> {
  const loaded = await loadModel(message);
  const { module, contextSequence } = loaded;
  const session = new module.LlamaChatSession({ contextSequence });
  return { ...loaded, session, contextTokens: message.contextTokens };
}

function historyItem({ role, text }: GgufMessage): unknown {
  return role === 'assistant' ? { type: 'model', response: [text] } : { type: role, text };
}

async function answer(
  loaded: Loaded,
  { messages, maxTokens, form }: Extract<ToGguf, { kind: 'ask' }>,
): Promise<void> {
  const tokensOf = (text: string) => loaded.model.tokenize(text).length;
  const tokens = messages.reduce((sum, { text }) => sum + tokensOf(text) + TEMPLATE_TOKENS, 0);
  // The runtime would forget the oldest messages without a word.
  if (tokens + maxTokens > loaded.contextTokens)
    return tell({ kind: 'overflow', tokens: tokens + maxTokens });
  loaded.session.setChatHistory(messages.slice(0, -1).map(historyItem));
  const text = await loaded.session.prompt(messages.at(-1)?.text ?? '', {
    maxTokens,
    temperature: 0,
    grammar: await loaded.llama.createGrammarForJsonSchema(form),
    onTextChunk: (piece: string) => tell({ kind: 'delta', text: piece }),
  });
  tell({ kind: 'answer', text, inputTokens: tokens, outputTokens: tokensOf(text) });
}

let loading: Promise<Loaded | null> = Promise.resolve(null);

async function hear(message: ToGguf): Promise<void> {
  if (message.kind === 'load') {
    loading = load(message);
    await loading;
    return tell({ kind: 'ready' });
  }
  const loaded = await loading;
  if (loaded !== null) await answer(loaded, message);
}

serveParent((message: ToGguf) => {
  hear(message).catch((thrown: unknown) => {
    tell({ kind: message.kind === 'load' ? 'failed' : 'error', message: errorMessage(thrown) });
  });
});
