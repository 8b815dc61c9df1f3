/**
 * Gives bundled modules Node's own ones by `process.getBuiltinModule`. A plain `import` makes Node read every property
 * of such a module, which loads the lazy ones: milliseconds each for `node:fs` and `node:util`, all three standard
 * streams for `node:process`.
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
      // Each property is read alone and only where it is used: reading one may load code.
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
