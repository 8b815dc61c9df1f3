/** What the agent keeps, and the port to the store that keeps it. Paths of files are one character a byte. */
import type { Result } from '../lib/result.ts';
import type {
  AgentEvent,
  AgentJob,
  AgentMode,
  AgentSession,
  Checkpoint,
  ContextRow,
} from '../protocol/agent.ts';
import type { EventBody } from '../protocol/event.ts';
import type { ByteString } from '../review/core/bytes.ts';
import type { Decision, FileImage } from '../review/core/file-state.ts';
import type { StoredWrite } from '../review/records/records.ts';

export type StoredSession = Omit<AgentSession, 'pending_review' | 'last_job_status'>;

/** What a job was started with. */
export interface StoredRun {
  readonly contextRows: readonly ContextRow[];
  readonly maxToolCalls: number | null;
  readonly mode: AgentMode | null;
  readonly confirmBeforeEdits: boolean;
}

export interface StoredJob {
  /** Without its diff bundle, which is made when it is looked at. */
  readonly job: AgentJob;
  readonly run: StoredRun;
  /** The proposal that the review holds. */
  readonly suggestion: string | null;
  readonly hunkEdits: Readonly<Record<string, readonly string[]>>;
  /** Events that were dropped because there were too many. */
  readonly dropped: number;
}

/** What tells how far a job is. */
export type JobFacts = Pick<AgentJob, 'id' | 'session_id' | 'status' | 'created_at' | 'finished_at'>;

/** A file by its bytes' SHA-256; null: no file. */
export type StoredImage = {
  readonly blob: string;
  readonly type: FileImage['type'];
  readonly executable: boolean;
} | null;

/** A file that the change log of a folder is about. */
export interface StoredTracked {
  readonly root: string;
  readonly path: ByteString;
  readonly base: StoredImage;
  /** Layers before this one are part of the base. */
  readonly from: number;
  /** What was last known to be on disk. */
  readonly disk: StoredImage;
}

export interface StoredLayer {
  readonly seq: number;
  readonly root: string;
  readonly suggestion: string;
  readonly origin: 'agent' | 'user' | 'disk' | 'rollback';
  readonly job: string | null;
}

export interface StoredCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly root: string;
  /** Layers from this one on came after it. */
  readonly seq: number;
  readonly files: readonly {
    readonly path: ByteString;
    readonly base: StoredImage;
    readonly proposed: StoredImage;
  }[];
  /** What was decided then, by proposal and change, of all that touches these files. */
  readonly decisions: Readonly<Record<string, Readonly<Record<string, Decision>>>>;
}

/** A save that has begun, with what is true of each file once it is written. */
export interface StoredSave {
  readonly id: string;
  /** Files of one save have the same. */
  readonly batch: string;
  readonly write: StoredWrite;
  readonly after: readonly StoredTracked[];
}

/** Changes; all of them are made inside a transaction. */
export interface AgentWriter {
  putSession(session: StoredSession): void;
  dropSession(id: string): void;
  putJob(job: StoredJob): void;
  dropJob(id: string): void;
  putEvent(job: string, event: AgentEvent): void;
  dropEvents(job: string, upTo: number): void;
  addLayer(layer: Omit<StoredLayer, 'seq'>): number;
  /** Removes a proposal from the log and from the review. */
  dropLayer(suggestion: string): void;
  putTracked(file: StoredTracked): void;
  dropTracked(root: string, path: ByteString): void;
  putCheckpoint(checkpoint: StoredCheckpoint): void;
  dropCheckpoint(id: string): void;
  putSave(save: StoredSave): void;
  dropSave(id: string): void;
}

export interface AgentRecords {
  session(id: string): StoredSession | null;
  /** The most recently used first. */
  sessions(): readonly StoredSession[];
  job(id: string): StoredJob | null;
  /** The newest first. */
  jobs(session: string | null): readonly StoredJob[];
  /** The same without what they propose. */
  jobFacts(): readonly JobFacts[];
  /** Whose job it is; null: it is deleted. */
  sessionOfJob(id: string): string | null;
  /** Events after `cursor`, in order. */
  events(job: string, cursor: number, limit: number): readonly AgentEvent[];
  /** In the order in which they came. */
  layers(root: string): readonly StoredLayer[];
  layerOf(suggestion: string): StoredLayer | null;
  /** The number that the next layer gets at least. */
  nextLayer(): number;
  tracked(root: string): readonly StoredTracked[];
  /** Folders that have a change log. */
  roots(): readonly string[];
  checkpoint(id: string): StoredCheckpoint | null;
  /** The newest first. */
  checkpoints(session: string | null): readonly StoredCheckpoint[];
  saves(): readonly StoredSave[];
  /** Writes within a transaction that someone else has begun. */
  readonly inside: AgentWriter;
  /** One transaction; events go out after it. */
  write<T>(change: (writer: AgentWriter, emit: (body: EventBody) => void) => Result<T>): Result<T>;
}
