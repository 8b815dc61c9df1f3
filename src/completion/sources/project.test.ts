import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { sourcesStage } from '../../../test/helpers/completion-sources.ts';
import { rank } from '../core/rank.ts';
import { createProjectSource } from './project.ts';

const stage = sourcesStage();
const { lines, now, query } = stage;

describe('project', () => {
  const source = () => createProjectSource({ home: stage.dir, now });
  it.each([
    ['npm run bu', ['npm run build', 'npm run build:watch']],
    ['npm -w api run t', []],
    ['npm run --prefix ../other t', []],
    ['make -C lib ', []],
    ['make --file=other.mk ', []],
    ['just --justfile other ', []],
    ['docker compose -f other.yaml up ', []],
    ['cargo constructor ', []],
    ['cargo __proto__ ', []],
    ['make ', ['make all', 'make build']],
    ['make -j 4 all ', ['make -j 4 all build']],
    ['make -k all b', ['make -k all build']],
    ['docker compose logs ', ['docker compose logs db', 'docker compose logs web']],
    [
      'docker compose -f compose.yaml up -d ',
      ['docker compose -f compose.yaml up -d db', 'docker compose -f compose.yaml up -d web'],
    ],
    ['docker compose logs -f web ', ['docker compose logs -f web db']],
    ['docker compose exec w', ['docker compose exec web']],
    ['docker compose exec web ', []],
    ['docker compose -f ', []],
    ['uv run ', ['uv run serve']],
    ['npm install ', []],
    [
      'kubectl config use-context ',
      ['kubectl config use-context dev@local', 'kubectl config use-context prod'],
    ],
    ['kubectl --context p', ['kubectl --context prod']],
    ['kubectl get pods -n s', ['kubectl get pods -n shop']],
    ['kubectl -n shop get p', ['kubectl -n shop get pods', 'kubectl -n shop get podtemplates']],
    ['kubectl describe c', ['kubectl describe certificates']],
    ['kubectl get pods ', []],
    ['kubectl apply -f ', []],
    ['kubectx d', ['kubectx dev@local']],
  ])('%j', async (line, expected) => {
    expect(await lines(source(), line)).toEqual(expected);
  });
  it.each([
    ['rules', 'make t', ['make test']],
    [
      'rules',
      'make ',
      ['make _deploy-prod', 'make build', 'make export-data', 'make install', 'make lint', 'make test'],
    ],
    ['rules', 'make d', ['make docs']],
    ['rules', 'make f', ['make fetch']],
    ['rules', 'make o', ['make out/app']],
    ['rules', 'just ', ['just b', 'just build', 'just quiet']],
    ['crate', 'cargo run --bin ', ['cargo run --bin one', 'cargo run --bin two']],
    ['crate', 'cargo run --example ', ['cargo run --example big', 'cargo run --example demo']],
    ['crate', 'cargo test --test ', ['cargo test --test all']],
    ['crate', 'cargo build --features f', ['cargo build --features fancy']],
    ['crate', 'cargo build -p ', ['cargo build -p core', 'cargo build -p hello']],
    ['crate', 'cargo build ', []],
  ])('in %s %j', async (folder, line, expected) => {
    expect(await lines(source(), line, path.join(stage.dir, folder))).toEqual(expected);
  });
  it.each([
    ['p', 'pods'],
    ['', 'pods'],
    ['s', 'services'],
    ['n', 'nodes'],
  ])('puts the most requested type first: kubectl get %s', async (typed, expected) => {
    // A home without a cache, so all standard types are offered.
    const own = createProjectSource({ home: path.join(stage.dir, 'src'), now });
    const asked = query(`kubectl get ${typed}`);
    const [first] = rank(await own.suggest(asked, new AbortController().signal), asked);
    expect(first?.line).toBe(`kubectl get ${expected}`);
  });
  it.each([
    ['rules', 'make b', 'Build it'],
    ['rules', 'make te', 'Checks'],
    ['rules', 'just bu', 'Build it'],
    ['.', 'npm run build:', 'x'],
    ['.', 'docker compose up w', 'a'],
    ['.', 'kubectx p', 'c1'],
  ])('describes %s %j as in the file', async (folder, line, description) => {
    const found = await source().suggest(
      query(line, path.join(stage.dir, folder)),
      new AbortController().signal,
    );
    expect(found.map((one) => one.description)).toEqual([description]);
  });
});
