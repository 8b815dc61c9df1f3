/** A session that is one JSON document, rewritten as a whole: read again when it changed, as one line. */
import { smallFile } from './files.ts';
import { parseJson } from './json.ts';
import { RereadLines, type WholeRead } from './reread-lines.ts';

/** A larger document is left to the screen. */
const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

const readDocument: WholeRead = async (file) => {
  const text = await smallFile(file, MAX_DOCUMENT_BYTES);
  if (text === null) return { unavailable: `${file} is too large or cannot be read` };
  const torn = parseJson(text) === undefined;
  return { lines: [{ kind: 'line', text }], pending: null, complete: true, torn };
};

/** The document as a source of one line. */
export function wholeFile(file: string): RereadLines {
  return new RereadLines(file, readDocument);
}
