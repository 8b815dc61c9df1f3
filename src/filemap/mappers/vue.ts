/** Vue and Svelte: the sections of the file, and the symbols of its scripts. */
import type { OpenSymbol, Outline } from '../core/outline.ts';
import type { Language } from '../language.ts';
import { SCRIPT_GRAMMAR } from './typescript.ts';

/** A section from its opening to its closing tag, both at the beginning of a line. */
const SECTION = /^<(template|script|style)\b[^>]*>[\s\S]*?^<\/\1>/gm;

/** Blanks out everything but the scripts. */
function scriptsAlone(source: string): string {
  let text = '';
  let at = 0;
  for (const { index, 0: whole, 1: tag } of source.matchAll(SECTION)) {
    if (tag !== 'script') continue;
    const start = index + whole.indexOf('>') + 1;
    const end = index + whole.lastIndexOf('</');
    text += blank(source.slice(at, start)) + source.slice(start, end);
    at = end;
  }
  return text + blank(source.slice(at));
}

const blank = (text: string) => text.replace(/[^\n]/g, ' ');

function withSections(outline: Outline, source: string): Outline {
  const sections = [...source.matchAll(SECTION)].map(({ index, 0: whole }): OpenSymbol => {
    const startLine = source.slice(0, index).split('\n').length;
    const name = /^<([^>]*)>/.exec(whole)?.[1] ?? '';
    return { name, kind: 'element', startLine, endLine: startLine + whole.split('\n').length - 1 };
  });
  for (const section of sections) {
    const children = outline.symbols.filter(
      ({ startLine }) => startLine >= section.startLine && startLine <= section.endLine,
    );
    if (children.length > 0) section.children = children as OpenSymbol[];
  }
  return { ...outline, symbols: sections };
}

export const vue: Language = {
  name: 'Vue',
  extensions: ['vue', 'svelte'],
  grammar: { ...SCRIPT_GRAMMAR, wasm: 'typescript', prepare: scriptsAlone, finish: withSections },
};
