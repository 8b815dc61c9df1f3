import { describe, expect, it } from 'vitest';
import { commands } from '../../protocol/command.ts';
import { OPERATIONS } from '../../protocol/operations.ts';
import { findRoute } from './router.ts';

describe('a request', () => {
  it.each([
    ['GET', '/suggestions/x', 'review/show', { suggestion_id: 'x' }],
    ['HEAD', '/suggestions', 'review/list', {}],
    ['GET', '/api/agent/jobs/a/events', 'agent/events', { job_id: 'a' }],
    ['GET', '/api/agent/jobs/a%2Fb', 'agent/job', { job_id: 'a/b' }],
    ['GET', '/api/agent/jobs/%', 'agent/job', { job_id: '%' }],
    ['POST', '/api/agent/run', 'agent/run', {}],
    ['POST', '/api/agent/checkpoints/c/rollback', 'agent/rollback', { checkpoint_id: 'c' }],
  ])('%s %s is for a command', (method, path, command, named) => {
    const target = { kind: 'operation', operation: { command } };
    expect(findRoute(method, path)).toMatchObject({ kind: 'found', named, target });
  });

  it.each([
    ['GET', '/api/agent/run', { kind: 'method', allowed: ['POST'] }],
    ['DELETE', '/api/agent/sessions', { kind: 'method', allowed: ['GET', 'HEAD', 'POST'] }],
    ['GET', '/api/agent/jobs/a/b/c', { kind: 'none' }],
    ['GET', '/suggestions/a/b', { kind: 'none' }],
    ['GET', '//evil.example/health', { kind: 'none' }],
    ['GET', '/HEALTH', { kind: 'none' }],
  ])('%s %s is for nothing', (method, path, found) => {
    expect(findRoute(method, path)).toEqual(found);
  });
});

describe('the table', () => {
  it('has each route and each name once, and a field for each parameter in a path', () => {
    const routes = OPERATIONS.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(routes).size).toBe(routes.length);
    expect(new Set(OPERATIONS.map(({ name }) => name)).size).toBe(OPERATIONS.length);
    for (const { command, path, fields } of OPERATIONS) {
      expect(Object.hasOwn(commands, command)).toBe(true);
      for (const [, name] of path.matchAll(/:(\w+)/g)) expect(Object.keys(fields.shape)).toContain(name);
    }
  });

  it('lets an author do everything except the decisions of the reviewer', () => {
    const open = OPERATIONS.filter(({ role }) => role === 'author').map(({ name }) => name);
    expect(open.toSorted()).toEqual(['complete', 'get', 'list', 'publish', 'reply', 'status']);
  });
});
