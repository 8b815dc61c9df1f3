/** Which language a file is in: by its name, else by the interpreter that its first line names. */
import type { Language } from './language.ts';
import { c, cpp } from './mappers/c.ts';
import { csharp } from './mappers/csharp.ts';
import { css, styles } from './mappers/css.ts';
import { csv, tsv } from './mappers/csv.ts';
import { dart } from './mappers/dart.ts';
import { dockerfile } from './mappers/dockerfile.ts';
import { elixir } from './mappers/elixir.ts';
import { go } from './mappers/go.ts';
import { html } from './mappers/html.ts';
import { java } from './mappers/java.ts';
import { json } from './mappers/json.ts';
import { jsonl } from './mappers/jsonl.ts';
import { kotlin } from './mappers/kotlin.ts';
import { lua } from './mappers/lua.ts';
import { makefile } from './mappers/makefile.ts';
import { markdown } from './mappers/markdown.ts';
import { php } from './mappers/php.ts';
import { plain } from './mappers/plain.ts';
import { python } from './mappers/python.ts';
import { ruby } from './mappers/ruby.ts';
import { rust } from './mappers/rust.ts';
import { scala } from './mappers/scala.ts';
import { shell } from './mappers/shell.ts';
import { sql } from './mappers/sql.ts';
import { swift } from './mappers/swift.ts';
import { toml } from './mappers/toml.ts';
import { javascript, tsx, typescript } from './mappers/typescript.ts';
import { vue } from './mappers/vue.ts';
import { yaml } from './mappers/yaml.ts';
import { zig } from './mappers/zig.ts';

const LANGUAGES: readonly Language[] = [
  typescript,
  tsx,
  javascript,
  python,
  go,
  rust,
  c,
  cpp,
  java,
  kotlin,
  scala,
  swift,
  dart,
  zig,
  elixir,
  csharp,
  ruby,
  php,
  lua,
  shell,
  sql,
  markdown,
  html,
  vue,
  css,
  styles,
  json,
  jsonl,
  yaml,
  toml,
  csv,
  tsv,
  dockerfile,
  makefile,
  plain,
];

/** The language of a file; null when neither name nor first line says. `Dockerfile.dev` counts as a Dockerfile. */
export function languageOf(file: { readonly name: string; readonly firstLine: string }): Language | null {
  const name = file.name.toLowerCase();
  const extension = name.slice(name.lastIndexOf('.') + 1);
  return (
    LANGUAGES.find(({ fileNames }) => fileNames?.includes(name)) ??
    LANGUAGES.find(({ extensions }) => name.includes('.') && extensions.includes(extension)) ??
    LANGUAGES.find(({ fileNames }) => fileNames?.some((known) => name.startsWith(`${known}.`))) ??
    LANGUAGES.find(
      ({ interpreter }) => file.firstLine.startsWith('#!') && interpreter?.test(file.firstLine),
    ) ??
    null
  );
}

/** The grammars that are used; the build ships them. */
export function grammarNames(): readonly string[] {
  return [...new Set(LANGUAGES.flatMap(({ grammar }) => (grammar === undefined ? [] : [grammar.wasm])))];
}
