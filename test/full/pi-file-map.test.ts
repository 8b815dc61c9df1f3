/** File maps in the real pi: two large files are read in parallel; checks the request that reaches the model. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { isInstalled } from '../helpers/client-catalog.ts';
import { clientStages } from '../helpers/client-stage.ts';
import type { ScriptedModel } from '../helpers/scripted-model/server.ts';

const EXTENSION = path.resolve(import.meta.dirname, '../../integrations/pi/file-map.ts');

const startStage = clientStages();

interface WireMessage {
  readonly role: string;
  readonly content: unknown;
  readonly tool_calls?: readonly { readonly id: string }[];
  readonly tool_call_id?: string;
}

function wireMessages(request: ScriptedModel['requests'][number]): readonly WireMessage[] {
  return (request.body as { messages: readonly WireMessage[] }).messages;
}

it.skipIf(!isInstalled('pi'))(
  'answers two parallel reads with two maps, in a valid request',
  async () => {
    const source = (name: string) =>
      Array.from({ length: 900 }, (_, n) => `export function ${name}${n}(a: string) {\n  return a;\n}`).join(
        '\n',
      );
    const files = {
      'one.ts': source('first'),
      // The name would run a program if it ever reached a shell.
      '$(touch bad).ts': source('second'),
      'small.ts': 'export const small = 1;\n',
    };
    const paths = ['one.ts', '$(touch bad).ts', 'small.ts', 'missing.ts'];
    const script = {
      turns: [
        {
          when: 'Read them',
          replies: [
            { tools: paths.map((file) => ({ name: 'read', input: { path: file } })) },
            { text: 'All read.' },
          ],
        },
        { when: 'And now', replies: [{ text: 'Still here.' }] },
      ],
    };
    const { project, model, client } = await startStage('pi', script, {
      columns: 100,
      rows: 50,
      args: ['-e', EXTENSION],
      prepare: (place) => {
        mkdirSync(place.project);
        for (const [name, text] of Object.entries(files)) writeFileSync(path.join(place.project, name), text);
      },
    });
    await client.submit('Read them');
    await client.tmux.until('the answer', (screen) => screen.includes('All read.'));
    const collapsed = /File Map: one\.ts │ 900 symbols │ 2,700 lines │ TypeScript │ Ctrl\+O/;
    const screen = await client.tmux.until(
      'both maps',
      (text) => collapsed.test(text) && text.includes('(touch bad).ts │ 900'),
    );
    expect(screen).not.toContain('export function first899');
    expect(existsSync(path.join(project, 'bad'))).toBe(false);
    await client.tmux.keys('C-o');
    await client.tmux.until('the open map', (text) => /second\d+\(a: string\)|second\d+: \[/.test(text));

    await client.submit('And now');
    await client.tmux.until('the second answer', (text) => text.includes('Still here.'));
    const answered = model.requests.filter(({ prompt }) => prompt === 'Read them').at(-1);
    const later = model.requests.filter(({ prompt }) => prompt === 'And now').at(-1);
    for (const request of [answered, later]) {
      if (request === undefined) throw new Error('the request did not reach the model');
      const messages = wireMessages(request);
      const calling = messages.findIndex(({ tool_calls }) => tool_calls !== undefined);
      const ids = messages[calling]?.tool_calls?.map(({ id }) => id);
      const results = messages.slice(calling + 1, calling + 5);
      expect(results.map(({ role }) => role)).toEqual(['tool', 'tool', 'tool', 'tool']);
      expect(results.map(({ tool_call_id }) => tool_call_id)).toEqual(ids);
      const texts = results.map(({ content }) => JSON.stringify(content));
      expect(texts.map((text) => text.includes('File Map: '))).toEqual([true, true, false, false]);
      expect(texts[0]).toContain('File Map: one.ts');
      expect(texts[1]).toContain('second899');
      // One notice says where the file was cut.
      expect(texts[0]?.match(/\[Showing lines/g)).toHaveLength(1);
      expect(
        messages.filter(({ role }, index) => role === 'user' && messages[index - 1]?.role === 'user'),
      ).toEqual([]);
      expect(
        messages
          .filter(({ role }) => role === 'user')
          .map(({ content }) => JSON.stringify(content))
          .join(),
      ).not.toContain('File Map');
    }
  },
  120_000,
);
