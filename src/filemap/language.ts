/** How files of a language are mapped; each language has one file in `mappers/`. */
import type { LineMapper, Outline } from './core/outline.ts';
import type { Grammar } from './core/tree-outline.ts';

export interface Language {
  /** The name for users, shown in a map's head. */
  readonly name: string;
  /** Without the dot, lower case. */
  readonly extensions: readonly string[];
  /** Whole file names, lower case. */
  readonly fileNames?: readonly string[];
  /** The interpreter in the first line of a file. */
  readonly interpreter?: RegExp;
  /** A syntax tree, for files that are not too large to parse. */
  readonly grammar?: Grammar;
  /** A separate parser, for files up to `maxParsedBytes`; throws if it cannot read a text. */
  readonly parse?: (text: string) => Outline;
  readonly maxParsedBytes?: number;
  /** For larger files, and if there is neither. Default: headings and indentation, as in any text. */
  readonly scan?: () => LineMapper;
}
