import { expect, test } from 'vitest';
import { isGeneratedFile } from './generated-files.ts';

test.each([
  'package-lock.json',
  'web/yarn.lock',
  'Cargo.lock',
  'go.sum',
  'a/b/uv.lock',
  'dist/app.min.js',
  'app.css.map',
  'api/v1/service.pb.go',
  'proto/user_pb2_grpc.py',
  'lib/model.g.dart',
  'schema.generated.ts',
  'src/__snapshots__/a.test.ts.snap',
])('%s is generated', (path) => {
  expect(isGeneratedFile(path)).toBe(true);
});

test.each([
  'src/lock.ts',
  'yarn.lock.ts',
  'package.json',
  'go.mod',
  'min.js',
  'src/generated.ts',
  'map.ts',
  'snap',
  'deadlock',
])('%s is written by people', (path) => {
  expect(isGeneratedFile(path)).toBe(false);
});
