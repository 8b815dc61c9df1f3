/** How files of a language are mapped; each language has one file under `mappers/`. */
import type { LineMapper, Outline } from './core/outline.ts';
import type { Grammar } from './core/tree-outline.ts';

export interface Language {
  /** For people, as it stands in a map's head. */
  readonly name: string;
  /** Without the dot, lower case. */
  readonly extensions: readonly string[];
  /** Whole file names, lower case. */
  readonly fileNames?: readonly string[];
  /** The interpreter that a first line names. */
  readonly interpreter?: RegExp;
  /** A syntax tree, for files that are not too large to parse. */
  readonly grammar?: Grammar;
  /** A parser of its own, for files up to `maxParsedBytes`; throws on a text that it cannot read. */
  readonly parse?: (text: string) => Outline;
  readonly maxParsedBytes?: number;
  /** For larger files, and where there is neither. Left out: headings and indentation, as in any text. */
  readonly scan?: () => LineMapper;
}
