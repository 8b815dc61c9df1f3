/**
 * Tells the companion what a session does, in the form of `integrations/hooks/copane-hook`: one line an event, in a file
 * that is named after this process. Never in the way: what cannot be written is not told.
 */
import { appendFileSync, existsSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MAX_FILE_BYTES = 1024 * 1024;
const MAX_PROMPT_CHARACTERS = 262_144;

/**
 * A function that tells one event.
 * @param {{ cli: string, folder: string }} options
 * @returns {(name: string, session: { id: string, path?: string | null }, prompt?: string) => void}
 */
export function createHookSpool({ cli, folder }) {
  const file = join(folder, `${cli}-${process.pid}.jsonl`);
  return (name, { id, path = null }, prompt) => {
    const event = { hook_event_name: name, session_id: id, transcript_path: path };
    if (prompt !== undefined && prompt.length <= MAX_PROMPT_CHARACTERS) event.prompt = prompt;
    try {
      if (!existsSync(folder)) return;
      if (existsSync(file) && statSync(file).size > MAX_FILE_BYTES) truncateSync(file);
      appendFileSync(file, `${JSON.stringify({ cli, pid: process.pid, event })}\n`, { mode: 0o600 });
      writeFileSync(join(folder, 'bell'), '', { mode: 0o600 });
    } catch {
      // The AI CLI goes on whatever becomes of copane.
    }
  };
}
