/**
 * The access tokens of the suggestion server, one file each, readable only by their owner: the reviewer's, an unnamed
 * author's, and one for every named author. The first two are created at the first start; a new token replaces the old
 * one by rename. A file that others could read is not trusted and is replaced.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { linkSync, lstatSync, readdirSync, renameSync, rmSync, type Stats, writeFileSync } from 'node:fs';
import path from 'node:path';
import { errorMessage, fail, ok, type Result } from '../../lib/result.ts';
import { ensurePrivateFolder } from '../../platform/private-files.ts';
import { readRegularSync } from '../../platform/regular-file.ts';
import { AUTHOR_NAME, authorOf, DEFAULT_AUTHOR, REVIEWER, type Who } from './who.ts';

const TOKEN_FILE_MAX_BYTES = 4 * 1024;

const TOKEN_BYTES = 32;
const TOKEN_MAX_CHARACTERS = 200;
const TOKEN_FILE = '.token';
/** Limit of named authors. */
const AUTHORS_MAX = 100;

interface Known {
  /** Inode and change time: if they differ, it is another file. */
  readonly stamp: string;
  readonly digest: Buffer;
}

export class Tokens {
  readonly #stateDir: string;
  /** By file. */
  readonly #known = new Map<string, Known>();

  constructor(stateDir: string) {
    this.#stateDir = stateDir;
  }

  fileOf(who: Who): string {
    const name = authorOf(who);
    return name === null || name === DEFAULT_AUTHOR
      ? path.join(this.#stateDir, `${who.role}${TOKEN_FILE}`)
      : path.join(this.#authorsDir, `${name}${TOKEN_FILE}`);
  }

  /** The token of a reviewer or author; created on first use. */
  read(who: Who): Result<string> {
    return this.#attempt(who, () => this.#readFile(this.fileOf(who)) ?? this.#make(this.fileOf(who)));
  }

  /** Makes a new token; the old one is invalid from now on. */
  rotate(who: Who): Result<string> {
    return this.#attempt(who, () => {
      const file = this.fileOf(who);
      const token = newToken();
      renameSync(writeTemporary(file, token), file);
      return token;
    });
  }

  /** Revokes a named author's token. Returns whether there was one. */
  revoke(name: string): Result<boolean> {
    const who: Who = { role: 'author', name };
    if (name === DEFAULT_AUTHOR)
      return fail('refused', 'The nameless author cannot be revoked.', 'Rotate its token.');
    const file = this.fileOf(who);
    if (!AUTHOR_NAME.test(name) || look(file) === null) return ok(false);
    try {
      rmSync(file);
      return ok(true);
    } catch (thrown) {
      return fail('internal', `The token file ${file} cannot be removed (${errorMessage(thrown)}).`);
    }
  }

  /** Everyone with a token. */
  list(): readonly Who[] {
    return [REVIEWER, ...this.#authors()].filter((who) => look(this.fileOf(who)) !== null);
  }

  /** Creates the tokens of the reviewer and of the unnamed author if they are missing. */
  ensure(): Result<void> {
    for (const who of [REVIEWER, NAMELESS]) {
      const made = this.read(who);
      if (!made.ok) return made;
    }
    return ok(undefined);
  }

  /** The owner of a token; null if it is invalid. Takes constant time. */
  whoseIs(presented: string): Who | null {
    if (presented.length > TOKEN_MAX_CHARACTERS) return null;
    const digest = digestOf(presented);
    const matching = [REVIEWER, ...this.#authors()].filter((who) => {
      const expected = this.#digestOrNull(this.fileOf(who));
      return expected !== null && timingSafeEqual(expected, digest);
    });
    return matching[0] ?? null;
  }

  get #authorsDir(): string {
    return path.join(this.#stateDir, 'authors');
  }

  /** The unnamed author, and those with a file. */
  #authors(): readonly Who[] {
    const names = namesIn(this.#authorsDir).filter(
      (name) => AUTHOR_NAME.test(name) && name !== DEFAULT_AUTHOR,
    );
    return [NAMELESS, ...names.sort().map((name): Who => ({ role: 'author', name }))];
  }

  /** An unreadable file is an invalid token: the server keeps running. */
  #digestOrNull(file: string): Buffer | null {
    try {
      return this.#digest(file);
    } catch (thrown) {
      if (thrown instanceof Error && 'code' in thrown) return null;
      throw thrown;
    }
  }

  #digest(file: string): Buffer | null {
    const found = look(file);
    if (found === null || !isTrusted(found)) return null;
    const stamp = `${found.ino} ${found.ctimeMs} ${found.size}`;
    const known = this.#known.get(file);
    if (known?.stamp === stamp) return known.digest;
    const token = this.#readFile(file);
    if (token === null) return null;
    const digest = digestOf(token);
    this.#known.set(file, { stamp, digest });
    return digest;
  }

  #readFile(file: string): string | null {
    const found = look(file);
    if (found === null || !isTrusted(found)) return null;
    const token = String(readRegularSync(file, { noLink: true, maxBytes: TOKEN_FILE_MAX_BYTES })).trim();
    return token.length >= TOKEN_BYTES && token.length <= TOKEN_MAX_CHARACTERS ? token : null;
  }

  /** The process that links first wins; an untrusted file is replaced. */
  #make(file: string): string {
    const token = newToken();
    const temporary = writeTemporary(file, token);
    try {
      if (look(file) !== null) {
        renameSync(temporary, file);
        return token;
      }
      linkSync(temporary, file);
      return token;
    } catch (thrown) {
      const others = this.#readFile(file);
      if (others === null) throw thrown;
      return others;
    } finally {
      rmSync(temporary, { force: true });
    }
  }

  #attempt(who: Who, work: () => string): Result<string> {
    const name = authorOf(who);
    if (name !== null && !AUTHOR_NAME.test(name)) {
      return fail(
        'invalid',
        `"${name.slice(0, 80)}" cannot name an author.`,
        'Use up to 63 lowercase letters, digits, dots, dashes and underscores.',
      );
    }
    try {
      const isNew = look(this.fileOf(who)) === null;
      if (isNew && this.#authors().length > AUTHORS_MAX) {
        return fail('refused', `${AUTHORS_MAX} authors have tokens already.`, 'Revoke one of them first.');
      }
      ensurePrivateFolder(this.#stateDir);
      ensurePrivateFolder(path.dirname(this.fileOf(who)));
      return ok(work());
    } catch (thrown) {
      const why = errorMessage(thrown);
      return fail('internal', `The token file ${this.fileOf(who)} cannot be used (${why}).`);
    }
  }
}

const NAMELESS: Who = { role: 'author', name: DEFAULT_AUTHOR };

/** Names of the token files in a folder; none if it does not exist. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((file) => file.endsWith(TOKEN_FILE))
      .map((file) => file.slice(0, -TOKEN_FILE.length));
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown) return [];
    throw thrown;
  }
}

function writeTemporary(file: string, token: string): string {
  const temporary = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(temporary, `${token}\n`, { flag: 'wx', mode: 0o600 });
  return temporary;
}

/** Whether it is our regular file that nobody else may read. */
function isTrusted(found: Stats): boolean {
  return found.isFile() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0;
}

const look = (file: string): Stats | null => lstatSync(file, { throwIfNoEntry: false }) ?? null;

const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();
