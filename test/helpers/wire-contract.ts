/**
 * Checks live traffic against the documents that clients are made from: HTTP answers against `docs/openapi.json`,
 * stream messages against `docs/asyncapi.json`. An undocumented field is a fault, too.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { findRoute, type Target } from '../../src/server/suggestions/router.ts';

export type Schema = Readonly<Record<string, unknown>>;
interface Answers {
  readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
}

const DOCS = path.resolve(import.meta.dirname, '../../docs');
/** A generated document. */
export const readDocument = (file: string) => JSON.parse(readFileSync(path.join(DOCS, file), 'utf8'));
const openApi = readDocument('openapi.json');
const asyncApi = readDocument('asyncapi.json');
const known = new Map<string, z.ZodType>();

/** Throws when an answer does not match the document. */
export function checkAnswer(method: string, target: string, status: number, body: unknown): void {
  const found = findRoute(method, pathOf(target));
  if (found.kind !== 'found' || found.target.kind === 'mcp') return;
  const template = templateOf(target, found.target);
  const operation = openApi.paths[template][method === 'HEAD' ? 'get' : method.toLowerCase()];
  const named = operation.responses[status];
  if (named === undefined)
    throw new Error(`${method} ${template} answers ${status}, which is not documented`);
  const response = (named.$ref === undefined ? named : at(openApi, named.$ref)) as Answers;
  const schema = response.content['application/json']?.schema ?? {};
  checkAgainst(`${method} ${template} ${status}`, schema, openApi.components.schemas, body);
}

/** The path in the document's form. */
function templateOf(url: string, target: Target): string {
  if (target.kind === 'operation') return target.operation.path.replace(/:(\w+)/g, '{$1}');
  return pathOf(url);
}

const pathOf = (target: string) => new URL(`http://localhost${target}`).pathname;

/** Throws when a stream message does not match the document. */
export function checkMessage(message: { readonly type?: unknown }): void {
  const described = asyncApi.components.messages[String(message.type)];
  if (described === undefined) throw new Error(`the message ${String(message.type)} is not documented`);
  checkAgainst(String(message.type), described.payload, asyncApi.components.schemas, message);
}

/** Throws unless a response's `data` is what HTTP returns for the same operation. */
export function checkResponse(operationId: string, data: unknown): void {
  for (const methods of Object.values(openApi.paths) as Record<string, Schema>[]) {
    for (const [method, operation] of Object.entries(methods)) {
      if (operation.operationId !== operationId) continue;
      const responses = operation.responses as Record<string, Answers>;
      const status = Object.keys(responses).find((one) => one.startsWith('2')) ?? '';
      const schema = responses[status]?.content['application/json']?.schema ?? {};
      checkAgainst(`${method} ${operationId}`, schema, openApi.components.schemas, data);
    }
  }
}

/** Throws when a value does not match its schema; `what` names the schema. */
export function checkAgainst(what: string, schema: Schema, schemas: Schema, value: unknown): void {
  let parser = known.get(what);
  if (parser === undefined) {
    const whole = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema, $defs: schemas };
    parser = z.fromJSONSchema(strict(whole) as never) as z.ZodType;
    known.set(what, parser);
  }
  const parsed = parser.safeParse(value);
  if (parsed.success) return;
  const text = JSON.stringify(value).slice(0, 1_000);
  throw new Error(`${what} is not as documented:\n${z.prettifyError(parsed.error)}\n${text}`);
}

/** The same schema, but unnamed fields are not allowed. */
function strict(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strict);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, field]): [string, unknown] => [
    name,
    name === '$ref' ? String(field).replace('#/components/schemas/', '#/$defs/') : strict(field),
  ]);
  const isClosed = 'properties' in value && !('additionalProperties' in value);
  return Object.fromEntries(isClosed ? [...entries, ['additionalProperties', false]] : entries);
}

/** The target of a reference inside a document. */
function at(document: Schema, ref: string): unknown {
  return ref
    .slice(2)
    .split('/')
    .reduce<unknown>((here, key) => (here as Schema)[key], document);
}
