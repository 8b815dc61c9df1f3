/** Expands an alias to ask a source, and puts it back into the answers: `k get p` asks for `kubectl get p`. */
import type { Query, Suggestion } from '../core/suggestion.ts';
import { contextAt } from '../core/tokens.ts';
import type { Source } from './source.ts';

/** Other aliases are not expanded. */
const PLAIN = /^[\w./:@%+=,-]+(?: [\w./:@%+=,-]+)*$/;

export function withAliases(source: Source, aliasOf: (name: string) => string | undefined): Source {
  return {
    ...source,
    async suggest(query, signal) {
      const { words, commandStart } = contextAt(query.line.slice(0, query.cursor));
      const [name = ''] = words;
      const value = name === '' ? undefined : aliasOf(name);
      if (value === undefined || !PLAIN.test(value)) return source.suggest(query, signal);
      const head = query.line.slice(0, commandStart);
      const long = head + value;
      const short = head + name;
      const added = value.length - name.length;
      const asked: Query = {
        ...query,
        line: long + query.line.slice(short.length),
        cursor: query.cursor + added,
      };
      const found = await source.suggest(asked, signal);
      return found
        .filter(({ line }) => line.startsWith(long))
        .map(
          (one): Suggestion => ({
            ...one,
            line: short + one.line.slice(long.length),
            cursor: one.cursor === null ? null : one.cursor - added,
          }),
        );
    },
  };
}
