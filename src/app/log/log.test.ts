import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryHome } from '../../../test/helpers/host-fakes.ts';
import { createLog, LogFile, logFileOf } from './create-log.ts';

let home: ReturnType<typeof temporaryHome>;
let file: string;
beforeEach(() => {
  home = temporaryHome();
  file = logFileOf(home.paths.stateDir);
});
afterEach(() => home.remove());

const linesOf = (text: string) => text.split('\n').filter((line) => line !== '');

describe('LogFile', () => {
  it('rotates above the limit, not at it', () => {
    const log = new LogFile(file, 10);
    log.write('12345678\n');
    log.write('\n');
    expect(existsSync(`${file}.1`)).toBe(false);
    log.write('x\n');
    expect(readFileSync(`${file}.1`, 'utf8')).toBe('12345678\n\n');
    expect(readFileSync(file, 'utf8')).toBe('x\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    log.close();
  });

  it('follows a file that another process rotated, and does not rotate the new one', () => {
    const first = new LogFile(file, 10);
    first.write('123456789\n');
    renameSync(file, `${file}.1`);
    writeFileSync(file, 'new\n');
    first.write('y\n');
    expect(readFileSync(file, 'utf8')).toBe('new\ny\n');
    expect(readFileSync(`${file}.1`, 'utf8')).toBe('123456789\n');
    first.close();
  });

  it('loses lines instead of failing, and logs how many', () => {
    mkdirSync(path.dirname(home.paths.stateDir), { recursive: true });
    writeFileSync(home.paths.stateDir, 'a file in the way');
    const log = new LogFile(file);
    log.write('one\n');
    log.write('two\n');
    rmSync(home.paths.stateDir);
    log.write('three\n');
    expect(linesOf(readFileSync(file, 'utf8'))).toEqual([
      '{"level":40,"msg":"2 log lines were lost"}',
      'three',
    ]);
    log.close();
  });
});

it('gives up if a folder cannot be created for an unusual reason, as in /proc', {
  skip: process.platform !== 'linux',
}, () => {
  const log = new LogFile('/proc/copane/state/copane.log');
  log.write('one\n');
  log.close();
});

describe('createLog', () => {
  it('writes lines at or above its level in order, and creates no file before the first', async () => {
    const log = createLog({ stateDir: home.paths.stateDir, level: 'info' });
    log.debug('not this');
    await log.flush();
    expect(existsSync(file)).toBe(false);
    log.info('first', { epoch: 3 });
    log.error('second');
    await log.flush();
    log.warn('third');
    const written = linesOf(readFileSync(file, 'utf8')).map((line) => JSON.parse(line));
    expect(written.map(({ msg, level, epoch }) => [msg, level, epoch])).toEqual([
      ['first', 30, 3],
      ['second', 50, undefined],
      ['third', 40, undefined],
    ]);
    log.close();
  });

  it('writes nothing when silent, except a crash', async () => {
    const log = createLog({ stateDir: home.paths.stateDir, level: 'silent' });
    log.error('no');
    await log.flush();
    expect(existsSync(file)).toBe(false);
    log.crash('a defect', new Error('boom'));
    const [line] = linesOf(readFileSync(file, 'utf8'));
    expect(JSON.parse(String(line))).toMatchObject({ level: 60, msg: 'a defect' });
    expect(line).toContain('boom');
    log.close();
  });
});
