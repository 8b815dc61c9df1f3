import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Tokens } from './tokens.ts';

let folder = '';
let tokens: Tokens;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'copane-tokens-'));
  tokens = new Tokens(path.join(folder, 'state'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function read(role: 'reviewer' | 'author' = 'reviewer'): string {
  const result = tokens.read(role);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

describe('tokens', () => {
  it('are made once, for their owner alone', () => {
    const token = read();
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(read()).toBe(token);
    expect(new Tokens(path.join(folder, 'state')).read('reviewer')).toEqual({ ok: true, value: token });
    expect(statSync(tokens.fileOf('reviewer')).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(tokens.fileOf('reviewer'))).mode & 0o777).toBe(0o700);
  });

  it('tell roles apart, and nothing else', () => {
    const [reviewer, author] = [read('reviewer'), read('author')];
    expect(tokens.roleOf(reviewer)).toBe('reviewer');
    expect(tokens.roleOf(author)).toBe('author');
    for (const wrong of [
      '',
      ' ',
      reviewer.slice(1),
      `${reviewer}x`,
      reviewer.toLowerCase(),
      'x'.repeat(100_000),
    ]) {
      expect(tokens.roleOf(wrong)).toBeNull();
    }
  });

  it('rotate: the old one is nobody at once, for a server that knew it too', () => {
    const old = read();
    expect(tokens.roleOf(old)).toBe('reviewer');
    const fresh = new Tokens(path.join(folder, 'state')).rotate('reviewer');
    expect(tokens.roleOf(old)).toBeNull();
    expect(fresh.ok && tokens.roleOf(fresh.value)).toBe('reviewer');
  });

  it('that others could read, or that are too short, are replaced', () => {
    const old = read();
    chmodSync(tokens.fileOf('reviewer'), 0o644);
    expect(tokens.roleOf(old)).toBeNull();
    const fresh = read();
    expect(fresh).not.toBe(old);
    writeFileSync(tokens.fileOf('reviewer'), '');
    expect(tokens.roleOf('')).toBeNull();
    expect(read()).toHaveLength(43);
  });

  it('of a folder that is gone, or is none any more, are nobody', () => {
    const token = read();
    rmSync(path.dirname(tokens.fileOf('reviewer')), { recursive: true });
    expect(tokens.roleOf(token)).toBeNull();
    writeFileSync(path.dirname(tokens.fileOf('reviewer')), 'a file');
    expect(tokens.roleOf(token)).toBeNull();
    expect(tokens.read('reviewer')).toMatchObject({ ok: false, error: { code: 'internal' } });
  });

  it('are not read through a link', () => {
    read();
    const secret = path.join(folder, 'secret');
    writeFileSync(secret, 'x'.repeat(43), { mode: 0o600 });
    rmSync(tokens.fileOf('author'), { force: true });
    symlinkSync(secret, tokens.fileOf('author'));
    expect(tokens.roleOf('x'.repeat(43))).toBeNull();
    expect(read('author')).not.toBe('x'.repeat(43));
    expect(readFileSync(secret, 'utf8')).toBe('x'.repeat(43));
  });
});
