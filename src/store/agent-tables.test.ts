import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { must, temporaryHome } from '../../test/helpers/host-fakes.ts';
import type { StoredCheckpoint, StoredJob, StoredSession } from '../agent/records.ts';
import { ok } from '../lib/result.ts';
import { type AgentTables, CHECKPOINTS_MAX } from './agent-tables.ts';
import { openStore, type Store } from './store.ts';

const home = { current: temporaryHome() };
let store: Store;
beforeEach(() => {
  home.current = temporaryHome();
  store = must(openStore({ stateDir: home.current.paths.stateDir, now: () => 0 }));
  must(store.beginEpoch({ pid: 1, startedAt: 0, version: 't', socketPath: '/s' }));
});
afterEach(() => {
  store.close();
  home.current.remove();
});

const write = (change: (agent: AgentTables) => void) =>
  must(
    store.write((writer) => {
      change(writer.agent);
      return ok(undefined);
    }),
  );

const session = (id: string, at: number): StoredSession => ({
  id,
  root: '/r',
  title: '',
  author: null,
  created_at: at,
  updated_at: at,
  status: 'active',
  chat: [],
  context_rows: [],
  last_job_id: null,
});
const job = (id: string, of: string): StoredJob =>
  ({
    job: { id, session_id: of, status: 'running', created_at: 5, finished_at: null },
    run: null,
    hunkEdits: {},
  }) as unknown as StoredJob;

describe('sessions and jobs', () => {
  it('are listed most recent first; deleting a session deletes its jobs and their events', () => {
    write((agent) => {
      agent.putSession(session('old', 1));
      agent.putSession(session('new', 2));
      for (const id of ['j1', 'j2']) agent.putJob(job(id, 'old'));
      agent.putEvent('j1', { cursor: 1, type: 'job.started', ts: 0, data: {} });
      agent.putSession(session('old', 3));
    });
    expect(store.agent.sessions().map(({ id }) => id)).toEqual(['old', 'new']);
    expect(store.agent.jobs('old').map((stored) => stored.job.id)).toEqual(['j2', 'j1']);
    expect(store.agent.jobFacts()[0]).toEqual({
      id: 'j2',
      session_id: 'old',
      status: 'running',
      created_at: 5,
      finished_at: null,
    });
    write((agent) => agent.dropSession('old'));
    expect(store.agent.jobs(null)).toEqual([]);
    expect(store.agent.events('j1', 0, 9)).toEqual([]);
    expect(store.agent.sessionOfJob('j1')).toBe(null);
  });
});

describe('the change log', () => {
  it('numbers layers across all folders and never reuses a number', () => {
    write((agent) => {
      agent.addLayer({ root: '/a', suggestion: 's1', origin: 'agent', job: 'j' });
      agent.addLayer({ root: '/b', suggestion: 's2', origin: 'disk', job: null });
      agent.dropLayer('s2');
    });
    expect(store.agent.nextLayer()).toBe(3);
    expect(store.agent.layers('/a')).toEqual([
      { seq: 1, root: '/a', suggestion: 's1', origin: 'agent', job: 'j' },
    ]);
    expect(store.agent.layerOf('s2')).toBe(null);
    expect(store.agent.roots()).toEqual(['/a']);
  });
});

describe('checkpoints', () => {
  it('keeps up to a bound, and drops the oldest', () => {
    const checkpoint = (id: string) =>
      ({
        checkpoint: { checkpoint_id: id, session_id: 's' },
        root: '/r',
        files: [],
        decisions: [],
      }) as unknown as StoredCheckpoint;
    write((agent) => {
      for (let i = 0; i < CHECKPOINTS_MAX; i += 1) agent.putCheckpoint(checkpoint(`c${i}`));
    });
    expect(store.agent.checkpoint('c0')).not.toBe(null);
    write((agent) => agent.putCheckpoint(checkpoint('one more')));
    expect(store.agent.checkpoint('c0')).toBe(null);
    expect(store.agent.checkpoints('s').length).toBe(CHECKPOINTS_MAX);
    expect(store.agent.checkpoints(null)[0]?.checkpoint.checkpoint_id).toBe('one more');
  });
});
