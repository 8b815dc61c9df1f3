/** File maps: the outline of a whole file, symbols with their line ranges (from 1, inclusive). */
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

/** A symbol of a file. */
export interface FileSymbol {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly startLine: number;
  readonly endLine: number;
  /** The declaration on one line; or, beginning with `(`, the part after the name. */
  readonly signature?: string;
  /** The first line of its documentation. */
  readonly doc?: string;
  /** Visible to other files. */
  readonly isExported?: boolean;
  readonly children?: readonly FileSymbol[];
}

export const fileSymbolSchema: z.ZodType<FileSymbol> = z.strictObject({
  name: z.string(),
  kind: z.enum(SYMBOL_KINDS),
  startLine: z.number().int(),
  endLine: z.number().int(),
  signature: z.string().optional(),
  doc: z.string().optional(),
  isExported: z.boolean().optional(),
  children: z.lazy(() => z.array(fileSymbolSchema).readonly()).optional(),
});

/** The outline of a file. */
export interface FileMap {
  /** Absolute. */
  readonly path: string;
  readonly totalLines: number;
  readonly totalBytes: number;
  /** For people: `TypeScript`, `Markdown`. */
  readonly language: string;
  readonly imports: readonly string[];
  readonly symbols: readonly FileSymbol[];
  /** Limits of the outline: syntax errors, a scan instead of a parse, symbols left out. */
  readonly notes: readonly string[];
}

export const fileMapSchema = z.strictObject({
  path: z.string(),
  totalLines: z.number().int(),
  totalBytes: z.number().int(),
  language: z.string(),
  imports: z.array(z.string()).readonly(),
  symbols: z.array(fileSymbolSchema).readonly(),
  notes: z.array(z.string()).readonly(),
}) satisfies z.ZodType<FileMap>;

/** From all details down to the names that fit. */
export const MAP_LEVELS = ['full', 'compact', 'minimal', 'outline', 'cut'] as const;
export type MapLevel = (typeof MAP_LEVELS)[number];

/** What a surface shows of a map without reading its text. */
export interface FileMapDetails {
  readonly filePath: string;
  readonly totalLines: number;
  readonly totalBytes: number;
  /** Nested ones included. */
  readonly symbolCount: number;
  readonly language: string;
}

/** A map as text that fits its budget. */
export interface RenderedMap {
  readonly text: string;
  readonly level: MapLevel;
  readonly details: FileMapDetails;
}
