/** Proposes results of the user's zsh completion functions. Slow: asks once per place, only for existing commands. */
import { fresh } from '../../lib/fresh.ts';
import { isBuiltin } from '../core/builtins.ts';
import type { Knowledge } from '../core/knowledge.ts';
import { Prior } from '../core/prior.ts';
import type { Executed, Query, Suggestion } from '../core/suggestion.ts';
import { commandWords, contextAt } from '../core/tokens.ts';
import { isMadeUp } from './git.ts';
import type { Named, Source } from './source.ts';

const FRESH_MS = 20_000;
const KEPT_MAX = 200;
const PROPOSALS_MAX = 4;
const GUESS_FROM = 40;
const NO_PRIOR = new Prior([]);

export interface ZshCompletions {
  /** The matching words, with the descriptions of the completion function. */
  ask(cwd: string, line: string): Promise<readonly Named[]>;
}

export function createZshSource(
  knowledge: Knowledge,
  shell: ZshCompletions,
  options: { readonly now: () => number; readonly prior: Prior | null },
): Source {
  const offers = fresh<Promise<readonly Named[]>>({
    freshMs: FRESH_MS,
    maxKeys: KEPT_MAX,
    now: options.now,
  });
  const wordsAt = (cwd: string, line: string) => offers(`${cwd}\u0000${line}`, () => shell.ask(cwd, line));
  return {
    name: 'zsh',
    isSlow: true,
    async suggest(query: Query): Promise<readonly Suggestion[]> {
      const left = query.line.slice(0, query.cursor);
      const { words, current, start, commandStart, redirect } = contextAt(left);
      const command = commandWords(words);
      const [name] = command;
      if (name === undefined || redirect || !isCallable(knowledge, name)) return [];
      const quote = /^"(?=\$)/.exec(current)?.[0] ?? '';
      const typed = current.slice(quote.length);
      if (/["'`\\]|(?!^)\$/.test(typed) || isMadeUp(command)) return [];
      // Asks for all words of the place, so that further letters need no new question.
      const stem = /^(?:.*[@/:=]|\$\{?|-{0,2})/.exec(typed)?.[0] ?? '';
      const place = left.slice(commandStart, start) + stem;
      const known = await wordsAt(query.cwd, place);
      const descriptions = new Map(known.map(({ name: word, description }) => [word, description]));
      const offered = [...descriptions.keys(), ...assignedIn(knowledge.recent(query.session), stem)];
      const matches = [...new Set(offered)].filter(
        (word) => word.startsWith(typed) && word !== typed && /^(?:\$\{?)?[^\s"'`$\\;&|<>(){}]+$/.test(word),
      );
      const likely = (options.prior ?? NO_PRIOR).byUse(
        command.filter((one) => !one.startsWith('-')),
        matches,
      );
      // Until a letter is typed, a long list is only a guess.
      const isGuess = typed === stem && matches.length > GUESS_FROM;
      const worthy = isGuess ? likely.filter(({ share }) => share > 2 / matches.length) : likely;
      return worthy.slice(0, PROPOSALS_MAX).map(({ name: word, share }) => ({
        line: left.slice(0, start) + quote + word,
        cursor: null,
        source: 'zsh',
        probability: 0.5 * Math.max(share, 0.1 / matches.length),
        partial: true,
        why: 'offered by your zsh completion for this command',
        ...withDescription(descriptions.get(word)),
      }));
    },
  };
}

const withDescription = (description: string | undefined) =>
  description === undefined ? {} : { description };

/** Whether to ask: not for `kill`, since ending a wrong process cannot be undone. */
const isCallable = (knowledge: Knowledge, name: string): boolean =>
  knowledge.exists(name) || (isBuiltin(name) && name !== 'kill');

/** Variables that the session's commands set, after a typed `$` or `${`. */
function assignedIn(commands: readonly Executed[], stem: string): readonly string[] {
  if (!stem.startsWith('$')) return [];
  const names = commands.flatMap(({ line }) =>
    [...line.matchAll(/(?:^|[\s;])([A-Za-z_]\w*)=/g)].map(([, name = '']) => stem + name),
  );
  return names.reverse();
}
