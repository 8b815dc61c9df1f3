/** Here-documents of a command line: their texts are input of a command, not commands. */
import { unquoted } from './quoting.ts';
import { tokenize } from './tokens.ts';

/** Beyond this, the rest is read as commands. */
const DOCUMENTS_MAX = 16;

const isDocument = (redirection: string): boolean => /^\d*<<(?!<)/.test(redirection);

export interface Documents {
  /** The line without the texts. */
  readonly code: string;
  readonly texts: readonly string[];
}

/** Removes the texts of all here-documents from `line`, in order. An unterminated `<<` may be a shift and is kept. */
export function cutDocuments(line: string): Documents {
  let code = line;
  const texts: string[] = [];
  while (texts.length < DOCUMENTS_MAX) {
    const tokens = tokenize(code);
    const starts = tokens
      .filter(({ kind, text }) => kind === 'redirect' && isDocument(text))
      .slice(texts.length);
    const [first] = starts;
    const lineEnd = first && tokens.find(({ text, start }) => text.startsWith('\n') && start > first.start);
    if (lineEnd === undefined) break;
    let rest = code.slice(lineEnd.start + 1);
    for (const { text, start, target } of starts.filter((one) => one.start < lineEnd.start)) {
      const document = takeDocument(rest, unquoted(text.slice(target - start)), text.includes('<<-'));
      texts.push(document.text);
      rest = document.rest;
    }
    code = `${code.slice(0, lineEnd.start)}\n${rest}`;
  }
  return { code, texts };
}

function takeDocument(text: string, delimiter: string, isIndented: boolean): { text: string; rest: string } {
  const lines = text.split('\n');
  const end = lines.findIndex((one) => (isIndented ? one.replace(/^\t+/, '') : one) === delimiter);
  if (end === -1) return { text: '', rest: text };
  return { text: lines.slice(0, end).join('\n'), rest: lines.slice(end + 1).join('\n') };
}
