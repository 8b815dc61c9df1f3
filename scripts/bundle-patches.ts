/**
 * Start-up costs of dependencies, removed while bundling (together a third of the time to the first frame). Each patch
 * names the text it replaces; when a new version no longer has that text, the build fails with a message, so the slow
 * form cannot ship unnoticed.
 */
import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

interface Patch {
  /** The end of the module's path. */
  readonly file: RegExp;
  readonly find: string;
  readonly replace: string;
}

const LAZY_SEGMENTER = (options: string) =>
  `{ segment: (text) => (globalThis.__copaneSegmenter ??= new Intl.Segmenter(${options})).segment(text) }`;

const PATCHES: readonly Patch[] = [
  {
    // `fetch("data:…")` loads all of undici to decode base64, which the module can decode itself.
    file: /yoga-layout\/dist\/binaries\/yoga-wasm-base64-esm\.js$/,
    find: 'function ya(){return w||"function"!=typeof fetch?',
    replace: 'function ya(){return true?',
  },
  {
    file: /yoga-layout\/dist\/binaries\/yoga-wasm-base64-esm\.js$/,
    find: 'var b=xa(a.slice(37)),c=new Uint8Array(b.length);for(a=0;a<b.length;++a)c[a]=b.charCodeAt(a);var d=c',
    replace: 'var d=new Uint8Array(Buffer.from(a.slice(37),"base64"))',
  },
  // The first Intl.Segmenter of a process loads ICU's break rules: only text beyond Latin needs them.
  {
    file: /ink\/build\/line-update\.js$/,
    find: "const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });",
    replace: `const segmenter = ${LAZY_SEGMENTER("undefined, { granularity: 'grapheme' }")};`,
  },
  {
    file: /node_modules\/string-width\/index\.js$/,
    find: 'const segmenter = new Intl.Segmenter();',
    replace: `const segmenter = ${LAZY_SEGMENTER("undefined, { granularity: 'grapheme' }")};`,
  },
  {
    file: /slice-ansi\/tokenize-ansi\.js$/,
    find: "const GRAPHEME_SEGMENTER = new Intl.Segmenter(undefined, {granularity: 'grapheme'});",
    replace: `const GRAPHEME_SEGMENTER = ${LAZY_SEGMENTER("undefined, { granularity: 'grapheme' }")};`,
  },
  {
    file: /wrap-ansi\/index\.js$/,
    find: 'const segmenter = new Intl.Segmenter();',
    replace: `const segmenter = ${LAZY_SEGMENTER("undefined, { granularity: 'grapheme' }")};`,
  },
  {
    file: /@alcalzone\/ansi-tokenize\/build\/tokenize\.js$/,
    find: 'const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });',
    replace: `const segmenter = ${LAZY_SEGMENTER("undefined, { granularity: 'grapheme' }")};`,
  },
  {
    // The theme detects the number of colours itself, and sets chalk's level.
    file: /chalk\/source\/vendor\/supports-color\/index\.js$/,
    find: `const supportsColor = {
	stdout: createSupportsColor({isTTY: tty.isatty(1)}),
	stderr: createSupportsColor({isTTY: tty.isatty(2)}),
};`,
    replace: 'const supportsColor = { stdout: { level: 0 }, stderr: { level: 0 } };',
  },
  {
    file: /chalk\/source\/vendor\/supports-color\/index\.js$/,
    find: "import os from 'node:os';\nimport tty from 'node:tty';\n",
    replace: '',
  },
  {
    // V8 expands the whole set of emoji sequences when the expression is created, even if it is never used.
    file: /node_modules\/string-width\/index\.js$/,
    find: 'const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;',
    replace:
      "const rgiEmojiRegex = { test: (text) => (globalThis.__copaneEmoji ??= new RegExp('^\\\\p{RGI_Emoji}$', 'v')).test(text) };",
  },
  {
    // One box-drawing character or bullet sends a whole line down the segmenter and \p{RGI_Emoji}, which V8
    // compiles at first use. All of these are one cell wide and combine with nothing.
    file: /node_modules\/string-width\/index\.js$/,
    find: 'if (/^[\\u0020-\\u007E]*$/.test(string)) {',
    replace:
      'if (/^[\\u0020-\\u007E\\u00A1-\\u00AC\\u00AE-\\u02FF\\u2010-\\u2027\\u2190-\\u21FF\\u2500-\\u25FC\\u2713-\\u2718]*$/.test(string)) {',
  },
  {
    // pino asks who called it, for transports, which we do not use: Node then reads the source map of the whole bundle.
    file: /node_modules\/pino\/lib\/caller\.js$/,
    find: 'const getCallSites = util.getCallSites ?? util.getCallSite',
    replace: 'const getCallSites = () => []',
  },
];

/** Applies the patches; a patch that finds nothing to replace is a build error. */
export const bundlePatches: Plugin = {
  name: 'bundle-patches',
  setup(build) {
    const filter = new RegExp(PATCHES.map(({ file }) => `(?:${file.source})`).join('|'));
    build.onLoad({ filter }, async ({ path }) => {
      let contents = await readFile(path, 'utf8');
      for (const { file, find, replace } of PATCHES) {
        if (!file.test(path)) continue;
        if (!contents.includes(find))
          return { errors: [{ text: `patch not applicable any more, look again: ${find}` }] };
        contents = contents.replace(find, () => replace);
      }
      return { contents, loader: 'js' };
    });
  },
};
