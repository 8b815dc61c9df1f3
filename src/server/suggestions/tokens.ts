/**
 * The two tokens of the suggestion server, one file each, readable by their owner alone. Made at the first start;
 * a new one takes the old one's place by rename. A file that others could read is not trusted and is replaced.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { linkSync, lstatSync, readFileSync, renameSync, rmSync, type Stats, writeFileSync } from 'node:fs';
import path from 'node:path';
import { errorMessage, fail, ok, type Result } from '../../lib/result.ts';
import { ensurePrivateFolder } from '../../platform/private-files.ts';
import type { Role } from '../../protocol/suggestion-wire.ts';

const TOKEN_BYTES = 32;
const TOKEN_MAX_CHARACTERS = 200;
const ROLES: readonly Role[] = ['reviewer', 'author'];

interface Known {
  /** Inode and time of change: another file stands there when they differ. */
  readonly stamp: string;
  readonly digest: Buffer;
}

export class Tokens {
  readonly #stateDir: string;
  readonly #known = new Map<Role, Known>();

  constructor(stateDir: string) {
    this.#stateDir = stateDir;
  }

  fileOf(role: Role): string {
    return path.join(this.#stateDir, `${role}.token`);
  }

  /** The token of a role; made when there is none. */
  read(role: Role): Result<string> {
    return this.#attempt(role, () => {
      ensurePrivateFolder(this.#stateDir);
      return this.#readFile(role) ?? this.#make(role);
    });
  }

  /** A new token; the old one opens nothing from now on. */
  rotate(role: Role): Result<string> {
    return this.#attempt(role, () => {
      ensurePrivateFolder(this.#stateDir);
      const token = newToken();
      renameSync(this.#writeTemporary(role, token), this.fileOf(role));
      return token;
    });
  }

  /** Makes both where they are missing. */
  ensure(): Result<void> {
    for (const role of ROLES) {
      const made = this.read(role);
      if (!made.ok) return made;
    }
    return ok(undefined);
  }

  /** Whose token it is; null for nobody's. Takes the same time whatever it is. */
  roleOf(presented: string): Role | null {
    if (presented.length > TOKEN_MAX_CHARACTERS) return null;
    const digest = digestOf(presented);
    const matching = ROLES.filter((role) => {
      const expected = this.#digestOrNull(role);
      return expected !== null && timingSafeEqual(expected, digest);
    });
    return matching[0] ?? null;
  }

  /** A file that cannot be read is nobody's token: the server stands, and lets nobody in. */
  #digestOrNull(role: Role): Buffer | null {
    try {
      return this.#digest(role);
    } catch (thrown) {
      if (thrown instanceof Error && 'code' in thrown) return null;
      throw thrown;
    }
  }

  #digest(role: Role): Buffer | null {
    const found = look(this.fileOf(role));
    if (found === null || !isTrusted(found)) return null;
    const stamp = `${found.ino} ${found.ctimeMs} ${found.size}`;
    const known = this.#known.get(role);
    if (known?.stamp === stamp) return known.digest;
    const token = this.#readFile(role);
    if (token === null) return null;
    const digest = digestOf(token);
    this.#known.set(role, { stamp, digest });
    return digest;
  }

  #readFile(role: Role): string | null {
    const found = look(this.fileOf(role));
    if (found === null || !isTrusted(found)) return null;
    const token = readFileSync(this.fileOf(role), 'utf8').trim();
    return token.length >= TOKEN_BYTES && token.length <= TOKEN_MAX_CHARACTERS ? token : null;
  }

  /** Whoever links first has made it; what is not trusted gives way. */
  #make(role: Role): string {
    const file = this.fileOf(role);
    const token = newToken();
    const temporary = this.#writeTemporary(role, token);
    try {
      if (look(file) !== null) {
        renameSync(temporary, file);
        return token;
      }
      linkSync(temporary, file);
      return token;
    } catch (thrown) {
      const others = this.#readFile(role);
      if (others === null) throw thrown;
      return others;
    } finally {
      rmSync(temporary, { force: true });
    }
  }

  #writeTemporary(role: Role, token: string): string {
    const temporary = `${this.fileOf(role)}.${process.pid}.${randomBytes(4).toString('hex')}`;
    writeFileSync(temporary, `${token}\n`, { flag: 'wx', mode: 0o600 });
    return temporary;
  }

  #attempt(role: Role, work: () => string): Result<string> {
    try {
      return ok(work());
    } catch (thrown) {
      const why = errorMessage(thrown);
      return fail('internal', `The token file ${this.fileOf(role)} cannot be used (${why}).`);
    }
  }
}

/** A plain file of ours that nobody else may read. */
function isTrusted(found: Stats): boolean {
  return found.isFile() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0;
}

function look(file: string): Stats | null {
  return lstatSync(file, { throwIfNoEntry: false }) ?? null;
}

function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
