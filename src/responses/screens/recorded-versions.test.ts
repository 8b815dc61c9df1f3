import { expect, it } from 'vitest';
import { clientSpec } from '../../../test/helpers/client-catalog.ts';
import { CLI_IDS } from '../../protocol/cli-ids.ts';
import { RECORDED_VERSIONS } from './recorded-versions.ts';

it('are those that the full tests run', () => {
  const known = CLI_IDS.filter((cli) => cli !== 'generic');
  expect(RECORDED_VERSIONS).toEqual(Object.fromEntries(known.map((cli) => [cli, clientSpec(cli).version])));
});
