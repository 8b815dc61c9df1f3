/// <reference path="../../node_modules/node-pty/node-pty.d.ts" />

/** The package is installed under its short name; its types declare themselves under the long one. */
declare module 'node-pty' {
  export * from '@lydell/node-pty';
}
