/** Paths of the HTTP interface, as data. */
import type { OperationName } from './operations.ts';

export type Target =
  | { readonly kind: 'health' }
  | { readonly kind: 'events' }
  /** The WebSocket, asked for without an upgrade. */
  | { readonly kind: 'socket' }
  /** MCP by streamable HTTP. */
  | { readonly kind: 'mcp' }
  | { readonly kind: 'operation'; readonly name: OperationName };

interface Route {
  readonly method: 'GET' | 'POST';
  /** `:id` stands for one segment. */
  readonly path: string;
  readonly target: Target;
  readonly summary: string;
}

const operation = (name: OperationName): Target => ({ kind: 'operation', name });

/** The order is the order of the documentation. */
export const ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/health',
    target: { kind: 'health' },
    summary: 'Whether the server is there. Open.',
  },
  { method: 'GET', path: '/suggestions', target: operation('list'), summary: 'What waits for a review.' },
  {
    method: 'GET',
    path: '/suggestions/:id',
    target: operation('get'),
    summary: 'One suggestion with its hunks.',
  },
  {
    method: 'POST',
    path: '/suggestions',
    target: operation('publish'),
    summary: 'Offers a change for review.',
  },
  { method: 'POST', path: '/feedback', target: operation('feedback'), summary: 'Decides on a hunk.' },
  {
    method: 'POST',
    path: '/undo',
    target: operation('undo'),
    summary: 'Takes the last decision on a hunk back.',
  },
  { method: 'POST', path: '/complete', target: operation('complete'), summary: 'Ends a suggestion.' },
  {
    method: 'POST',
    path: '/status',
    target: operation('status'),
    summary: 'Tells what the author is doing.',
  },
  { method: 'GET', path: '/events', target: { kind: 'events' }, summary: 'Events as they happen, as SSE.' },
  {
    method: 'GET',
    path: '/ws',
    target: { kind: 'socket' },
    summary: 'The same and all requests, by WebSocket.',
  },
  {
    method: 'POST',
    path: '/mcp',
    target: { kind: 'mcp' },
    summary:
      'MCP by streamable HTTP, for AI CLIs. Publishes and reports; decides nothing, whatever the token.',
  },
];

export type Found =
  | { readonly kind: 'found'; readonly target: Target; readonly id: string | null }
  | { readonly kind: 'method'; readonly allowed: readonly string[] }
  | { readonly kind: 'none' };

/** What a request is for. `HEAD` is what `GET` is, without the body. */
export function findRoute(method: string, pathname: string): Found {
  const matching = ROUTES.flatMap((route) => {
    const id = matchPath(route.path, pathname);
    return id === false ? [] : [{ route, id }];
  });
  if (matching.length === 0) return { kind: 'none' };
  const wanted = method === 'HEAD' ? 'GET' : method;
  const hit = matching.find(({ route }) => route.method === wanted);
  if (hit !== undefined) return { kind: 'found', target: hit.route.target, id: hit.id };
  const allowed = matching.flatMap(({ route }) =>
    route.method === 'GET' ? ['GET', 'HEAD'] : [route.method],
  );
  return { kind: 'method', allowed };
}

/** The `:id` of a match, null for a path without one, false for no match. */
function matchPath(pattern: string, pathname: string): string | null | false {
  if (!pattern.endsWith('/:id')) return pattern === pathname ? null : false;
  const prefix = pattern.slice(0, -':id'.length);
  const rest = pathname.startsWith(prefix) ? pathname.slice(prefix.length) : '';
  if (rest === '' || rest.includes('/')) return false;
  try {
    return decodeURIComponent(rest);
  } catch {
    // A stray percent sign: no such id.
    return rest;
  }
}
