/** Repairs the command that just failed: a typo, another spelling of a name, a form that lacked something. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Knowledge } from '../core/knowledge.ts';
import { unquoted } from '../core/quoting.ts';
import { isFailure, otherForms } from '../core/repair.ts';
import type { Executed, Query, Suggestion } from '../core/suggestion.ts';
import { isSeparator, type Token, tokenize } from '../core/tokens.ts';
import { corrections } from '../core/typo.ts';
import type { RefsAt } from './git-refs.ts';
import type { Source } from './source.ts';

const TRUST_IN_SLIP = 0.8;
const TRUST_IN_NAME = 0.7;
const TRUST_IN_FORM = 0.6;
const NEAR_MAX = 2;
/** Words of a line that are checked. */
const WORDS_MAX = 8;

export interface RepairOptions {
  readonly typo: Source;
  readonly places: readonly Source[];
  readonly refsAt: RefsAt;
  readonly isRoot: boolean;
}

export function createRepairSource(knowledge: Knowledge, options: RepairOptions): Source {
  return {
    name: 'repair',
    async suggest(query, signal) {
      const last = knowledge.recent(query.session).at(-1);
      if (query.line !== '' || last === undefined || !isFailure(last.exit)) return [];
      const failed = { ...last, line: last.line.trimEnd() };
      // The cursor is at no word: all words are complete.
      const again: Query = { ...query, line: failed.line, cursor: -1, cwd: failed.cwd, isRepair: true };
      const slips = await options.typo.suggest(again, signal);
      if (slips.length > 0)
        return slips.map((one) => repaired(one.line, one.probability * TRUST_IN_SLIP, one.why));
      const names = await nearNames(options.places, again, signal);
      const forms = otherForms(failed.line, {
        exit: last.exit,
        isRoot: options.isRoot,
        refs: await options.refsAt(failed.cwd),
        folders: await foldersIn(failed),
      });
      return [
        ...names,
        ...forms.map((line) =>
          repaired(line, TRUST_IN_FORM * (names.length > 0 ? 0.5 : 1), 'what failed lacked this'),
        ),
      ];
    },
  };
}

const repaired = (line: string, probability: number, why: string): Suggestion => ({
  line,
  cursor: null,
  source: 'repair',
  probability,
  partial: false,
  kind: 'fix',
  why,
});

/** The line with one word of its last command replaced by a similar existing name. */
async function nearNames(
  places: readonly Source[],
  query: Query,
  signal: AbortSignal,
): Promise<readonly Suggestion[]> {
  const found: Suggestion[] = [];
  for (const { text, start, end } of argumentsOf(query.line)) {
    const ask = (begin: string) => namesFrom(places, query, { start, begin }, signal);
    for (const { word, share } of await spellings(text, ask))
      found.push(
        repaired(
          query.line.slice(0, start) + word + query.line.slice(end),
          share * TRUST_IN_NAME,
          `"${text}" is not there, "${word}" is`,
        ),
      );
  }
  return found;
}

/** Corrections of a word, at its first folder or name that does not exist. `ask`: names with this start. */
async function spellings(text: string, ask: (begin: string) => Promise<readonly string[]>) {
  const ends = [...text.matchAll(/\/(?=.)/g)].map(({ index }) => index).filter((at) => at > 0);
  for (const end of [...ends, text.length]) {
    const part = text.slice(0, end).replace(/\/$/, '');
    const folder = part.slice(0, part.lastIndexOf('/') + 1);
    const begins = [1, 2].map((letters) => part.slice(0, folder.length + letters));
    const names = [...new Set((await Promise.all([...begins, part].map(ask))).flat())];
    if (names.includes(part)) continue;
    // A truncated name: the only one with this start.
    const longer = names.filter((word) => word.startsWith(part));
    if (longer.length === 1) return [{ word: longer[0] + text.slice(end), share: 1 }];
    const known = names.map((word) => ({ word, uses: 1 }));
    const whole = corrections(text, known, NEAR_MAX);
    return whole.length > 0
      ? whole
      : corrections(part, known, NEAR_MAX).map((one) => ({ ...one, word: one.word + text.slice(end) }));
  }
  return [];
}

/** Plain words of the last command after its name. */
function argumentsOf(line: string): readonly Token[] {
  const tokens = tokenize(line);
  const begin = tokens.findLastIndex(({ kind, text }) => kind === 'operator' && isSeparator(text)) + 1;
  return tokens
    .slice(begin + 1)
    .filter(({ kind, text }) => kind === 'word' && /^[\w./@:~-]{2,}$/.test(text) && !text.startsWith('-'))
    .slice(0, WORDS_MAX);
}

/** Names that begin with `begin` and fit at `start` of the line. */
async function namesFrom(
  places: readonly Source[],
  query: Query,
  { start, begin }: { readonly start: number; readonly begin: string },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const line = query.line.slice(0, start) + begin;
  const asked = places.map((source) => source.suggest({ ...query, line, cursor: line.length }, signal));
  return (await Promise.all(asked)).flat().map((one) => one.line.slice(start).replace(/\/$/, ''));
}

async function foldersIn({ line, cwd }: Executed): Promise<ReadonlySet<string>> {
  const words = argumentsOf(line).map(({ text }) => text);
  const stats = await Promise.all(
    words.map((word) => stat(path.resolve(cwd, unquoted(word))).catch(() => null)),
  );
  return new Set(words.filter((_, at) => stats[at]?.isDirectory()));
}
