/**
 * A module with the part of node-llama-cpp that we use, placed where `copane model install` would put the package. It
 * answers by rules, so that a test needs no weights: the prompt's last line decides.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runtimeModule } from '../../src/completion/models/model-files.ts';

const SOURCE = `
import { readFileSync } from 'node:fs';
export class LlamaGrammar { constructor(llama, { grammar }) { this.grammar = grammar; } }
export class LlamaCompletion {
  async generateCompletion(prompt, options) {
    const typed = JSON.parse('"' + /"((?:[^"\\\\\\\\]|\\\\\\\\.)*)"/.exec(options.grammar.grammar)[1] + '"');
    if (typed.includes('crash')) process.kill(process.pid, 'SIGSEGV');
    if (typed.includes('throw')) throw new Error('no room left in the context');
    if (typed.includes('slow')) await new Promise((resolve) => { options.signal.addEventListener('abort', resolve); });
    if (typed.includes('env')) return typed + ' ' + Object.keys(process.env).sort().join(',');
    return typed + '-of-' + process.pid;
  }
}
export class LlamaChatSession {
  setChatHistory(history) { this.history = history; }
  async prompt(text, options) {
    if (text === 'crash') process.kill(process.pid, 'SIGSEGV');
    if (text === 'throw') throw new Error('no room left in the context');
    if (text === 'slow') await new Promise(() => {});
    const history = this.history.map((item) => item.type);
    const env = Object.keys(process.env);
    const answer = JSON.stringify({ message: text, history, env, pid: process.pid, form: options.grammar });
    for (const piece of answer.match(/[^]{1,7}/g)) options.onTextChunk(piece);
    return answer;
  }
}
export async function getLlama() {
  return {
    createGrammarForJsonSchema: async (schema) => JSON.stringify(schema),
    async loadModel({ modelPath }) {
      if (readFileSync(modelPath, 'utf8').slice(0, 4) !== 'GGUF') throw new Error('not a GGUF file');
      return { tokenize: (text) => text.split(' '), createContext: async () => ({ getSequence: () => ({}) }) };
    },
  };
}
`;

/** Installs it below `dataDir`. */
export function installStandIn(dataDir: string): void {
  const file = runtimeModule(dataDir);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(path.join(path.dirname(file), '../package.json'), '{"type":"module"}');
  writeFileSync(file, SOURCE);
}
