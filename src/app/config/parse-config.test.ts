import { describe, expect, it } from 'vitest';
import { CONFIG_KEYS, configSchema } from '../../protocol/config.ts';
import { formatProblem, parseConfig } from './parse-config.ts';

const FILE = '/c/config.jsonc';
const DEFAULTS = configSchema.parse({});

function parse(text: string | null, env: Record<string, string> = {}) {
  return parseConfig({ file: FILE, text, env });
}

const problemsOf = (text: string, env: Record<string, string> = {}) =>
  parse(text, env).problems.map(formatProblem);

describe('values and origins', () => {
  it('uses the defaults for unset keys', () => {
    const { config, origins, problems } = parse(null);
    expect(config).toEqual(DEFAULTS);
    expect(problems).toEqual([]);
    expect(Object.keys(origins)).toEqual([...CONFIG_KEYS]);
    for (const key of CONFIG_KEYS) expect(origins[key]).toEqual({ kind: 'default' });
  });

  it.each([[''], ['{}'], ['  // nothing yet\n'], ['\ufeff{}']])(
    'takes %j as an empty configuration',
    (text) => {
      expect(parse(text)).toMatchObject({ config: DEFAULTS, problems: [] });
    },
  );

  it('reads comments, trailing commas and CR LF, and records the line of each value', () => {
    const text =
      '// mine\r\n{\r\n  /* a */ "markers": "never",\r\n\r\n  "keys": { "send": ["ctrl+s", "f5"], },\r\n}\r\n';
    const { config, origins, problems } = parse(text);
    expect(problems).toEqual([]);
    expect(config).toEqual({ ...DEFAULTS, markers: 'never', keys: { send: ['ctrl+s', 'f5'] } });
    expect(origins.markers).toEqual({ kind: 'file', file: FILE, line: 3 });
    expect(origins.keys).toEqual({ kind: 'file', file: FILE, line: 5 });
  });

  it('lets the environment override the file, and records the origin', () => {
    const { config, origins } = parse('{"theme":"dark","clear_on_send":true}', {
      COPANE_THEME: 'light',
      COPANE_CLEAR_ON_SEND: 'false',
    });
    expect(config).toMatchObject({ theme: 'light', clear_on_send: false });
    expect(origins.theme).toEqual({ kind: 'env', name: 'COPANE_THEME' });
  });

  it.each([
    [{ VISUAL: 'code -w', EDITOR: 'vi' }, '{}', 'code -w', { kind: 'env', name: 'VISUAL' }],
    [{ EDITOR: 'vi' }, '{}', 'vi', { kind: 'env', name: 'EDITOR' }],
    [{ EDITOR: 'vi' }, '{"editor":"hx"}', 'hx', { kind: 'file', file: FILE, line: 1 }],
    [{ EDITOR: 'vi' }, '{"editor":null}', 'vi', { kind: 'env', name: 'EDITOR' }],
    [{ EDITOR: 'vi', COPANE_EDITOR: 'ed' }, '{"editor":"hx"}', 'ed', { kind: 'env', name: 'COPANE_EDITOR' }],
    [{}, '{}', null, { kind: 'default' }],
  ])('chooses the editor: %j over %s → %s', (env, text, editor, origin) => {
    const { config, origins } = parse(text, env as Record<string, string>);
    expect(config.editor).toBe(editor);
    expect(origins.editor).toEqual(origin);
  });
});

describe('a mistake affects only its own key and is reported', () => {
  it.each([
    [
      'unknown key, close',
      '{"marker":"never"}',
      [`${FILE}:1:2: unknown key "marker" (did you mean "markers"?)`],
    ],
    ['unknown key, far', '{"x":1}', [`${FILE}:1:2: unknown key "x" (keys: ${CONFIG_KEYS.join(', ')})`]],
    [
      'unknown key, far, of a group',
      '{"jj_everything":1}',
      [`${FILE}:1:2: unknown key "jj_everything" (keys: jj_finalize)`],
    ],
    ['a word of the list', '{\n"theme":"drak"}', ['did you mean "dark"?']],
    ['wrong type', '{"clear_on_send":"yes"}', ['"clear_on_send": Invalid input: expected boolean']],
    [
      'set twice',
      '{"clear_on_send":true,\n"clear_on_send":false}',
      [`${FILE}:2:1: "clear_on_send" is set twice`],
    ],
    ['one wrong chord', '{"keys":{"send":3}}', [`${FILE}:1:17: "keys.send" must be a key chord`]],
    ['keys as a list', '{"keys":[]}', ['"keys": Invalid input: expected record']],
    ['no object', '[1]', [`${FILE}:1:1: the configuration must be one object`]],
    ['no JSON at all', 'markers = never', [`${FILE}:1:1: `]],
    ['missing comma', '{"clear_on_send":false\n"theme":"dark"}', [`${FILE}:2:1: comma expected`]],
    ['prototype', '{"__proto__":{"clear_on_send":false}}', ['unknown key "__proto__"']],
  ])('%s', (_name, text, expected) => {
    const problems = problemsOf(text);
    for (const one of expected) expect(problems.join('\n')).toContain(one);
  });

  it('keeps everything else in the file', () => {
    const { config, problems } = parse(
      '{"clear_on_send":"yes","theme":"dark","keys":{"a":"x","b":7},"log_level":"loud"}',
    );
    expect(problems).toHaveLength(3);
    expect(config).toEqual({ ...DEFAULTS, theme: 'dark', keys: { a: 'x' } });
  });

  it('reports a variable with a wrong value and falls back to the file', () => {
    const { config, problems } = parse('{"theme":"dark"}', { COPANE_THEME: 'ligth' });
    expect(config.theme).toBe('dark');
    expect(problems.map(formatProblem).join()).toContain('$COPANE_THEME: ');
    expect(problems[0]?.hint).toBe('did you mean "light"?');
  });

  it('survives any text', async () => {
    const fc = await import('fast-check');
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), (text) => {
        expect(configSchema.safeParse(parse(text).config).success).toBe(true);
      }),
      { seed: 3, numRuns: 500 },
    );
  });
});
