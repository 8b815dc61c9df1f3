/** The agent's limits in the configuration. The keys are flat, so that each has its own environment variable. */
import * as z from 'zod';

const count = (initial: number, most = 1_000_000, least = 1) =>
  z.coerce.number().int().min(least).max(most).default(initial);

export const agentLimitsShape = {
  max_tool_calls_per_job: count(12, 1000).describe('Tool calls that the model may make in one job.'),
  max_search_results_default: count(20).describe('Default number of search results.'),
  max_search_results_cap: count(50).describe('Upper limit on the results of a search.'),
  max_search_snippet_lines: count(20).describe('Lines per search result.'),
  max_read_bytes_default: count(65_536, 16_777_216).describe('Default number of bytes per read.'),
  max_read_lines_default: count(800).describe('Default number of lines per read.'),
  poll_interval_ms: count(2000, 60_000, 100).describe('How often a polling client should ask for events.'),
  max_schema_retries: count(5, 100, 0).describe(
    'How many times the model may fix its edits before the job fails.',
  ),
  max_job_minutes: count(60, 10_000).describe(
    'How long a model may work at one job, not counting the time that you take for answers.',
  ),
  max_hunk_lines: count(80).describe(
    'Changed lines of one hunk; a longer one is split where its text allows.',
  ),
  max_hunk_bytes: count(8192, 16_777_216).describe(
    'Changed bytes of one hunk; a larger one is split where its text allows.',
  ),
  max_sessions: count(25, 10_000).describe('Agent sessions that may be active at once.'),
  max_jobs_per_session: count(40, 10_000).describe('Jobs kept for one session.'),
  max_events_per_job: count(3000, 100_000, 10).describe(
    'Events kept for one job; beyond that the oldest are dropped.',
  ),
  completed_ttl_hours: z.coerce
    .number()
    .min(0)
    .max(87_600)
    .default(72)
    .describe('How long a finished job is kept.'),
} as const;
