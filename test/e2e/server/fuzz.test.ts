/**
 * Whatever a client says, it is answered, nothing fails by a defect, and the server goes on. Whatever an author says
 * decides nothing, and tells it nothing of others.
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

/** Fields for a schema: of the right names, with words that the schema names, ids that exist, and nonsense. */
function fieldsFor(schema: z.ZodObject): fc.Arbitrary<Json> {
  const words = [...JSON.stringify(z.toJSONSchema(schema, { io: 'input' })).matchAll(/"enum":(\[[^\]]*\])/g)];
  const enums: string[] = words.flatMap(([, list = '[]']) => JSON.parse(list));
  const likely: Record<string, () => readonly unknown[]> = {
    suggestion_id: () => [own, ...others].map(({ id }) => id),
    hunk_id: () => [...[own, ...others].map(({ hunks }) => hunks[0].id), 'all', 'every'],
    working_directory: () => [server.target],
    modified_diff: () => [own.hunks[0].diff],
    patch: () => [patchOf('f')],
    lines: () => [{ first: 1, last: 2 }],
    wait_s: () => [0],
  };
  const values = (name: string) =>
    fc.oneof(
      { weight: 6, arbitrary: fc.nat(9).map((n) => pick(likely[name]?.() ?? enums, n)) },
      { weight: 1, arbitrary: fc.constantFrom(1, true, null, '', 'reviewer', [], {}) },
    );
  return fc.record(Object.fromEntries(Object.keys(schema.shape).map((name) => [name, values(name)])), {
    requiredKeys: Object.keys(schema.shape).filter((name) => Object.hasOwn(likely, name)),
  });
}

const pick = (from: readonly unknown[], at: number) => (from.length === 0 ? 'x' : from[at % from.length]);

const byOperation = fc
  .constantFrom(...OPERATIONS)
  .chain((operation) => fieldsFor(operation.fields).map((fields) => ({ operation, fields })));
const byTool = fc
  .constantFrom(...TOOLS)
  .chain(({ name, input }) => fieldsFor(input).map((fields) => ({ name, fields })));

it('an author decides nothing and learns nothing of others, by any operation or tool', async () => {
  const role = 'intruder';
  const socket = await server.socket({ role });
  const ai = await TestMcp.http(server.url, server.token(role));
  const isTold = (answer: unknown) => /secret/.test(JSON.stringify(answer));
  await fc.assert(
    fc.asyncProperty(byOperation, fc.boolean(), async ({ operation, fields }, isHttp) => {
      const { name, method, path: route, role: least } = operation;
      const inPath = route.replace(/:(\w+)/g, (_, field) =>
        encodeURIComponent(String(fields[field] ?? '') || 'x'),
      );
      const query = method === 'GET' ? `?${new URLSearchParams(fields)}` : '';
      const sent = { role, ...(method === 'GET' ? {} : { body: fields }) };
      const answer = isHttp
        ? await server.ask(method, inPath + query, sent)
        : await socket.ask({ type: name, data: fields });
      const status = answer.status ?? 200;
      if (least === 'reviewer') expect([name, status]).toEqual([name, 403]);
      expect([200, 201, 400, 403, 404, 409, 429]).toContain(status);
      expect(isTold(answer)).toBe(false);
    }),
    { seed: 14, numRuns: 400 },
  );
  await fc.assert(
    fc.asyncProperty(byTool, async ({ name, fields }) => {
      expect(isTold(await ai.call(name, fields).catch(String))).toBe(false);
    }),
    { seed: 15, numRuns: 100 },
  );
  expect(isTold(socket.said)).toBe(false);
  socket.close();
  await ai.close();
  const show = async (suggestion: string) =>
    must(await (server.client ?? expect.unreachable()).request('review/show', { suggestion }));
  for (const { id, hunks } of [own, ...others]) {
    const { decidedCount, hunks: after, status } = await show(id);
    expect([decidedCount, after.map(({ comments }: Json) => comments)]).toEqual([0, hunks.map(() => [])]);
    if (id !== own.id) expect(status).toBe('pending');
  }
  expect(readFileSync(path.join(server.target, 'f'), 'utf8')).toBe(BASE);
  expect(server.warnings).toEqual([]);
});
