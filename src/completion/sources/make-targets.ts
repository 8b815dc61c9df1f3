/** Reads the targets of a makefile and its includes, with the comment after or above each. Does not run make. */

import path from 'node:path';
import { append } from '../../lib/append.ts';
import { readTextOf } from '../../platform/regular-file.ts';
import type { Named } from './source.ts';

const MAX_FILE_BYTES = 256 * 1024;
const INCLUDED_MAX = 16;
/** Lines with these words are no rules, even with a colon. */
const DIRECTIVE =
  /^-?\s*(?:s?include|ifn?eq|ifn?def|else|endif|define|endef|export|unexport|override|private|vpath|undefine)(?=[\s("']|$)(?!\s*:)/;

/** Targets in file order, the default one first, without patterns and variables. */
export async function makeTargets(text: string, folder: string): Promise<readonly Named[]> {
  const names = [...targetsIn(text)];
  const included = [...text.matchAll(/^-?s?include[ \t]+([^\n#]+)/gm)].flatMap(([, list = '']) =>
    list.trim().split(/\s+/),
  );
  for (const name of included.filter((one) => /^[\w./-]+$/.test(one)).slice(0, INCLUDED_MAX)) {
    append(names, targetsIn(await readTextOf(path.resolve(folder, name), MAX_FILE_BYTES)));
  }
  return names;
}

function* targetsIn(text: string): Iterable<Named> {
  let comment = '';
  for (const line of text.replaceAll('\\\n', ' ').split('\n')) {
    const rule = DIRECTIVE.test(line) ? null : /^([^\s#:=][^:=#]*)::?(?![:=])(.*)$/.exec(line);
    if (line.startsWith('#')) comment = line.replace(/^#+/, '').trim();
    else {
      const behind = /##\s*(.*)$/.exec(rule?.[2] ?? '')?.[1];
      const description = behind ?? comment;
      for (const name of rule?.[1]?.trim().split(/\s+/) ?? [])
        if (/^[A-Za-z0-9_][\w./+-]*$/.test(name)) yield { name, description };
      comment = '';
    }
  }
}
