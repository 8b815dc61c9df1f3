import { expect, test } from 'vitest';
import type { ModelMode } from '../../protocol/agent.ts';
import { type EndedAttempt, type FallbackTrigger, nextRoute, type RoutingRules } from './routing.ts';

const RULES: RoutingRules = {
  hybrid_fallback: true,
  hybrid_max_local_attempts: 1,
  hybrid_remote_on_schema_fail: true,
  hybrid_remote_on_context_overflow: true,
  hybrid_remote_on_timeout_ms: 5_000,
};

const local = (trigger: FallbackTrigger | null): EndedAttempt => ({ side: 'local', trigger });
const remote = (trigger: FallbackTrigger | null): EndedAttempt => ({ side: 'remote', trigger });

function sideAfter(
  mode: ModelMode,
  ended: readonly EndedAttempt[],
  rules: Partial<RoutingRules> = {},
): string {
  const route = nextRoute(mode, { ...RULES, ...rules }, ended);
  return route.kind === 'try' ? route.side : route.kind;
}

test.each([
  ['local', 'local'],
  ['remote', 'remote'],
  ['hybrid_auto', 'local'],
] as const)('%s begins with the %s model', (mode, side) => {
  expect(sideAfter(mode, [])).toBe(side);
});

test.each(['local', 'remote'] as const)('%s never switches', (mode) => {
  expect(sideAfter(mode, [{ side: mode, trigger: 'schema' }])).toBe('stop');
});

const ALL: readonly FallbackTrigger[] = [
  'tool_budget',
  'schema',
  'context_overflow',
  'validation',
  'timeout',
];

test.each(ALL)('hybrid_auto switches to the remote model on %s, once', (trigger) => {
  expect(sideAfter('hybrid_auto', [local(trigger)])).toBe('remote');
  expect(sideAfter('hybrid_auto', [local(trigger), remote(trigger)])).toBe('stop');
  expect(sideAfter('hybrid_auto', [local(trigger)], { hybrid_fallback: false })).toBe('stop');
});

test('a failure that no other model can fix ends the job', () => {
  expect(sideAfter('hybrid_auto', [local(null)])).toBe('stop');
});

test.each([
  ['schema', { hybrid_remote_on_schema_fail: false }],
  ['context_overflow', { hybrid_remote_on_context_overflow: false }],
  ['timeout', { hybrid_remote_on_timeout_ms: null }],
] as const)('%s can be switched off', (trigger, rules) => {
  expect(sideAfter('hybrid_auto', [local(trigger)], rules)).toBe('stop');
  expect(sideAfter('hybrid_auto', [local('tool_budget')], rules)).toBe('remote');
});

test('the local model may retry as often as allowed, if that can help', () => {
  const rules = { hybrid_max_local_attempts: 3 };
  expect(sideAfter('hybrid_auto', [local('schema')], rules)).toBe('local');
  expect(sideAfter('hybrid_auto', [local('schema'), local('validation')], rules)).toBe('local');
  expect(sideAfter('hybrid_auto', [local('schema'), local('schema'), local('schema')], rules)).toBe('remote');
  expect(sideAfter('hybrid_auto', [local('context_overflow')], rules)).toBe('remote');
  expect(sideAfter('hybrid_auto', [local('timeout')], rules)).toBe('remote');
});

test('the time limit applies only to the local model, and only if another can take over', () => {
  const limit = (mode: ModelMode, rules: Partial<RoutingRules> = {}, ended: readonly EndedAttempt[] = []) => {
    const route = nextRoute(mode, { ...RULES, ...rules }, ended);
    return route.kind === 'try' ? route.timeLimitMs : undefined;
  };
  expect(limit('hybrid_auto')).toBe(5_000);
  expect(limit('hybrid_auto', { hybrid_fallback: false })).toBeNull();
  expect(limit('hybrid_auto', {}, [local('timeout')])).toBeNull();
  expect(limit('local')).toBeNull();
});
