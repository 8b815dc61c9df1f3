/** File maps: the outline of a whole file as symbols with line ranges (from 1, inclusive). */
import * as z from 'zod';

export const SYMBOL_KINDS = [
  'class',
  'interface',
  'struct',
  'enum',
  'type',
  'trait',
  'module',
  'function',
  'method',
  'property',
  'variable',
  'constant',
  'heading',
  'section',
  'key',
  'table',
  'column',
  'rule',
  'target',
  'turn',
  'records',
  'element',
  'block',
] as const;
export type SymbolKind = (typeof SYMBOL_KINDS)[number];

export const fileSymbolSchema = z.strictObject({
  name: z.string(),
  kind: z.enum(SYMBOL_KINDS),
  startLine: z.number().int(),
  endLine: z.number().int(),
  /** The declaration on one line; or, if it begins with `(`, the part after the name. */
  signature: z.string().optional(),
  /** The first line of its documentation. */
  doc: z.string().optional(),
  /** Visible to other files. */
  isExported: z.boolean().optional(),
  get children() {
    return z.array(fileSymbolSchema).optional();
  },
});
export type FileSymbol = z.infer<typeof fileSymbolSchema>;

/** The outline of a file. */
export const fileMapSchema = z.strictObject({
  /** Absolute. */
  path: z.string(),
  totalLines: z.number().int(),
  totalBytes: z.number().int(),
  /** For people: `TypeScript`, `Markdown`. */
  language: z.string(),
  imports: z.array(z.string()).readonly(),
  symbols: z.array(fileSymbolSchema).readonly(),
  /** Limits of the outline: syntax errors, a scan instead of a parse, missing symbols. */
  notes: z.array(z.string()).readonly(),
});
export type FileMap = z.infer<typeof fileMapSchema>;

/** From full detail down to only the names that fit. */
export const MAP_LEVELS = ['full', 'compact', 'minimal', 'outline', 'cut'] as const;
export type MapLevel = (typeof MAP_LEVELS)[number];

/** The facts that a surface shows about a map without reading its text. */
export interface FileMapDetails {
  readonly filePath: string;
  readonly totalLines: number;
  readonly totalBytes: number;
  /** Includes nested ones. */
  readonly symbolCount: number;
  readonly language: string;
}

export interface RenderedMap {
  readonly text: string;
  readonly level: MapLevel;
  readonly details: FileMapDetails;
}
