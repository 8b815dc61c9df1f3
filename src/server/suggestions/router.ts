/** Maps requests to commands: the routes of the command table, and the server's own. */
import { PatternRouter } from 'hono/router/pattern-router';
import { OPERATIONS, type Operation } from '../../protocol/operations.ts';

export type Target =
  | { readonly kind: 'health' }
  | { readonly kind: 'events' }
  /** A WebSocket request without an upgrade. */
  | { readonly kind: 'socket' }
  /** MCP by streamable HTTP. */
  | { readonly kind: 'mcp' }
  | { readonly kind: 'operation'; readonly operation: Operation };

export interface ServerRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly target: Target;
  readonly summary: string;
}

const route = (
  method: ServerRoute['method'],
  path: string,
  kind: Exclude<Target['kind'], 'operation'>,
  summary: string,
): ServerRoute => ({ method, path, target: { kind }, summary });

export const SERVER_ROUTES: readonly ServerRoute[] = [
  route('GET', '/health', 'health', 'Reports that the server runs, its version and its state. Open to all.'),
  route('GET', '/events', 'events', 'Sends events as they happen, as SSE.'),
  route('GET', '/ws', 'socket', 'Upgrades to a WebSocket, for the same events and for all requests.'),
  route(
    'POST',
    '/mcp',
    'mcp',
    'Speaks MCP by streamable HTTP, for AI CLIs. Publishes and reports; decides nothing, whatever the token.',
  ),
];

export type Found =
  | {
      readonly kind: 'found';
      readonly target: Target;
      /** The fields in the path. */
      readonly named: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'method'; readonly allowed: readonly string[] }
  | { readonly kind: 'none' };

const METHODS = ['GET', 'POST'] as const;

const ROUTER = createRouter();

function createRouter(): PatternRouter<Target> {
  const router = new PatternRouter<Target>();
  for (const { method, path, target } of SERVER_ROUTES) router.add(method, path, target);
  for (const operation of OPERATIONS)
    router.add(operation.method, operation.path, { kind: 'operation', operation });
  return router;
}

/** Finds the target of a request. `HEAD` is the same as `GET` without the body. */
export function findRoute(method: string, pathname: string): Found {
  const hit = match(method === 'HEAD' ? 'GET' : method, pathname);
  if (hit !== null) return { kind: 'found', ...hit };
  const allowed = METHODS.filter((one) => match(one, pathname) !== null);
  if (allowed.length === 0) return { kind: 'none' };
  return { kind: 'method', allowed: allowed.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one])) };
}

function match(method: string, pathname: string): { target: Target; named: Record<string, string> } | null {
  // The router ignores a trailing slash; here it makes a different path.
  if (pathname.endsWith('/')) return null;
  const [found] = ROUTER.match(method, pathname)[0];
  if (found === undefined) return null;
  const [target, params] = found as [Target, Readonly<Record<string, string>>];
  const named = Object.entries(params).map(([name, segment]) => [name, decoded(segment)]);
  return { target, named: Object.fromEntries(named) };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // A stray percent sign: no such id.
    return segment;
  }
}
