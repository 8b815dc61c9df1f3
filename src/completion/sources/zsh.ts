/**
 * What the user's own zsh completion functions offer. Slow (they may start programs), so asked once for each place
 * in a line and kept; only for commands that exist, only behind the command's name.
 */
import type { Knowledge } from '../core/knowledge.ts';
import { Prior } from '../core/prior.ts';
import type { Query, Suggestion } from '../core/suggestion.ts';
import { commandWords, contextAt } from '../core/tokens.ts';
import type { Source } from './source.ts';

const FRESH_MS = 20_000;
const KEPT_MAX = 200;
const PROPOSALS_MAX = 4;
const NO_PRIOR = new Prior([]);

export interface ZshCompletions {
  ask(cwd: string, line: string): Promise<readonly string[]>;
}

export function createZshSource(
  knowledge: Knowledge,
  shell: ZshCompletions,
  options: { readonly now: () => number; readonly prior: Prior | null },
): Source {
  const kept = new Map<string, { readonly at: number; readonly words: Promise<readonly string[]> }>();
  const wordsAt = (cwd: string, line: string): Promise<readonly string[]> => {
    const key = `${cwd}\u0000${line}`;
    const known = kept.get(key);
    if (known !== undefined && options.now() - known.at < FRESH_MS) return known.words;
    if (kept.size >= KEPT_MAX) kept.clear();
    const words = shell.ask(cwd, line);
    kept.set(key, { at: options.now(), words });
    return words;
  };
  return {
    name: 'zsh',
    isSlow: true,
    async suggest(query: Query): Promise<readonly Suggestion[]> {
      const left = query.line.slice(0, query.cursor);
      const { words, current, start, commandStart, redirect } = contextAt(left);
      const [name] = commandWords(words);
      if (name === undefined || redirect || !knowledge.exists(name) || query.cursor !== query.line.length)
        return [];
      if (/["'`$\\]/.test(current)) return [];
      // The whole word list of the place is asked for, so that the next letters need no new question.
      const stem = /^-{0,2}/.exec(current)?.[0] ?? '';
      const place = left.slice(commandStart, start) + stem;
      const matches = (await wordsAt(query.cwd, place)).filter(
        (word) => word.startsWith(current) && word !== current && /^[^\s"'`$\\;&|<>()]+$/.test(word),
      );
      const likely = (options.prior ?? NO_PRIOR).byUse(
        commandWords(words).filter((one) => !one.startsWith('-')),
        matches,
      );
      return likely.slice(0, PROPOSALS_MAX).map(({ name: word, share }) => ({
        line: left.slice(0, start) + word,
        cursor: null,
        source: 'zsh',
        probability: 0.5 * Math.max(share, 0.1 / matches.length),
        partial: true,
        why: 'offered by your zsh completion for this command',
      }));
    },
  };
}
