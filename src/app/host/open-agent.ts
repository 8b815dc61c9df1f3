/** Creates the agent over the host's store and reviews, and notifies it of decisions on its proposals. */

import { randomUUID } from 'node:crypto';
import { AgentService } from '../../agent/agent-service.ts';
import type { RunLoop } from '../../agent/loop/port.ts';
import type { AgentRecords } from '../../agent/records.ts';
import { bound } from '../../lib/bound.ts';
import { errorMessage } from '../../lib/result.ts';
import { type AgentLimits, type AgentMode, agentLimitsSchema } from '../../protocol/agent.ts';
import type { EventBody } from '../../protocol/event.ts';
import { BlobStore } from '../../store/blobs.ts';
import type { Log } from '../log/log.ts';
import type { HostParts } from './handler.ts';

export interface AgentHome {
  readonly stateDir: string;
  readonly now: () => number;
  readonly log: Log;
}

/** The user's settings. */
export interface AgentSetup {
  readonly limits: AgentLimits;
  readonly mode: () => AgentMode;
  readonly runLoop: RunLoop | null;
}

export type OpenAgent = (host: HostParts, home: AgentHome) => Promise<AgentService>;

const WITHOUT_MODEL: AgentSetup = {
  limits: agentLimitsSchema.parse({}),
  mode: () => 'remote',
  runLoop: null,
};

/** The agent of one host. */
export function openAgent(
  host: HostParts,
  home: AgentHome,
  setup: AgentSetup = WITHOUT_MODEL,
): Promise<AgentService> {
  const service = new AgentService({
    ...setup,
    records: recordsOf(host),
    blobs: new BlobStore(home.stateDir),
    proposals: host.reviews.proposals,
    now: home.now,
    newId: () => randomUUID().slice(0, 18),
    onDefect: (what, message) => home.log.error('the agent failed because of a defect', { what, message }),
  });
  listen(host, (body) => {
    if (body.type === 'review/changed') void service.reviewChanged(body.suggestion);
  });
  service.start().then(
    (started) => {
      if (!started.ok)
        home.log.error('the agent could not repair an interrupted write', { ...started.error });
    },
    (thrown: unknown) => home.log.error('the agent could not start', { error: errorMessage(thrown) }),
  );
  return Promise.resolve(service);
}

/** Subscribes to every event of the host, right after its commit. */
function listen(host: HostParts, hear: (body: EventBody) => void): void {
  host.onEvent((event) => {
    if (event.json.startsWith('{"type":"review/changed"')) hear(JSON.parse(event.json) as EventBody);
  });
}

function recordsOf(host: HostParts): AgentRecords {
  const { agent } = host.store;
  return {
    ...bound(agent, 'session', 'sessions', 'job', 'jobs', 'jobFacts', 'sessionOfJob', 'events', 'layers'),
    ...bound(agent, 'layerOf', 'nextLayer', 'tracked', 'roots', 'checkpoint', 'checkpoints', 'saves'),
    inside: agent,
    write: (change) => host.write((writer) => change(writer.agent, (body) => writer.emit(body))),
  };
}
