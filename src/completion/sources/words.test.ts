import { describe, expect, it } from 'vitest';
import { linesOf } from '../../../test/helpers/completion-sources.ts';
import { filed, ran } from '../../../test/helpers/history.ts';
import { Knowledge } from '../core/knowledge.ts';
import type { Source } from './source.ts';
import { createWordsSource } from './words.ts';

const lines = (source: Source, line: string, cwd = '/') => linesOf(source, line, cwd);

describe('words', () => {
  it('offers the arguments of earlier commands, not options, not those already present', async () => {
    const knowledge = new Knowledge();
    for (const line of ['vim src/main.ts', 'cp -a one.txt two.txt']) knowledge.learn(ran(line));
    const source = createWordsSource(knowledge);
    expect(await lines(source, 'rm ')).toEqual(['rm one.txt', 'rm src/main.ts', 'rm two.txt']);
    expect(await lines(source, 'diff one.txt t')).toEqual(['diff one.txt two', 'diff one.txt two.txt']);
    expect(await lines(source, 'o')).toEqual([]);
  });

  it('offers no file extension alone, and words that the session ran since', async () => {
    const knowledge = new Knowledge();
    const source = createWordsSource(knowledge);
    knowledge.learn(ran('vim notes.text'));
    expect(await lines(source, 'cp t')).toEqual([]);
    knowledge.learn(ran('vim todo.text'));
    expect(await lines(source, 'cp t')).toEqual(['cp todo', 'cp todo.text']);
  });

  it.each([
    ['a host inside a word', 'ssh admin@10.1.26.9', 'scp admin@1', ['scp admin@10.1.26.9']],
    ['a host from inside a word', 'scp x root@build.example:/srv/', 'ping bui', ['ping build.example']],
    ['a file of a folder', 'cat /srv/app/notes.txt', 'vim ~/no', ['vim ~/notes.txt']],
    ['the value of an option', 'run --file=data.csv', 'wc -l da', ['wc -l data.csv']],
    ['the start of an address', 'ping 172.18.1.5', 'nmap 172.18.1.', ['nmap 172.18.1.5']],
    ['the network of an address', 'ping 172.18.1.5', 'nmap 1', ['nmap 172.18.1', 'nmap 172.18.1.5']],
    ['the name of a hidden file', 'mv .report.zip /srv/', 'unzip rep', ['unzip report', 'unzip report.zip']],
    ['a folder and the one above', 'ls /srv/app/web/', 'cd /srv/a', ['cd /srv/app/', 'cd /srv/app/web/']],
    ['nothing after a joint alone', 'cat /srv/app/notes.txt', 'vim ~/', []],
    ['the start of an address in quotes', 'curl "https://x.example/v1/q?a=1"', 'w x.', ['w x.example/v1/']],
    ['a value after an escape', 'cat a/b\\&c=dd.txt', 'w b', ['w b\\&c', 'w b\\&c=dd.txt']],
  ])('offers parts of words: %s', async (_name, before, typed, expected) => {
    const knowledge = new Knowledge();
    knowledge.learn(ran(before));
    const found = await lines(createWordsSource(knowledge), typed);
    expect(found.filter((line) => expected.includes(line))).toEqual(expected);
    if (expected.length === 0) expect(found).toEqual([]);
  });

  it.each([
    'curl "https://api.example.org/v1/items?a=1&b=2"',
    'curl "https://api.example.org/v1/items?a=1;reboot&b=2"',
    "sed 's/$HOME/x/'",
    "grep 'foo|bar/baz' f",
    "echo 'x/~root/x,*/,#top,!!:z,^a^b,=ls,a\\.b/'",
    'print "x:>important.txt"',
    'x a$(curl http://x/a;reboot/b)',
    'echo `a/b&c/d`',
  ])('offers nothing unquoted that has another meaning in quotes: %s', async (line) => {
    const knowledge = new Knowledge();
    knowledge.learn(ran(line));
    for (const letter of new Set(line.replaceAll(/[\s"'`]/g, '')))
      for (const session of ['s', 'other'])
        for (const typed of [letter, line.slice(line.indexOf(letter)).slice(0, 2)]) {
          const query = { line: `cat ${typed}`, cursor: 4 + typed.length, cwd: '/', session, limit: 4 };
          const found = await createWordsSource(knowledge).suggest(query, new AbortController().signal);
          for (const row of found)
            if (!/["'`]|\$\(c/.test(row.line)) expect(row.line.slice(5)).not.toMatch(/[;&|<>$*?#!~^()=\\]/);
        }
  });

  describe('of a history file', () => {
    const read = (knowledge: Knowledge, ...lines: string[]) => {
      for (const command of lines.map(filed))
        if (knowledge.learnFromFile(command, '')) knowledge.learnHabits(command, '');
    };
    const offered = async (knowledge: Knowledge, line: string) => lines(createWordsSource(knowledge), line);

    it('are offered from two letters on, the most used first, and inside words', async () => {
      const knowledge = new Knowledge();
      read(knowledge, 'ls src/zebra', 'cat src/zoo', 'vim src/zoo', "grep 'zo x' .", 'ls My\\ zone/a');
      expect(await offered(knowledge, 'cd z')).toEqual([]);
      expect(await offered(knowledge, 'cd lib/zo')).toEqual(['cd lib/zoo']);
      expect(await offered(knowledge, 'cd src/z')).toEqual(['cd src/zebra', 'cd src/zoo']);
      expect(await offered(knowledge, 'ls x/My')).toContain('ls x/My\\ zone/');
    });

    it('are deleted with their lines', async () => {
      const knowledge = new Knowledge();
      read(knowledge, 'cat zebra.txt zulu.txt', 'vim zulu.txt', 'ls zoo.txt');
      knowledge.retain(new Set(['vim zulu.txt', 'ls zoo.txt']));
      knowledge.forget('ls zoo.txt');
      expect(await offered(knowledge, 'rm ze')).toEqual([]);
      expect(await offered(knowledge, 'rm zo')).toEqual([]);
      expect(await offered(knowledge, 'rm zu')).toContain('rm zulu.txt');
    });

    it('stay forgotten when the line runs again, or is read again', async () => {
      const knowledge = new Knowledge();
      const command = ran('ls zoo.txt', { cwd: '' });
      knowledge.learn(command);
      expect(await offered(knowledge, 'rm zo')).toContain('rm zoo.txt');
      knowledge.forget('ls zoo.txt');
      expect(await offered(knowledge, 'rm zo')).toEqual([]);
      knowledge.learn(command);
      read(knowledge, 'ls zoo.txt', 'ls zoo.txt');
      expect(await offered(knowledge, 'rm zo')).toEqual([]);
      expect(await offered(knowledge, 'rm ')).toEqual([]);
    });
  });
});
