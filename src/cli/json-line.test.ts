import { expect, it } from 'vitest';
import { jsonLine } from './json-line.ts';

it('prints field names in snake_case and leaves values unchanged', () => {
  expect(
    jsonLine({ startedAt: 1, parts: [{ isOpen: true, text: 'camelCase' }], host: null, openToAll: false }),
  ).toBe('{"started_at":1,"parts":[{"is_open":true,"text":"camelCase"}],"host":null,"open_to_all":false}\n');
  expect(jsonLine([])).toBe('[]\n');
});
