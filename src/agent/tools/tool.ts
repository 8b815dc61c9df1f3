/** The interface of the agent's tools: a name, a schema, and a run that returns a result and its text for the model. */
import type * as z from 'zod';
import type { Result } from '../../lib/result.ts';
import type { Env } from '../../platform/paths.ts';
import type { AgentLimits, ToolName } from '../../protocol/agent.ts';
import type { FileMapDetails } from '../../protocol/file-map.ts';
import type { IsSecret } from '../../review/core/secret-files.ts';
import type { WorkingBuffers } from '../loop/port.ts';

/** Lines that the model was shown completely, as they are in the file, including line ends. */
export interface ShownLines {
  readonly filePath: string;
  readonly startLine: number;
  readonly lines: readonly string[];
  /** Null if the file was too large to count. */
  readonly totalLines: number | null;
  /** Changes with the file: readings of different versions are never merged. */
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

/** Makes outlines of files; fails with the reason if a file has none. */
export interface FileMapPort {
  outline(file: MappableFile, maxBytes: number, signal: AbortSignal): Promise<Result<FileOutline>>;
}

export interface ToolContext {
  /** The project, its path without links. */
  readonly root: string;
  readonly env: Env;
  readonly limits: AgentLimits;
  /** Files as the user sees them, if the disk lacks unsaved changes. */
  readonly buffers: WorkingBuffers;
  /** Leave out what git ignores. */
  readonly skipIgnored: boolean;
  /** Files with secrets are left out, and never read. */
  readonly isSecret: IsSecret;
  /** Whether the user has named the file: then it may be read although git ignores it. */
  readonly isNamed: IsSecret;
  /** The limit of one reading: the room that the model has. */
  readonly readMaxBytes: number;
  /** The current limit of a file map: it also depends on the model's remaining room. */
  readonly mapMaxBytes: number;
  readonly maps: FileMapPort | null;
  /** Asks the user; waits without limit. */
  readonly askUser: (question: string) => Promise<string>;
  readonly signal: AbortSignal;
}

export interface ToolOutcome<Output> {
  /** The canonical result, with the protocol's field names. */
  readonly output: Output;
  /** For the model: text blocks of one tool result. Data from files is marked. */
  readonly blocks: readonly string[];
  readonly shown: readonly ShownLines[];
  /** A few words for the event log. */
  readonly summary: string;
  /** The number of results, files or lines found. */
  readonly count: number;
  readonly map?: FileOutline;
}

/** One tool. Its schema is shown to the model, and validates its arguments. */
export interface AgentTool<Input, Output> {
  readonly name: ToolName;
  readonly description: string;
  readonly input: z.ZodType<Input>;
  run(input: Input, context: ToolContext): Promise<Result<ToolOutcome<Output>>>;
}

/** Ties a schema to its run, so that both have the same input type. */
export const defineTool = <Input, Output>(tool: AgentTool<Input, Output>): AgentTool<Input, Output> => tool;
