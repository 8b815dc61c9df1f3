/**
 * How bundled modules get Node's own: by `process.getBuiltinModule`. A plain `import` has Node read every property of
 * such a module, which loads what is behind the lazy ones: of `node:fs` and `node:util` milliseconds each, of
 * `node:process` all three standard streams.
 */
import { isBuiltin } from 'node:module';
import type { Plugin } from 'esbuild';

export const builtinModules: Plugin = {
  name: 'builtin-modules',
  setup(build) {
    build.onResolve({ filter: /./ }, ({ path, kind }) =>
      kind === 'import-statement' && isBuiltin(path) ? { path, namespace: 'builtin' } : undefined,
    );
    build.onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => {
      const names = Object.keys(process.getBuiltinModule(path) ?? {}).filter((name) =>
        /^[A-Za-z_]\w*$/.test(name),
      );
      // Each is taken by itself and only where it is used: to take one out of the module may be to load it.
      const exported = names.map((name) => `const x_${name} = /* @__PURE__ */ (() => builtin.${name})();`);
      return {
        contents: [
          `const builtin = /* @__PURE__ */ process.getBuiltinModule('${path}');`,
          ...exported,
          `export { ${['builtin as default', ...names.filter((name) => name !== 'default').map((name) => `x_${name} as ${name}`)].join(', ')} };`,
        ].join('\n'),
      };
    });
  },
};
