import { expect, it } from 'vitest';
import { jsonLine } from './json-line.ts';

it('spells the fields of every record as the wire does, and leaves values alone', () => {
  expect(
    jsonLine({ startedAt: 1, parts: [{ isOpen: true, text: 'camelCase' }], host: null, openToAll: false }),
  ).toBe('{"started_at":1,"parts":[{"is_open":true,"text":"camelCase"}],"host":null,"open_to_all":false}\n');
  expect(jsonLine([])).toBe('[]\n');
});
