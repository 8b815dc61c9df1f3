/** Sessions of Claude Code with edits, as its session file has them; with backups and sub-agents beside it. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll } from 'vitest';
import { jsonLines, put, readSession, scratchFolder } from './recorded-session.ts';

const root = scratchFolder();
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** The project of these sessions. */
export const CWD = '/home/dev/project';
const SESSION = '5b1e0000-0000-4000-8000-000000000001';
let count = 0;
let clock = Date.parse('2026-01-01T00:00:00Z');

/** Lines of one session, each the child of the one before. */
export class Lines {
  readonly rows: object[] = [];
  #parent: string | null = null;

  add(row: object, parent = this.#parent): string {
    const uuid = `u${++count}`;
    clock += 10;
    this.rows.push({ uuid, parentUuid: parent, timestamp: new Date(clock).toISOString(), cwd: CWD, ...row });
    this.#parent = uuid;
    return uuid;
  }

  /** The id of the row that comes next. */
  nextId(): string {
    return `u${count + 1}`;
  }

  prompt(text: string, parent = this.#parent): string {
    return this.add({ type: 'user', message: { role: 'user', content: text } }, parent);
  }

  call(name: string, input: object): string {
    const id = `toolu_${++count}`;
    const content = [{ type: 'tool_use', id, name, input }];
    this.add({
      type: 'assistant',
      message: { id: `m${count}`, role: 'assistant', content, stop_reason: 'tool_use' },
    });
    return id;
  }

  result(
    id: string,
    toolUseResult: unknown,
    { hasNotRun = false, ...more }: { hasNotRun?: boolean } & Record<string, unknown> = {},
  ): void {
    const isError = typeof toolUseResult === 'string';
    const said = hasNotRun ? `<tool_use_error>${toolUseResult}</tool_use_error>` : 'said';
    const content = [{ type: 'tool_result', tool_use_id: id, content: said, is_error: isError }];
    this.add({ type: 'user', message: { role: 'user', content }, toolUseResult, ...more });
  }

  edit(file: string, step: { old: string; put: string; original: string | null; more?: object }): void {
    const filePath = path.join(CWD, file);
    const id = this.call('Edit', { file_path: filePath, old_string: step.old, new_string: step.put });
    this.result(id, {
      filePath,
      oldString: step.old,
      newString: step.put,
      originalFile: step.original,
      structuredPatch: [],
      userModified: false,
      replaceAll: false,
      ...step.more,
    });
  }

  write(file: string, content: string, original: string | null, more: object = {}): void {
    const filePath = path.join(CWD, file);
    const id = this.call('Write', { file_path: filePath, content });
    const type = original === null ? 'create' : 'update';
    this.result(id, {
      type,
      filePath,
      content,
      structuredPatch: [],
      originalFile: original,
      userModified: false,
      ...more,
    });
  }

  done(): void {
    const content = [{ type: 'text', text: 'Done.' }];
    this.add({
      type: 'assistant',
      message: { id: `m${++count}`, role: 'assistant', content, stop_reason: 'end_turn' },
    });
  }

  backup(prompt: string, file: string, name: string | null): void {
    const backup = { backupFileName: name, version: 1, realParentDir: CWD };
    this.rows.push({
      type: 'file-history-delta',
      messageId: 'x',
      snapshotMessageId: prompt,
      trackingPath: file,
      backup,
    });
  }

  snapshot(prompt: string, backups: Readonly<Record<string, string | null>>, row = prompt): void {
    const trackedFileBackups = Object.fromEntries(
      Object.entries(backups).map(([file, name]) => [
        file,
        { backupFileName: name, version: 1, realParentDir: CWD },
      ]),
    );
    this.rows.push({
      type: 'file-history-snapshot',
      messageId: row,
      snapshot: { messageId: prompt, trackedFileBackups, timestamp: new Date(clock).toISOString() },
    });
  }
}

interface Beside {
  readonly backups?: Readonly<Record<string, string>>;
  readonly agents?: Readonly<Record<string, Lines>>;
}

/** The edits of the session in these lines, with the backups and sub-agents that lie beside it. */
export async function readLines(lines: Lines, { backups = {}, agents = {} }: Beside = {}) {
  const config = path.join(root, `config-${++count}`);
  const project = path.join(config, 'projects', 'p');
  for (const [name, content] of Object.entries(backups))
    put(path.join(config, 'file-history', SESSION, name), content);
  for (const [id, own] of Object.entries(agents))
    put(
      path.join(project, SESSION, 'subagents', `agent-${id}.jsonl`),
      jsonLines(own.rows.map((row) => ({ ...row, isSidechain: true }))),
    );
  const file = put(path.join(project, `${SESSION}.jsonl`), jsonLines(lines.rows));
  return readSession('claude', file, SESSION);
}
