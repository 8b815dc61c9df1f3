/**
 * Records a companion's inputs and outputs (key bytes, results of every port, times) as JSON lines to replay.
 * Only if the user sets `COPANE_RECORD_SESSION=FILE`, because the file holds prompts and answers.
 */
import { appendFileSync, writeFileSync } from 'node:fs';
import type { Controller } from '../../ui/app/controller.ts';
import { composeFrame, planFrame } from '../../ui/app/frame.ts';
import type { UiPorts } from '../../ui/app/ports.ts';
import { rowPlainText, type Size } from '../../ui/kit/row.ts';
import { createTheme } from '../../ui/kit/theme/theme.ts';

/** One line of a recording; `at` is ms since the epoch. `members`: all methods of the ports, as `review.look.read`. */
export type RecordedEvent = { readonly at: number } & (
  | { readonly is: 'start'; readonly size: Size; readonly members: readonly string[] }
  | { readonly is: 'size'; readonly size: Size }
  | { readonly is: 'keys'; readonly bytes: string }
  /** The value that a method returns from now on. */
  | { readonly is: 'value'; readonly of: string; readonly value: unknown }
  /** The `call`-th promise of a method is fulfilled. */
  | { readonly is: 'done'; readonly of: string; readonly call: number; readonly value: unknown }
  /** The listeners of a method are called. */
  | { readonly is: 'told'; readonly of: string; readonly args: readonly unknown[] }
  /** The last frame, without colours. */
  | { readonly is: 'frame'; readonly lines: readonly string[] }
);

type Unstamped<E> = E extends unknown ? Omit<E, 'at'> : never;
type RecordEvent = (event: Unstamped<RecordedEvent>) => void;

interface RecordedTerminal {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
}

export interface Recording {
  readonly ports: UiPorts;
  /** Writes the final frame of `model`. */
  readonly end: (model: Controller['model']) => void;
}

/** Starts the file anew, readable only by its owner; returns ports to use in place of these. */
export function recordSession(file: string, ports: UiPorts, { stdin, stdout }: RecordedTerminal): Recording {
  writeFileSync(file, '', { mode: 0o600 });
  const record: RecordEvent = (event) =>
    appendFileSync(file, `${JSON.stringify({ at: ports.clock.now(), ...event }, withCollections)}\n`);
  const size = () => ({ columns: stdout.columns, rows: stdout.rows });
  const names = Object.keys(ports).filter((name) => isRecorded(ports, name));
  const members = names.flatMap((name) => membersOf(name, ports[name as keyof UiPorts] as object));
  record({ is: 'start', size: size(), members });
  // Records a key before its effects.
  stdin.prependListener('data', (bytes: Buffer) => record({ is: 'keys', bytes: bytes.toString('utf8') }));
  stdout.prependListener('resize', () => record({ is: 'size', size: size() }));
  return {
    ports: recordPorts(ports, record),
    end: (model) => record({ is: 'frame', lines: plainFrame(model) }),
  };
}

function plainFrame(model: Controller['model']): readonly string[] {
  const { state, facts } = model.get();
  const theme = createTheme({ depth: 'none', background: 'dark', ascii: false, plain: false });
  const rows = composeFrame(planFrame(state, facts, theme), theme);
  return rows.map((row) => rowPlainText(row).trimEnd());
}

function membersOf(name: string, port: object): readonly string[] {
  const names = new Set<string>();
  for (let each = port; each !== Object.prototype; each = Object.getPrototypeOf(each))
    for (const key of Object.getOwnPropertyNames(each)) if (key !== 'constructor') names.add(key);
  return [...names].flatMap((key) => {
    const member: unknown = Reflect.get(port, key);
    if (typeof member === 'function') return [`${name}.${key}`];
    return isPort(member) ? membersOf(`${name}.${key}`, member) : [];
  });
}

function isPort(member: unknown): member is object {
  if (typeof member !== 'object' || member === null) return false;
  return Object.values(member).some((each) => typeof each === 'function');
}

function isRecorded(ports: UiPorts, name: string): boolean {
  return name !== 'clock' && typeof ports[name as keyof UiPorts] === 'object';
}

/** JSON has no Map or Set. */
function withCollections(_key: string, value: unknown): unknown {
  if (value instanceof Map) return { $map: [...value] };
  return value instanceof Set ? { $set: [...value] } : value;
}

/** Wraps the ports to record their results. Leaves the clock and non-port members alone. */
function recordPorts(ports: UiPorts, record: RecordEvent): UiPorts {
  const wrapped = Object.entries(ports).map(([name, port]) =>
    isRecorded(ports, name) ? [name, recordPort(name, port, record)] : [name, port],
  );
  return Object.fromEntries(wrapped) as UiPorts;
}

type Method = (...args: readonly unknown[]) => unknown;

function recordPort(name: string, port: object, record: RecordEvent): unknown {
  const methods = new Map<string | symbol, Method>();
  return new Proxy(port, {
    get(target, key) {
      const inner: unknown = Reflect.get(target, key, target);
      if (isPort(inner)) return recordPort(`${name}.${String(key)}`, inner, record);
      if (typeof inner !== 'function') return inner;
      const known = methods.get(key) ?? recordMethod(`${name}.${String(key)}`, inner.bind(target), record);
      methods.set(key, known);
      return known;
    },
  });
}

function recordMethod(of: string, inner: Method, record: RecordEvent): Method {
  let [calls, last, written]: [number, unknown, string | undefined] = [0, undefined, ''];
  return (...args) => {
    const wrapped = args.map((arg) => {
      if (typeof arg !== 'function') return arg;
      return (...news: readonly unknown[]) => {
        record({ is: 'told', of, args: news });
        return arg(...news);
      };
    });
    const given = inner(...wrapped);
    if (given instanceof Promise) {
      const call = calls++;
      return given.then((value) => {
        record({ is: 'done', of, call, value });
        return value;
      });
    }
    if (given === last || typeof given === 'function') return given;
    const before = written;
    [last, written] = [given, JSON.stringify(given, withCollections)];
    if (written !== before) record({ is: 'value', of, value: given });
    return given;
  };
}
