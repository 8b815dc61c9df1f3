import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeTree } from '../../../test/helpers/remove-tree.ts';
import { Tokens } from './tokens.ts';
import { DEFAULT_AUTHOR, REVIEWER, type Who } from './who.ts';

const authorNamed = (name: string): Who => ({ role: 'author', name });

let folder = '';
let tokens: Tokens;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'copane-tokens-'));
  tokens = new Tokens(path.join(folder, 'state'));
});
afterEach(() => removeTree(folder));

const AUTHOR = authorNamed(DEFAULT_AUTHOR);

function read(who: Who = REVIEWER): string {
  const result = tokens.read(who);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

describe('tokens', () => {
  it('are created once, readable only by their owner', () => {
    const token = read();
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(read()).toBe(token);
    expect(new Tokens(path.join(folder, 'state')).read(REVIEWER)).toEqual({ ok: true, value: token });
    expect(statSync(tokens.fileOf(REVIEWER)).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(tokens.fileOf(REVIEWER))).mode & 0o777).toBe(0o700);
  });

  it('identify roles, and nothing else', () => {
    const [reviewer, author] = [read(REVIEWER), read(AUTHOR)];
    expect(tokens.whoseIs(reviewer)).toEqual(REVIEWER);
    expect(tokens.whoseIs(author)).toEqual(AUTHOR);
    for (const wrong of [
      '',
      ' ',
      reviewer.slice(1),
      `${reviewer}x`,
      reviewer.toLowerCase(),
      'x'.repeat(100_000),
    ]) {
      expect(tokens.whoseIs(wrong)).toBeNull();
    }
  });

  it('rotate: the old one is invalid at once, even for a server that knew it', () => {
    const old = read();
    expect(tokens.whoseIs(old)).toEqual(REVIEWER);
    const fresh = new Tokens(path.join(folder, 'state')).rotate(REVIEWER);
    expect(tokens.whoseIs(old)).toBeNull();
    expect(fresh.ok && tokens.whoseIs(fresh.value)).toEqual(REVIEWER);
  });

  it('that others could read, or that are too short, are replaced', () => {
    const old = read();
    chmodSync(tokens.fileOf(REVIEWER), 0o644);
    expect(tokens.whoseIs(old)).toBeNull();
    const fresh = read();
    expect(fresh).not.toBe(old);
    writeFileSync(tokens.fileOf(REVIEWER), '');
    expect(tokens.whoseIs('')).toBeNull();
    expect(read()).toHaveLength(43);
  });

  it('of a folder that is gone, or is no longer a folder, are invalid', () => {
    const token = read();
    rmSync(path.dirname(tokens.fileOf(REVIEWER)), { recursive: true });
    expect(tokens.whoseIs(token)).toBeNull();
    writeFileSync(path.dirname(tokens.fileOf(REVIEWER)), 'a file');
    expect(tokens.whoseIs(token)).toBeNull();
    expect(tokens.read(REVIEWER)).toMatchObject({ ok: false, error: { code: 'internal' } });
  });

  it('are not read through a link', () => {
    read();
    const secret = path.join(folder, 'secret');
    writeFileSync(secret, 'x'.repeat(43), { mode: 0o600 });
    rmSync(tokens.fileOf(AUTHOR), { force: true });
    symlinkSync(secret, tokens.fileOf(AUTHOR));
    expect(tokens.whoseIs('x'.repeat(43))).toBeNull();
    expect(read(AUTHOR)).not.toBe('x'.repeat(43));
    expect(readFileSync(secret, 'utf8')).toBe('x'.repeat(43));
  });

  it('of named authors identify them, and are revoked one by one', () => {
    const [ann, ben] = [authorNamed('ann'), authorNamed('ben.2')] as const;
    const [anns, bens] = [read(ann), read(ben)];
    expect([tokens.whoseIs(anns), tokens.whoseIs(bens)]).toEqual([ann, ben]);
    expect(tokens.list()).toEqual([ann, ben]);
    read();
    expect(tokens.list()).toEqual([REVIEWER, ann, ben]);
    const fresh = tokens.rotate(ann);
    expect(tokens.whoseIs(anns)).toBeNull();
    expect(fresh.ok && tokens.whoseIs(fresh.value)).toEqual(ann);
    expect(tokens.revoke('ann')).toEqual({ ok: true, value: true });
    expect(fresh.ok && tokens.whoseIs(fresh.value)).toBeNull();
    expect(tokens.whoseIs(bens)).toEqual(ben);
    expect(tokens.revoke('ann')).toEqual({ ok: true, value: false });
    expect(statSync(path.dirname(tokens.fileOf(ben))).mode & 0o777).toBe(0o700);
  });

  it.each(['', '../reviewer', 'a/b', '.hidden', 'Ann', 'x'.repeat(64), 'a\nb', '__proto__'])(
    'are not created for an author named %j',
    (name) => {
      expect(tokens.read(authorNamed(name))).toMatchObject({ ok: false, error: { code: 'invalid' } });
      expect(tokens.revoke(name)).toEqual({ ok: true, value: false });
    },
  );

  it('of named authors are limited', () => {
    for (let n = 0; n < 100; n++) read(authorNamed(`a${n}`));
    const more = authorNamed('one-too-many');
    expect(tokens.read(more)).toMatchObject({ ok: false, error: { code: 'refused' } });
    read(authorNamed('a99'));
    tokens.revoke('a0');
    read(more);
  });
});
