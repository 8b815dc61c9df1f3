/** Whatever a client says, it is answered, nothing fails by a defect, and the server goes on. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { OPERATIONS } from '../../../src/protocol/operations.ts';
import { TestServer } from '../../helpers/suggestion-server.ts';

let server: TestServer;
let known: readonly string[] = [];
beforeAll(async () => {
  server = await TestServer.start();
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
