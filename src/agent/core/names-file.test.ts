import { describe, expect, it } from 'vitest';
import { namesFile } from './names-file.ts';

describe('namesFile', () => {
  it.each([
    ['read build/out.log', true],
    ['what is in `build/out.log`?', true],
    ['@build/out.log', true],
    ['see ./build/out.log.', true],
    ['(build/out.log)', true],
    ['read build/out.log.bak', false],
    ['read other/build/out.log', false],
    ['read xbuild/out.log', false],
    ['read the build', false],
  ])('%j: %s', (text, named) => expect(namesFile(text, 'build/out.log')).toBe(named));
});
