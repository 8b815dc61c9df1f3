import { expect, it } from 'vitest';
import { clientSpec } from '../../../test/helpers/client-catalog.ts';
import { AI_CLIS } from '../../protocol/cli-ids.ts';
import { RECORDED_VERSIONS } from './recorded-versions.ts';

it('are those that the full tests run', () => {
  expect(RECORDED_VERSIONS).toEqual(Object.fromEntries(AI_CLIS.map((cli) => [cli, clientSpec(cli).version])));
});
