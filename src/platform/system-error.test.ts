import { constants } from 'node:os';
import { expect, it } from 'vitest';
import { fileFailure, systemCode, systemWords } from './system-error.ts';

const thrown = (code: string, errno = 0) => Object.assign(new Error(code), { code, errno });

it('finds the code, even if Node has no name for the number', () => {
  expect(systemCode(thrown('ENOENT', -2))).toBe('ENOENT');
  for (const name of ['EDQUOT', 'ENOLCK', 'ESTALE'] as const)
    expect(systemCode(thrown('UNKNOWN', -constants.errno[name]))).toBe(name);
  expect(systemCode(thrown('UNKNOWN', -12345))).toBe('UNKNOWN');
  expect(systemCode(new Error('a defect'))).toBe(null);
});

it('says what happened and what helps', () => {
  for (const code of ['ENOSPC', 'EDQUOT', 'EIO', 'EMFILE', 'ENFILE', 'ENOLCK', 'EROFS', 'EACCES', 'ENOMEM']) {
    const { what, hint = '' } = systemWords(code);
    expect(`${what} ${hint}`).not.toContain(code);
    expect(hint).toMatch(/^[A-Z].*\.$/);
  }
  expect(fileFailure(thrown('ENOSPC'), 'src/a.ts').error).toEqual({
    code: 'refused',
    message: 'src/a.ts: the disk is full. The file is as it was.',
    hint: 'Free some space, then try again.',
  });
  expect(systemWords('EWHATEVER').what).toContain('EWHATEVER');
  expect(() => fileFailure(new Error('a defect'), 'f')).toThrow('a defect');
});
