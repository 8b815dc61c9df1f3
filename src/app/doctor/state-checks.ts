/** Checks of copane's own state: the state folder, the database, the configuration, and the leader. */

import { randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { completionSocketFile } from '../../completion/start.ts';
import { errorMessage } from '../../lib/result.ts';
import { processState } from '../../platform/process-state.ts';
import { inspectSocket, isServed } from '../../platform/socket-file.ts';
import { markDamage } from '../../store/damage.ts';
import { peekLeader } from '../../store/leader-record.ts';
import { damagedCopies } from '../../store/salvage.ts';
import { SCHEMA_VERSION, schemaVersionOf } from '../../store/schema.ts';
import { connect, DamageError, isDamage, storageFailure } from '../../store/sqlite.ts';
import { databaseFileOf } from '../../store/store.ts';
import { formatProblem } from '../config/parse-config.ts';
import { type Check, type CheckReport, type DoctorContext, report } from './check.ts';

const STATE_FOLDER_HINT = 'Make it writable for you, or set XDG_STATE_HOME to a folder of your own.';

function missingStateFolder(folder: string): CheckReport {
  const why = whyNotCreatable(folder);
  return why === null
    ? report('state folder', 'ok', `${folder} (made at the first start)`)
    : report('state folder', 'fail', `${folder} cannot be made: ${why}`, STATE_FOLDER_HINT);
}

export const stateFolderCheck: Check = {
  name: 'state folder',
  look: async ({ paths }) => {
    const folder = paths.stateDir;
    const found = statSync(folder, { throwIfNoEntry: false });
    if (found === undefined) return [missingStateFolder(folder)];
    const probe = path.join(folder, `.doctor-${randomUUID()}`);
    try {
      writeFileSync(probe, '', { mode: 0o600, flag: 'wx' });
      rmSync(probe);
    } catch (thrown) {
      const failure = storageFailure(thrown, probe);
      return report(
        'state folder',
        'fail',
        failure?.message ?? errorMessage(thrown),
        failure?.hint ?? STATE_FOLDER_HINT,
      );
    }
    if ((found.mode & 0o077) !== 0) {
      return report('state folder', 'warn', `${folder} is open to others`, `chmod 700 ${folder}`);
    }
    return report('state folder', 'ok', folder);
  },
};

export const databaseCheck: Check = {
  name: 'database',
  look: async ({ paths }) => {
    const file = databaseFileOf(paths.stateDir);
    const found = existsSync(file) ? inspectDatabase(file) : report('database', 'ok', 'none yet');
    return [found, ...keptCopies(file)];
  },
};

function inspectDatabase(file: string): CheckReport {
  let database: DatabaseSync | null = null;
  try {
    database = connect(file, { readOnly: true });
    const found = schemaVersionOf(database);
    if (found > SCHEMA_VERSION) {
      return report('database', 'fail', `written by a newer copane (schema ${found})`, 'Update this copane.');
    }
    const problems = database.prepare('PRAGMA quick_check(1)').get()?.quick_check;
    if (problems !== 'ok') throw new DamageError(String(problems));
    return report('database', 'ok', `${file}, schema ${found}`);
  } catch (thrown) {
    if (isDamage(thrown)) markDamage(file, errorMessage(thrown));
    const failure = storageFailure(thrown, file);
    if (failure !== null) return report('database', 'fail', failure.message, failure.hint ?? null);
    return report('database', 'fail', `${file} cannot be read (${errorMessage(thrown)})`);
  } finally {
    database?.close();
  }
}

/** Reports copies of damaged databases, which stay until the user deletes them. */
function keptCopies(databaseFile: string): readonly CheckReport[] {
  const hint = 'Delete it with "copane state --purge salvage" when you do not need it.';
  return damagedCopies(databaseFile).map(({ sentence }) => report('database', 'warn', sentence, hint));
}

export const configCheck: Check = {
  name: 'configuration',
  look: async ({ paths, config }) => {
    if (config.problems.length > 0) {
      return config.problems.map((problem) => report('configuration', 'warn', formatProblem(problem)));
    }
    const source = existsSync(paths.configFile) ? paths.configFile : `defaults (no ${paths.configFile})`;
    return report('configuration', 'ok', source);
  },
};

export const hostCheck: Check = {
  name: 'host',
  look: async (context) => {
    const socket = inspectSocket(context.paths.socketFile);
    if (!socket.ok) return report('host', 'fail', socket.error.message, socket.error.hint ?? null);
    const folder = path.dirname(context.paths.socketFile);
    const why = existsSync(folder) ? null : whyNotCreatable(folder);
    if (why !== null) {
      const hint = 'Set COPANE_SOCKET to a path in a folder of your own.';
      return report('host', 'fail', `its socket's folder ${folder} cannot be made: ${why}`, hint);
    }
    return [await whoLeads(context)];
  },
};

/** The host runs without completions if another user owns their socket's path, which is often in /tmp. */
export const completionsCheck: Check = {
  name: 'completions',
  look: async ({ env }) => {
    const file = completionSocketFile(env);
    const socket = inspectSocket(file, 'ASHLET_SOCKET');
    if (socket.ok) return report('completions', 'ok', `the shell asks at ${file}`);
    const { message, hint = null } = socket.error;
    return report('completions', 'warn', `off: ${message}`, hint);
  },
};

async function whoLeads({ paths, version }: DoctorContext): Promise<CheckReport> {
  const leader = peekLeader(databaseFileOf(paths.stateDir));
  const state = leader === null ? 'gone' : await processState(leader.pid);
  if (leader === null || state === 'gone') {
    if (!(await isServed(paths.socketFile))) return report('host', 'ok', 'no background service is running');
    const hint = 'Use the same XDG_STATE_HOME everywhere, or give one of them its own COPANE_SOCKET.';
    return report(
      'host',
      'warn',
      `${paths.socketFile} is served by a copane with another state folder`,
      hint,
    );
  }
  const who = `pid ${leader.pid}, version ${leader.version}`;
  if (state === 'stopped') {
    return report(
      'host',
      'warn',
      `the leader is suspended (${who})`,
      `Continue it: kill -CONT ${leader.pid}, or fg in its shell.`,
    );
  }
  if (!(await isServed(leader.socketPath))) return report('host', 'ok', 'no background service is running');
  if (leader.version !== version) {
    return report(
      'host',
      'warn',
      `the leader is another version (${who}; this is ${version})`,
      'Restart it when it suits you.',
    );
  }
  return report('host', 'ok', `${who}, at ${leader.socketPath}`);
}

/** Why the folder could not be created, as a sentence; null if it could. */
function whyNotCreatable(folder: string): string | null {
  const parent = path.dirname(folder);
  const found = statSync(parent, { throwIfNoEntry: false });
  if (found === undefined) return parent === folder ? null : whyNotCreatable(parent);
  if (!found.isDirectory()) return `${parent} is a file`;
  try {
    accessSync(parent, constants.W_OK | constants.X_OK);
    return null;
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : null;
    if (code === 'EROFS') return `${parent} is on a file system that is read-only`;
    return code === 'EACCES' || code === 'EPERM' ? `you may not write in ${parent}` : errorMessage(thrown);
  }
}
