/** Targets of a makefile and of those that it includes, with the comment behind or above them. Runs no make. */

import path from 'node:path';
import { append } from '../../lib/append.ts';
import { readRegular } from '../../platform/regular-file.ts';
import type { Named } from './source.ts';

const MAX_FILE_BYTES = 256 * 1024;
const INCLUDED_MAX = 16;
/** Lines with these words are no rules, even where they hold a colon. */
const DIRECTIVE =
  /^-?\s*(?:s?include|ifn?eq|ifn?def|else|endif|define|endef|export|unexport|override|private|vpath|undefine)(?=[\s("']|$)(?!\s*:)/;

/** The targets in the order of the file: the first is the default one. Files of patterns and of variables are left out. */
export async function makeTargets(text: string, folder: string): Promise<readonly Named[]> {
  const names = [...targetsIn(text)];
  const included = [...text.matchAll(/^-?s?include[ \t]+([^\n#]+)/gm)].flatMap(([, list = '']) =>
    list.trim().split(/\s+/),
  );
  for (const name of included.filter((one) => /^[\w./-]+$/.test(one)).slice(0, INCLUDED_MAX)) {
    const more = await readRegular(path.resolve(folder, name), { maxBytes: MAX_FILE_BYTES }).then(
      String,
      () => '',
    );
    append(names, targetsIn(more));
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
