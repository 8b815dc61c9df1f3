import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SHUTDOWN_DEADLINE_MS, Shutdown } from './shutdown.ts';

class FakeProcess extends EventEmitter {
  readonly exits: number[] = [];
  exit(code: number): void {
    this.exits.push(code);
  }
}

function setUp() {
  const process = new FakeProcess();
  const story: string[] = [];
  const shutdown = new Shutdown({
    process,
    reportDefect: (thrown) => story.push(`defect ${String(thrown)}`),
    onDisposeError: (name, message) => story.push(`${name} failed: ${message}`),
  });
  const add = (phase: Parameters<typeof shutdown.add>[0], name: string) =>
    shutdown.add(phase, name, () => {
      story.push(name);
    });
  return { process, story, shutdown, add };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('order', () => {
  it('restores the terminal first, then closes work, host and log, newest first', async () => {
    const { process, story, shutdown, add } = setUp();
    add('log', 'log');
    add('host', 'host');
    add('work', 'old work');
    add('work', 'new work');
    add('terminal', 'screen');
    await shutdown.exit(0);
    expect(story).toEqual(['screen', 'new work', 'old work', 'host', 'log']);
    expect(process.exits).toEqual([0]);
  });

  it('continues when a disposer fails', async () => {
    const { process, story, shutdown, add } = setUp();
    add('log', 'log');
    shutdown.add('work', 'bad', () => Promise.reject(new Error('stuck')));
    shutdown.add('terminal', 'worse', () => {
      throw new Error('EIO');
    });
    await shutdown.exit(4);
    expect(story).toEqual(['worse failed: EIO', 'bad failed: stuck', 'log']);
    expect(process.exits).toEqual([4]);
  });

  it('skips unregistered disposers, and closes only once', async () => {
    const { process, story, shutdown, add } = setUp();
    add('work', 'gone')();
    add('work', 'stays');
    await Promise.all([shutdown.exit(0), shutdown.exit(1)]);
    expect(story).toEqual(['stays']);
    expect(process.exits).toEqual([0]);
  });
});

describe('ways out', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])('%s → %i', async (signal, code) => {
    const { process, story, add } = setUp();
    add('host', 'host');
    process.emit(signal);
    await vi.waitFor(() => expect(process.exits).toEqual([code]));
    expect(story).toEqual(['host']);
  });

  it.each(['uncaughtException', 'unhandledRejection'])(
    '%s: restores the screen, then reports',
    async (event) => {
      const { process, story, add } = setUp();
      add('host', 'host');
      add('terminal', 'screen');
      process.emit(event, 'boom');
      await vi.waitFor(() => expect(process.exits).toEqual([1]));
      expect(story).toEqual(['screen', 'defect boom', 'host']);
    },
  );

  it('restores the terminal when other code calls process.exit', () => {
    const { process, story, add } = setUp();
    add('terminal', 'screen');
    add('host', 'host');
    process.emit('exit', 0);
    expect(story).toEqual(['screen']);
  });

  it('exits at once on the second signal', () => {
    const { process, shutdown } = setUp();
    shutdown.add('host', 'slow', () => new Promise(() => undefined));
    process.emit('SIGTERM');
    expect(process.exits).toEqual([]);
    process.emit('SIGINT');
    expect(process.exits).toEqual([130]);
  });

  it('exits at the deadline, not before', async () => {
    const { process, shutdown } = setUp();
    shutdown.add('host', 'slow', () => new Promise(() => undefined));
    process.emit('SIGTERM');
    await vi.advanceTimersByTimeAsync(SHUTDOWN_DEADLINE_MS - 1);
    expect(process.exits).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(process.exits).toEqual([143]);
  });

  it('handles no signal after detach', () => {
    const { process, shutdown } = setUp();
    shutdown.detach();
    process.emit('SIGTERM');
    expect(process.eventNames()).toEqual([]);
  });
});
