/** The session file of the tour's scripted AI: one record per line, named after the process that writes it. */
import path from 'node:path';
import { copanePaths } from '../../platform/paths.ts';
import { fileAt, refTo } from './files.ts';
import { asObject, asString, asTime } from './json.ts';
import { type Dialect, JsonlSession, type Reading } from './jsonl-session.ts';
import { JsonlTail } from './jsonl-tail.ts';
import type { TranscriptPlace, TranscriptReader } from './port.ts';
import type { Gap } from './tool-facts.ts';
import { TurnBuilder } from './turn-builder.ts';

export type TourRecord =
  | { readonly kind: 'prompt'; readonly id: string; readonly text: string; readonly at: number }
  | { readonly kind: 'answer'; readonly text: string };

/** The file of the tour that runs as that process. */
export function tourSessionFile(env: TranscriptPlace['env'], pid: number): string {
  return path.join(copanePaths(env).stateDir, 'tour', `${pid}.jsonl`);
}

function parse(value: unknown): TourRecord | null {
  const record = asObject(value);
  const text = asString(record?.text);
  if (record === null || text === null) return null;
  if (record.kind === 'answer') return { kind: 'answer', text };
  const [id, at] = [asString(record.id), asTime(record.at)];
  return record.kind === 'prompt' && id !== null && at !== null ? { kind: 'prompt', id, text, at } : null;
}

function read(records: readonly (TourRecord | Gap)[], complete: boolean): Reading {
  const builder = new TurnBuilder(complete);
  for (const record of records) {
    if (record.kind === 'prompt') builder.prompt(record);
    else if (record.kind === 'answer') {
      builder.text(record.text, 'idle');
      builder.end();
    }
  }
  return { ...builder.finish(), queued: [], reach: complete ? 'start' : 'more' };
}

const dialect: Dialect<TourRecord> = { parse, read };

/** The reader of the tour's session. */
export function createTourReader(): TranscriptReader {
  return {
    cli: 'tour',
    find: async ({ env, pid }) => {
      const file = pid === null ? null : await fileAt(tourSessionFile(env, pid));
      return file === null ? [] : [refTo(file, 'tour', file.name, 'pid')];
    },
    open: (ref) => new JsonlSession(ref, dialect, new JsonlTail(ref.path)),
  };
}
