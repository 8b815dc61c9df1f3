/** JSON Schemas of the protocol's objects, with the named ones in one place, and examples. */
import * as z from 'zod';

export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
}

/** Fields that are milliseconds internally and ISO 8601 in the agent's answers. */
const TIMES = new Set(['created_at', 'updated_at', 'started_at', 'finished_at', 'asked_at', 'ts']);

/** Collects the named schemas, to be placed under `prefix` of one document. */
export class SchemaBook {
  readonly #named: Record<string, JsonSchema> = {};
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  get named(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries(Object.entries(this.#named).sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** The schema of a request (`input`: fields with a default are optional) or of an answer. */
  add(schema: z.ZodType, io: 'input' | 'output', options: { readonly isoTimes?: boolean } = {}): JsonSchema {
    const made = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema & {
      $schema?: string;
      $defs?: Record<string, JsonSchema>;
    };
    const { $schema: _, $defs = {}, ...rest } = made;
    const finish = (one: JsonSchema) => {
      const open = this.#tidy(one) as JsonSchema;
      return options.isoTimes ? (withIsoTimes(open) as JsonSchema) : open;
    };
    for (const [name, one] of Object.entries($defs)) this.#named[name] = finish(one);
    return finish(rest);
  }

  /** Allows unknown fields in an answer: a newer server may send more. */
  #tidy(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((one) => this.#tidy(one));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, field]) => {
        if (name === 'id' && typeof field === 'string') return [];
        if (name === 'additionalProperties' && field === false) return [];
        if (name === '$ref' && typeof field === 'string')
          return [[name, field.replace('#/$defs/', this.#prefix)]];
        return [[name, this.#tidy(field)]];
      }),
    );
  }

  /** The schema behind a reference, if it is one. */
  resolve(schema: JsonSchema): JsonSchema {
    if (schema.$ref === undefined) return schema;
    return this.#named[schema.$ref.slice(this.#prefix.length)] ?? {};
  }

  /** An example: the one in the field, its default, or the plainest value that fits. */
  exampleOf(given: JsonSchema): unknown {
    const schema = this.resolve(given);
    if (schema.examples?.[0] !== undefined) return schema.examples[0];
    if (schema.default !== undefined) return schema.default;
    if (schema.const !== undefined) return schema.const;
    if (schema.enum !== undefined) return schema.enum[0];
    const [first] = schema.anyOf ?? schema.oneOf ?? [];
    if (first !== undefined) return this.exampleOf(first);
    if (schema.type === 'array') return schema.items === undefined ? [] : [this.exampleOf(schema.items)];
    if (schema.type === 'object') return this.#exampleObject(schema);
    if (schema.type === 'integer' || schema.type === 'number') return Math.max(1, schema.minimum ?? 1);
    if (schema.type === 'boolean') return false;
    if (schema.type === 'null') return null;
    return schema.format === 'date-time' ? '2026-01-31T12:00:00.000Z' : 'text';
  }

  #exampleObject({ properties = {}, required = [] }: JsonSchema): Record<string, unknown> {
    const shown = Object.entries(properties).filter(
      ([name, field]) => required.includes(name) || field.examples !== undefined,
    );
    return Object.fromEntries(shown.map(([name, field]) => [name, this.exampleOf(field)]));
  }
}

/** The same as sent: times as text, except inside an event's body. */
function withIsoTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withIsoTimes);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, field]): [string, unknown] => {
    if (name !== 'properties') return [name, withIsoTimes(field)];
    const properties = Object.entries(field as Record<string, JsonSchema>).map(([property, schema]) => [
      property,
      TIMES.has(property) ? isoTime(schema) : property === 'data' ? schema : withIsoTimes(schema),
    ]);
    return [name, Object.fromEntries(properties)];
  });
  return Object.fromEntries(entries);
}

function isoTime(schema: JsonSchema): JsonSchema {
  const time = { type: 'string', format: 'date-time' };
  const isNullable = schema.anyOf?.some(({ type }) => type === 'null') ?? false;
  return isNullable ? { anyOf: [time, { type: 'null' }] } : time;
}
