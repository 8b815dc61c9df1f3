/** Proposes the next words that people in general use, for commands that are new to the user. */
import { BUILTINS, isBuiltin } from '../core/builtins.ts';
import { growLine } from '../core/expand.ts';
import type { GrammarCatalogue } from '../core/grammar.ts';
import type { Knowledge } from '../core/knowledge.ts';
import { byCodeUnit } from '../core/prefix-index.ts';
import type { Prior } from '../core/prior.ts';
import type { Query, Suggestion } from '../core/suggestion.ts';
import { commandWords, contextAt } from '../core/tokens.ts';
import { wantsScript } from './project.ts';
import type { Source } from './source.ts';

/** A file or folder of the example's author. */
const NAMES_A_FILE = /\.[A-Za-z]\w{0,4}(?:\s|$)|\//;

/** Their add-ons are separate programs: `git-flow` on the PATH is `git flow`. */
const WITH_ADD_ONS = new Set(['git', 'cargo', 'kubectl']);

/** How many letters are needed to complete a command name. */
const NAME_MIN_TYPED = 2;
const NAME_TRUST = 0.4;
/** How much likelier a generally known name is. */
const USUAL_WEIGHT = 10;

const GROWTH = { branches: 4, sure: 0.75, maxWords: 4 } as const;

/** `specs`: subcommands that it lacks (of `git`, for example) belong to add-ons, and need to be installed. */
export function createPriorSource(
  knowledge: Knowledge,
  prior: Prior,
  specs: GrammarCatalogue | null = null,
): Source {
  return {
    name: 'prior',
    suggest(query: Query): readonly Suggestion[] {
      const left = query.line.slice(0, query.cursor);
      if (left.trim() === '') return [];
      const { words, current, commandStart } = contextAt(left);
      if (!current.startsWith('-') && wantsScript(commandWords(words))) return [];
      const head = left.slice(0, commandStart);
      const names = words.length === 0 ? commandNames(knowledge, prior, current) : [];
      const common = growLine(prior, left.slice(commandStart), GROWTH)
        .filter(
          (growth) =>
            isThere(knowledge, specs, growth.left) &&
            !NAMES_A_FILE.test(growth.left.slice(left.length - commandStart)),
        )
        .map((growth) => ({
          line: head + growth.left,
          probability: growth.probability,
          why: 'a common continuation',
        }));
      return [...common, ...names.map(({ name, ...rest }) => ({ line: head + name, ...rest }))].map(
        (one) => ({
          ...one,
          cursor: null,
          source: 'prior',
          partial: true,
        }),
      );
    },
  };
}

/** Existing commands that start with `typed`, the most used first; none with too few letters. */
function commandNames(knowledge: Knowledge, prior: Prior, typed: string) {
  if (typed.length < NAME_MIN_TYPED || !knowledge.knowsNames) return [];
  const builtins = [...BUILTINS].filter((name) => name.startsWith(typed));
  const known = [...new Set([...builtins, ...knowledge.namesFrom(typed)])].filter((name) => name !== typed);
  const weight = (name: string) =>
    (isBuiltin(name) || prior.has([name]) ? USUAL_WEIGHT : 1) + prior.usesOf(name) + knowledge.usesOf(name);
  const total = known.reduce((sum, name) => sum + weight(name), 0);
  return known
    .sort((a, b) => weight(b) - weight(a) || byCodeUnit(a, b))
    .slice(0, GROWTH.branches)
    .map((name) => ({
      name,
      probability: (NAME_TRUST * weight(name)) / total,
      why: 'a command that is there',
    }));
}

/** Commands that are not installed are left out. */
function isThere(knowledge: Knowledge, specs: GrammarCatalogue | null, line: string): boolean {
  const [name = '', word = ''] = line.split(' ');
  if (!knowledge.knowsNames) return true;
  if (!knowledge.exists(name)) return false;
  const known = (WITH_ADD_ONS.has(name) && specs?.placeAfter([name])?.subcommands) || [];
  return (
    known.length === 0 || !/^[a-z]/.test(word) || known.includes(word) || knowledge.exists(`${name}-${word}`)
  );
}
