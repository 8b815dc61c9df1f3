/**
 * Bundles what a start waits for into one file each. The shared chunks that everything else uses are dozens of small
 * files, and finding, reading and linking one costs a start more than running it. Later loads come from the shared
 * chunks; a process may then hold a module twice, so nothing may rely on a single instance.
 */
import path from 'node:path';
import type * as esbuild from 'esbuild';

/** In this order: each may load the ones before it. */
const WHOLE = [
  'src/app/client/lead.ts',
  'src/app/config/load-config.ts',
  'src/app/host-access.ts',
  'src/ui/app/ink.tsx',
  'src/app/tui/tui.ts',
  'src/cli/quick-tui.ts',
  'src/app/responses/sender.ts',
  'src/cli/status.ts',
  'src/cli/pull.ts',
  'src/cli/send.ts',
  'src/cli/append.ts',
  'src/cli/notes.ts',
  'src/cli/review.ts',
  'src/cli/show.ts',
  'src/cli/decide.ts',
  'src/main.ts',
] as const;

/** The outputs, by the module that each was built from. */
type Outputs = Map<string, string>;

export function outputsOf(metafile: esbuild.Metafile): Outputs {
  return new Map(
    Object.entries(metafile.outputs).flatMap(([file, { entryPoint }]) =>
      entryPoint === undefined ? [] : [[entryPoint, path.basename(file)] as const],
    ),
  );
}

/** Adds its files to those in `chunks`, which were built with the same `options`. */
export async function bundleWhole(
  build: typeof esbuild.build,
  options: esbuild.BuildOptions & { readonly absWorkingDir: string },
  chunks: Outputs,
): Promise<readonly esbuild.Metafile[]> {
  const known = new Map(chunks);
  const metafiles: esbuild.Metafile[] = [];
  for (const entry of WHOLE) {
    const { metafile } = await build({
      ...options,
      entryPoints: [entry],
      // A running companion loads later parts from the build that it started with: only the first has a fixed name.
      entryNames: entry === 'src/main.ts' ? '[name]' : '[name]-[hash]',
      metafile: true,
      splitting: false,
      plugins: [...(options.plugins ?? []), loadingLater(options.absWorkingDir, known)],
    });
    for (const [source, file] of outputsOf(metafile)) known.set(source, file);
    metafiles.push(metafile);
  }
  return metafiles;
}

/** Points an `import()` at the file built from the module. */
function loadingLater(root: string, known: Outputs): esbuild.Plugin {
  return {
    name: 'loading-later',
    setup(build) {
      build.onResolve({ filter: /./ }, async ({ path: name, kind, importer, resolveDir, pluginData }) => {
        if (kind !== 'dynamic-import' || pluginData === loadingLater) return undefined;
        const found = await build.resolve(name, { kind, importer, resolveDir, pluginData: loadingLater });
        if (found.external || found.errors.length > 0) return found;
        const file = known.get(path.relative(root, found.path));
        return file === undefined
          ? { errors: [{ text: `nothing was built of ${found.path}` }] }
          : { path: `./${file}`, external: true };
      });
    },
  };
}
