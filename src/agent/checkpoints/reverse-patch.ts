/** The reverse of a hunk, as text to show and send. */

const HEADER = /^@@ -(\S+) \+(\S+) @@/;

/** The unified diff of one hunk with its sides exchanged; a change in words stays as it is. */
export function reversePatch(diff: string): string {
  const [header = '', ...body] = diff.split('\n');
  const ranges = HEADER.exec(header);
  if (ranges === null) return diff;
  const lines: string[] = [];
  let removed: string[] = [];
  let added: string[] = [];
  const flush = () => {
    lines.push(...removed, ...added);
    removed = [];
    added = [];
  };
  let previous = '';
  for (const line of body) {
    if (line.startsWith('+')) removed.push(`-${line.slice(1)}`);
    else if (line.startsWith('-')) added.push(`+${line.slice(1)}`);
    else if (line.startsWith('\\')) {
      // It belongs to the line above it, whichever side that went to.
      (previous.startsWith('+') ? removed : previous.startsWith('-') ? added : lines).push(line);
    } else {
      flush();
      lines.push(line);
    }
    previous = line;
  }
  flush();
  // The text ends with a line end: the empty piece behind it stays last.
  return [`@@ -${ranges[2]} +${ranges[1]} @@`, ...lines].join('\n');
}
