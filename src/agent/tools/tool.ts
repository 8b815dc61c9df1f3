/** What a tool of the agent is: a name, a schema, and a run that gives a canonical result and its text for the model. */
import type * as z from 'zod';
import type { Result } from '../../lib/result.ts';
import type { Env } from '../../platform/paths.ts';
import type { AgentLimits, ToolName } from '../../protocol/agent.ts';
import type { FileMapDetails } from '../../protocol/file-map.ts';
import type { WorkingBuffers } from '../loop/port.ts';
import type { IsSecret } from './kept-back.ts';

/** Lines that the model was shown whole, as they stand in the file, line ends included. */
export interface ShownLines {
  readonly filePath: string;
  readonly startLine: number;
  readonly lines: readonly string[];
  /** Null where the file was too large to be counted. */
  readonly totalLines: number | null;
  /** Changes when the file does: two readings of different versions are never one view. */
  readonly version: string;
}

/** The file to outline; its path was checked. */
export interface MappableFile {
  readonly absolutePath: string;
  readonly relativePath: string;
}

export interface FileOutline extends Omit<FileMapDetails, 'totalBytes'> {
  readonly text: string;
}

/** Makes outlines of files; fails with the reason where a file has none. */
export interface FileMapPort {
  outline(file: MappableFile, maxBytes: number, signal: AbortSignal): Promise<Result<FileOutline>>;
}

export interface ToolContext {
  /** The project, its path without links. */
  readonly root: string;
  readonly env: Env;
  readonly limits: AgentLimits;
  /** Files as the user sees them, where the disk does not have them so yet. */
  readonly buffers: WorkingBuffers;
  /** Leave out what git ignores. */
  readonly skipIgnored: boolean;
  /** Files of secrets are left out, and never read. */
  readonly isSecret: IsSecret;
  /** The user has named the file, so it may be read although git ignores it. */
  readonly isNamed: IsSecret;
  /** What one reading may give: no more than the model has room for. */
  readonly readMaxBytes: number;
  /** How long a file map may be now: the model's remaining room decides, too. */
  readonly mapMaxBytes: number;
  readonly maps: FileMapPort | null;
  /** Asks the human; waits as long as it takes. */
  readonly askUser: (question: string) => Promise<string>;
  readonly signal: AbortSignal;
}

export interface ToolOutcome<Output> {
  /** The canonical result, as the protocol names its fields. */
  readonly output: Output;
  /** For the model: text blocks of one tool result. Data of files is marked as such. */
  readonly blocks: readonly string[];
  readonly shown: readonly ShownLines[];
  /** A few words for the event log. */
  readonly summary: string;
  /** Results, files or lines that were found. */
  readonly count: number;
  readonly map?: FileOutline;
}

/** One tool. The schema is what the model is told, and what its arguments must satisfy. */
export interface AgentTool<Input, Output> {
  readonly name: ToolName;
  readonly description: string;
  readonly input: z.ZodType<Input>;
  run(input: Input, context: ToolContext): Promise<Result<ToolOutcome<Output>>>;
}

/** Ties a schema to its run, so that both speak of the same input. */
export const defineTool = <Input, Output>(tool: AgentTool<Input, Output>): AgentTool<Input, Output> => tool;
