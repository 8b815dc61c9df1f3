/** Git's form of changes to whole files, written by hand: real git makes no malicious patches. */

const lines = (mark: string, text: string) =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => `${mark}${line}\n`)
    .join('');
const count = (text: string) => text.split('\n').length - 1;
const range = (sign: string, text: string) => `${sign}${text === '' ? 0 : 1},${count(text)}`;
const ids = (old: boolean, updated: boolean) =>
  `index ${old ? '1111111' : '0000000'}..${updated ? '2222222' : '0000000'}`;

/** A new file. */
export const created = (path: string, text: string, mode = '100644') =>
  `diff --git a/${path} b/${path}\nnew file mode ${mode}\n${ids(false, true)}\n--- /dev/null\n+++ b/${path}\n@@ ${range('-', '')} ${range('+', text)} @@\n${lines('+', text)}`;

/** A deleted file; the text must be the current one. */
export const deleted = (path: string, text: string, mode = '100644') =>
  `diff --git a/${path} b/${path}\ndeleted file mode ${mode}\n${ids(true, false)}\n--- a/${path}\n+++ /dev/null\n@@ ${range('-', text)} ${range('+', '')} @@\n${lines('-', text)}`;

/** A new text for a whole file. */
export const modified = (path: string, old: string, updated: string) =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ ${range('-', old)} ${range('+', updated)} @@\n${lines('-', old)}${lines('+', updated)}`;

/** A new link. */
export const linked = (path: string, target: string) =>
  `diff --git a/${path} b/${path}\nnew file mode 120000\n${ids(false, true)}\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${target}\n\\ No newline at end of file\n`;

/** A deleted link. */
export const unlinked = (path: string, target: string) =>
  `diff --git a/${path} b/${path}\ndeleted file mode 120000\n${ids(true, false)}\n--- a/${path}\n+++ /dev/null\n@@ -1 +0,0 @@\n-${target}\n\\ No newline at end of file\n`;

/** A link with a new target. */
export const relinked = (path: string, old: string, updated: string) =>
  `diff --git a/${path} b/${path}\nindex 1111111..2222222 120000\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-${old}\n\\ No newline at end of file\n+${updated}\n\\ No newline at end of file\n`;

/** Another name, with the same content. */
export const renamed = (from: string, to: string) =>
  `diff --git a/${from} b/${to}\nsimilarity index 100%\nrename from ${from}\nrename to ${to}\n`;

/** Another mode, with the same content. */
export const moded = (path: string, old: string, updated: string) =>
  `diff --git a/${path} b/${path}\nold mode ${old}\nnew mode ${updated}\n`;

/** One patch of several. */
export const changesOf = (...parts: readonly string[]) => parts.join('');
