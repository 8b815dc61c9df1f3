/**
 * Whatever a client sends, it gets an answer, nothing crashes, and the server continues. Whatever an author sends
 * decides nothing and reveals nothing about others.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { OPERATIONS } from '../../../src/protocol/operations.ts';
import { TOOLS } from '../../../src/server/mcp/tools/index.ts';
import { must } from '../../helpers/host-fakes.ts';
import { TestMcp } from '../../helpers/mcp-client.ts';
import { BASE, type Json, patchOf, TestServer } from '../../helpers/suggestion-server.ts';

let server: TestServer;
let known: readonly string[] = [];
let own: Json;
let others: Json[];
beforeAll(async () => {
  server = await TestServer.start();
  own = await server.publish('own', 'intruder');
  others = [await server.publish('of another, secret'), await server.publish('of a third, secret', 'third')];
  const { id, hunks } = await server.publish('x', 'author');
  known = [
    id,
    hunks[0].id,
    hunks[1].id,
    'all',
    'every',
    server.target,
    'accept',
    'modify',
    'discard',
    'working',
  ];
});
afterAll(() => server.stop());

const FIELDS = [
  ...new Set(OPERATIONS.flatMap(({ fields }) => Object.keys(fields.shape))),
  'suggestionId',
  'hunkId',
  'data',
  'constructor',
  'length',
];
const TYPES = [...OPERATIONS.map(({ name }) => name), 'subscribe', 'nonsense', 'toString'];

const value = fc.oneof(
  { weight: 3, arbitrary: fc.nat(9).map((n) => known[n] ?? '') },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
);
const message = fc.record({
  type: fc.constantFrom(...TYPES),
  fields: fc.dictionary(fc.constantFrom(...FIELDS), value, { maxKeys: 6 }),
});

it('by WebSocket', async () => {
  const socket = await server.socket();
  await fc.assert(
    fc.asyncProperty(message, async ({ type, fields }) => {
      const answer = await socket.ask({ ...fields, type });
      expect(typeof answer.success).toBe('boolean');
      if (!answer.success) expect([400, 403, 404, 409]).toContain(answer.status);
    }),
    { seed: 11, numRuns: 300 },
  );
  socket.close();
});

it('by HTTP, as every role', async () => {
  await fc.assert(
    fc.asyncProperty(
      message,
      fc.constantFrom('/suggestions', '/feedback', '/undo', '/complete', '/status'),
      fc.constantFrom('reviewer' as const, 'author' as const),
      async ({ fields }, route, role) => {
        const answer = await server.ask('POST', route, { body: fields, role });
        expect([200, 201, 400, 403, 404, 409]).toContain(answer.status);
      },
    ),
    { seed: 12, numRuns: 300 },
  );
});

it('by queries', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.constantFrom(...FIELDS), fc.string({ unit: 'binary' })),
      async (query) => {
        const search = new URLSearchParams(query).toString();
        for (const route of ['/suggestions', '/suggestions/x', '/health']) {
          expect([200, 400, 404]).toContain((await server.ask('GET', `${route}?${search}`)).status);
        }
      },
    ),
    { seed: 13, numRuns: 100 },
  );
  expect(server.warnings).toEqual([]);
});

/** Fields for a schema: mostly valid, about suggestions that exist; some nonsense. */
function fieldsFor(schema: z.ZodObject): fc.Arbitrary<Json> {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' });
  const isAsked = (name: string) => required.includes(name) || name === 'hunk_id' || name === 'modified_diff';
  return fc.nat(2).chain((which) => {
    const { id, hunks } = [own, ...others][which];
    const known: Record<string, readonly unknown[]> = {
      suggestion_id: [id],
      hunk_id: [hunks[0].id, hunks[1].id, 'all', 'every'],
      working_directory: [server.target],
      modified_diff: [hunks[0].diff],
      patch: [patchOf('f')],
      lines: [{ first: 1, last: 2 }],
      wait_s: [0],
    };
    const entryFor = ([name, field]: [string, Json]): [string, fc.Arbitrary<unknown>] => {
      const fitting = known[name] ?? field.enum ?? VALUES[field.type as string] ?? ['reviewer'];
      const one = fc.oneof(
        { weight: 19, arbitrary: fc.constantFrom(...fitting) },
        { weight: 1, arbitrary: fc.constantFrom(1, null, '', [], {}) },
      );
      return [name, one];
    };
    return fc.record(Object.fromEntries(Object.entries(properties).map(entryFor)), {
      requiredKeys: Object.keys(properties).filter(isAsked),
    });
  });
}

const VALUES: Readonly<Record<string, readonly unknown[]>> = { boolean: [true], integer: [1], string: ['x'] };

const RUNS_OF_EACH = 15;
const sample = <T extends { readonly name: string }>(from: readonly T[], schemaOf: (one: T) => z.ZodObject) =>
  from.flatMap((one) =>
    fc
      .sample(fieldsFor(schemaOf(one)), { seed: 14, numRuns: RUNS_OF_EACH })
      .map((fields) => ({ one, fields })),
  );

it('an author may publish, report, reply, see and withdraw', () => {
  const open = OPERATIONS.filter(({ role }) => role === 'author').map(({ name }) => name);
  expect(open).toEqual(['publish', 'list', 'get', 'reply', 'status', 'complete']);
});

it('an author decides nothing and learns nothing of others, by any operation or tool', async () => {
  const role = 'intruder';
  const socket = await server.socket({ role });
  const ai = await TestMcp.http(server.url, server.token(role));
  // So that there is something to undo.
  for (const { id, hunks } of [own, ...others]) {
    const body = { suggestion_id: id, hunk_id: hunks[1].id, action: 'reject' };
    expect((await server.ask('POST', '/feedback', { body })).status).toBe(200);
  }
  const host = server.client ?? expect.unreachable();
  const hunksOf = () =>
    Promise.all(
      [own, ...others].map(
        async ({ id }) => must(await host.request('review/show', { suggestion: id })).hunks,
      ),
    );
  const before = await hunksOf();
  const isTold = (answer: unknown) => /secret/.test(JSON.stringify(answer));
  for (const [at, { one, fields }] of sample(OPERATIONS, (operation) => operation.fields).entries()) {
    const inPath = one.path.replace(
      /:(\w+)/g,
      (_, name) => encodeURIComponent(String(fields[name] ?? '')) || 'x',
    );
    const query = one.method === 'GET' ? `?${new URLSearchParams(fields)}` : '';
    const sent = { role, ...(one.method === 'GET' ? {} : { body: fields }) };
    const answer =
      at % 2 === 0
        ? await server.ask(one.method, inPath + query, sent)
        : await socket.ask({ type: one.name, data: fields });
    const status = answer.status ?? 200;
    if (one.role === 'reviewer') expect([one.name, status]).toEqual([one.name, 403]);
    expect([200, 201, 400, 403, 404, 409, 429]).toContain(status);
    expect(isTold(answer)).toBe(false);
  }
  for (const { one, fields } of sample(TOOLS, ({ input }) => input)) {
    expect(isTold(await ai.call(one.name, fields).catch(String))).toBe(false);
  }
  expect(isTold(socket.said)).toBe(false);
  socket.close();
  await ai.close();
  expect(await hunksOf()).toEqual(before);
  expect(readFileSync(path.join(server.target, 'f'), 'utf8')).toBe(BASE);
  expect(server.warnings).toEqual([]);
});
