/** The stored data of the agent, and the port to its store. File paths have one character per byte. */
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

/** The input of a job. */
export interface StoredRun {
  readonly contextRows: readonly ContextRow[];
  readonly maxToolCalls: number | null;
  readonly mode: AgentMode | null;
  readonly confirmBeforeEdits: boolean;
}

export interface StoredJob {
  /** Without its diff bundle, which is built on demand. */
  readonly job: AgentJob;
  readonly run: StoredRun;
  /** The proposal in the review. */
  readonly suggestion: string | null;
  readonly hunkEdits: Readonly<Record<string, readonly string[]>>;
  /** How many events were dropped because there were too many. */
  readonly dropped: number;
}

/** The fields that show a job's progress. */
export type JobFacts = Pick<AgentJob, 'id' | 'session_id' | 'status' | 'created_at' | 'finished_at'>;

/** A file by the SHA-256 of its bytes; null: no file. */
export type StoredImage = {
  readonly blob: string;
  readonly type: FileImage['type'];
  readonly executable: boolean;
} | null;

/** A file in the change log of a folder. */
export interface StoredTracked {
  readonly root: string;
  readonly path: ByteString;
  readonly base: StoredImage;
  /** Layers before this one are part of the base. */
  readonly from: number;
  /** The last known state on disk. */
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
  /** Later layers have this number or a higher one. */
  readonly seq: number;
  readonly files: readonly {
    readonly path: ByteString;
    readonly base: StoredImage;
    readonly proposed: StoredImage;
  }[];
  /** The decisions at that time on everything that touches these files, by proposal and change. */
  readonly decisions: Readonly<Record<string, Readonly<Record<string, Decision>>>>;
}

/** A save in progress, with the state of each file after it. */
export interface StoredSave {
  readonly id: string;
  /** Equal for all files of one save. */
  readonly batch: string;
  readonly write: StoredWrite;
  readonly after: readonly StoredTracked[];
}

/** Changes, all inside a transaction. */
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
  /** Most recently used first. */
  sessions(): readonly StoredSession[];
  job(id: string): StoredJob | null;
  /** Newest first. */
  jobs(session: string | null): readonly StoredJob[];
  /** The same without the proposals. */
  jobFacts(): readonly JobFacts[];
  /** The session of the job; null if it is deleted. */
  sessionOfJob(id: string): string | null;
  /** Events after `cursor`, in order. */
  events(job: string, cursor: number, limit: number): readonly AgentEvent[];
  /** In order of arrival. */
  layers(root: string): readonly StoredLayer[];
  layerOf(suggestion: string): StoredLayer | null;
  /** The lowest number for the next layer. */
  nextLayer(): number;
  tracked(root: string): readonly StoredTracked[];
  /** Folders that have a change log. */
  roots(): readonly string[];
  checkpoint(id: string): StoredCheckpoint | null;
  /** Newest first. */
  checkpoints(session: string | null): readonly StoredCheckpoint[];
  saves(): readonly StoredSave[];
  /** Writes within a transaction that someone else has begun. */
  readonly inside: AgentWriter;
  /** One transaction; events are sent after it. */
  write<T>(change: (writer: AgentWriter, emit: (body: EventBody) => void) => Result<T>): Result<T>;
}
