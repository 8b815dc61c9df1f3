/** Recognizes generated files by their names. Pure. */
import { wordList } from './word-list.ts';

const NAMES: ReadonlySet<string> = new Set(
  wordList(`
  package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock cargo.lock
  gemfile.lock podfile.lock composer.lock poetry.lock pdm.lock pipfile.lock uv.lock pixi.lock conda-lock.yml
  go.sum go.work.sum flake.lock mix.lock pubspec.lock packages.lock.json paket.lock gradle.lockfile
  package.resolved cartfile.resolved cabal.project.freeze stack.yaml.lock rebar.lock module.bazel.lock
  .terraform.lock.hcl .pnp.cjs .pnp.loader.mjs lazy-lock.json
`),
);

const ENDING =
  /(\.min\.(js|mjs|cjs|css)|\.(js|mjs|cjs|css)\.map|[._]pb\.(go|cc|h|rb|js|ts|swift)|_pb2(_grpc)?\.pyi?|\.pb\.gw\.go|\.(g|freezed|gr|mocks)\.dart|\.(generated|gen)\.[a-z0-9]+|_generated\.[a-z0-9]+|\.designer\.cs|\.g\.cs|\.snap)$/;

/** Whether `path` (separated by `/`) is a lockfile or another generated file. */
export function isGeneratedFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return NAMES.has(name) || ENDING.test(name);
}
