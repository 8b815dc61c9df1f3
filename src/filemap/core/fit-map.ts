/** Chooses the most detailed level that fits its limit. If none fits, cuts the middle and says so. Pure. */
import type { FileMap, FileSymbol, MapLevel, RenderedMap } from '../../protocol/file-map.ts';
import { detailsOf, formatCount } from './describe.ts';
import { renderMap, symbolLines } from './render-map.ts';

const KIB = 1024;

/** The limit of each level, in bytes of UTF-8; `cut` is the limit of every map. */
export const LEVEL_MAX_BYTES: Readonly<Record<MapLevel, number>> = {
  full: 10 * KIB,
  compact: 20 * KIB,
  minimal: 25 * KIB,
  outline: 50 * KIB,
  cut: 100 * KIB,
};

const LEVELS: readonly Exclude<MapLevel, 'cut'>[] = ['full', 'compact', 'minimal', 'outline'];

export interface FitOptions {
  /** The limit in bytes, whatever the level; the limit of every map also applies. */
  readonly maxBytes?: number;
  /** Only this level, cut if it exceeds `maxBytes`. */
  readonly level?: Exclude<MapLevel, 'cut'>;
  /** The call with which the reader reads lines of the file. */
  readonly readCall?: string;
}

/** The map as text within its limit. */
export function fitMap(map: FileMap, options: FitOptions = {}): RenderedMap {
  const limit = Math.min(options.maxBytes ?? LEVEL_MAX_BYTES.cut, LEVEL_MAX_BYTES.cut);
  const details = detailsOf(map);
  const render: Render = (lines) => renderMap(map, lines, options.readCall);
  for (const level of options.level === undefined ? LEVELS : [options.level]) {
    const allowed = options.level === undefined ? Math.min(limit, LEVEL_MAX_BYTES[level]) : limit;
    const whole = render(symbolLines(map.symbols, level));
    if (bytesOf(whole) <= allowed) return { text: whole, level, details };
  }
  const lines = symbolLines(map.symbols, options.level ?? 'outline');
  return { text: cutToFit(map.symbols, lines, { limit, render }), level: 'cut', details };
}

/** The whole text with these lines of symbols. */
type Render = (lines: readonly string[]) => string;

/** Keeps as many lines from the head and the tail as fit. */
function cutToFit(
  symbols: readonly FileSymbol[],
  lines: readonly string[],
  { limit, render }: { readonly limit: number; readonly render: Render },
): string {
  const withEnds = (ends: number): string => {
    const omitted = lines.length - 2 * ends;
    const first = lines.slice(0, ends);
    const last = ends === 0 ? [] : lines.slice(-ends);
    return render([...first, omissionLine(symbols, ends, omitted, lines.length), ...last]);
  };
  let fits = 0;
  let tooMany = Math.floor(lines.length / 2) + 1;
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (bytesOf(withEnds(middle)) <= limit) fits = middle;
    else tooMany = middle;
  }
  const text = withEnds(fits);
  // Extremely long names, or a limit smaller than the head: only the head remains.
  return bytesOf(text) <= limit ? text : cutBytes(text, limit);
}

function omissionLine(symbols: readonly FileSymbol[], ends: number, omitted: number, total: number): string {
  const what = `… ${formatCount(omitted)} of ${formatCount(total)} symbols omitted`;
  // In the outline, lines and top-level symbols are the same list.
  const first = symbols[ends];
  const last = symbols[symbols.length - ends - 1];
  if (total !== symbols.length || first === undefined || last === undefined) return `${what} …`;
  return `${what}, lines ${first.startLine}-${last.endLine} …`;
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

function cutBytes(text: string, limit: number): string {
  return new TextDecoder()
    .decode(new TextEncoder().encode(text).subarray(0, Math.max(0, limit - 4)))
    .replace(/�+$/, '');
}
