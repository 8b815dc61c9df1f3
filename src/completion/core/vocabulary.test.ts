import { describe, expect, it } from 'vitest';
import { cpuMsOf } from '../../../test/helpers/cpu-time.ts';
import { filed } from '../../../test/helpers/history.ts';
import { Knowledge } from './knowledge.ts';
import { Vocabulary, wordsOf } from './vocabulary.ts';

const textsOf = (words: Vocabulary, prefix: string) =>
  words.startingWith(prefix, 'x ', 9).map(({ text }) => text);
const learned = (...lines: readonly string[]) => {
  const words = new Vocabulary();
  for (const line of lines) words.learn(line);
  return words;
};

describe('Vocabulary', () => {
  it.each([
    ['colours of files', `export LS_COLORS='${'*.tar=01;31:*.tgz=01;31:'.repeat(90)}'`],
    ['the same without quotes', `export LS_COLORS=${'or=40.31.01:mi=00:'.repeat(100)}`],
    ['a list of addresses', `nmap ${'10.0.0.1,'.repeat(220)}`],
    ['words of addresses', `nmap ${'10.0.0.1,10.0.0.2 '.repeat(2_000)}`],
    ['a search path', `export PATH=${'/usr/lib/node_modules/x-y/bin:'.repeat(60)}`],
    ['dots', `x ${'.'.repeat(4_000)} ${'-'.repeat(4_000)}`],
    ['joints in one word', `x ${'ab,'.repeat(1_000)}`],
  ])('takes few words of one line, and keeps the others: %s', (_name, line) => {
    const words = learned('ssh admin@production.example.org');
    const ms = cpuMsOf(() => words.learn(line));
    const parts = [...wordsOf(line)];
    expect(parts.length).toBeLessThanOrEqual(1_000);
    expect(Math.max(0, ...parts.map(({ text }) => text.length))).toBeLessThanOrEqual(200);
    expect(ms).toBeLessThan(200);
    expect(textsOf(words, 'produ')).toContain('production.example.org');
  });

  it('extracts hosts and files at both ends of a long word', () => {
    const path = `https://build.example/${'ab.cd/'.repeat(25)}notes.txt`;
    const words = learned(`curl ${path}`);
    expect(textsOf(words, 'bui')).toContain('build.example/');
    expect(textsOf(words, 'not')).toContain('notes.txt');
  });

  it('forgets the words of a line once no other line has them', () => {
    const words = learned('ssh a.bastion', 'ping a.bastion a.bastion', 'ping a.bastion a.bastion');
    words.forget('cat a.bastion');
    words.forget('ping a.bastion a.bastion');
    words.forget('ping a.bastion a.bastion');
    expect(textsOf(words, 'a.b')).toEqual(['a.bastion']);
    words.forget('ssh a.bastion');
    expect(textsOf(words, 'a.b')).toEqual([]);
  });

  it('offers a forgotten word once after it came back', () => {
    const words = new Vocabulary();
    for (let round = 0; round < 3; round += 1) {
      words.learn('ssh production1');
      words.forget('ssh production1');
    }
    words.learn('ssh production1');
    expect(textsOf(words, 'prod')).toEqual(['production1']);
    for (let at = 0; at < 25_000; at += 1) words.learn(`x w${at}`);
    words.learn('ssh production1');
    expect(textsOf(words, 'prod')).toEqual(['production1']);
  });

  it('loses no word with a line whose words were never learned', () => {
    const knowledge = new Knowledge();
    const command = filed('ping bastion.example');
    for (let at = 0; at < 5; at += 1) knowledge.learnOlder('ssh bastion.example');
    knowledge.learn({ ...command, line: 'sssh bastion.example', exit: 127 });
    knowledge.learnFromFile(command, '');
    knowledge.learnHabits(command, '');
    knowledge.retain(new Set([command.line]));
    knowledge.forget('sssh bastion.example');
    knowledge.forget('scp bastion.example');
    expect(textsOf(knowledge.vocabulary, 'bast')).toContain('bastion.example');
  });
});
