import { expect, it } from 'vitest';
import { CLIENTS } from '../../../test/helpers/client-catalog.ts';
import { AI_CLIS } from '../../protocol/cli-ids.ts';
import { RECORDED_VERSIONS } from './recorded-versions.ts';

it('are the newest of those in the full tests', () => {
  const newest = (cli: string) =>
    CLIENTS.filter((spec) => spec.cli === cli && !spec.name.endsWith('-old')).at(-1)?.version;
  expect(RECORDED_VERSIONS).toEqual(Object.fromEntries(AI_CLIS.map((cli) => [cli, newest(cli)])));
});
