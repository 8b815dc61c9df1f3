import { expect, it } from 'vitest';
import { slim } from './extract-specs.ts';

it('keeps every name of a subcommand once', () => {
  const subcommands = [
    { name: ['install', 'i', 'up', 'constructor'], options: [{ name: ['--save', '-S'] }] },
    { name: 'up' },
    { name: ['update', 'up'] },
    { name: ['old', 'o'], hidden: true },
  ];
  expect(JSON.parse(JSON.stringify(slim({ subcommands })))).toEqual({
    s: { install: { o: ['--save', '-S'] }, i: 'install', up: {}, constructor: 'install', update: {} },
  });
});
