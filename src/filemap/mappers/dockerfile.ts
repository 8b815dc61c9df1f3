/** Dockerfile: stages, and what each does. */
import { wordList } from '../../lib/word-list.ts';
import type { LineMapper, OpenSymbol } from '../core/outline.ts';
import { oneLine, SymbolList } from '../core/outline.ts';
import type { Language } from '../language.ts';

const INSTRUCTION = /^\s*(?<word>[A-Za-z]+)\s+(?<rest>.*)$/;
const WORDS = new Set(
  wordList(
    'RUN COPY ADD CMD ENTRYPOINT EXPOSE VOLUME USER WORKDIR HEALTHCHECK ARG ENV LABEL SHELL STOPSIGNAL ONBUILD',
  ),
);

function scan(): LineMapper {
  const list = new SymbolList();
  let stage: OpenSymbol | undefined;
  let step: OpenSymbol | null = null;
  let heredoc: string | null = null;
  return {
    push: (line, number) => {
      if (stage !== undefined && line.trim() !== '') stage.endLine = number;
      if (heredoc !== null || step !== null) {
        if (step !== null) step.endLine = number;
        if (heredoc !== null && line.trim() === heredoc) {
          heredoc = null;
          step = null;
        } else if (heredoc === null && !line.trimEnd().endsWith('\\') && !/^\s*#/.test(line)) step = null;
        return;
      }
      const { word, rest } = INSTRUCTION.exec(line)?.groups ?? {};
      if (word === undefined || rest === undefined) return;
      const instruction = word.toUpperCase();
      if (instruction === 'FROM') {
        const [image = '', name] = rest.split(/\s+as\s+/i);
        stage = {
          name: name?.trim() ?? image.trim(),
          kind: 'section',
          startLine: number,
          endLine: number,
          signature: oneLine(line),
        };
        list.add(stage, undefined);
      } else if (WORDS.has(instruction)) {
        const added: OpenSymbol = {
          name: instruction,
          kind: 'block',
          startLine: number,
          endLine: number,
          signature: oneLine(line),
        };
        list.add(added, stage);
        heredoc = /<<-?\s*["']?(\w+)/.exec(rest)?.[1] ?? null;
        if (heredoc !== null || line.trimEnd().endsWith('\\')) step = added;
      }
    },
    end: () => ({ symbols: list.symbols, imports: [], notes: list.notes() }),
  };
}

export const dockerfile: Language = {
  name: 'Dockerfile',
  extensions: ['dockerfile', 'containerfile'],
  fileNames: ['dockerfile', 'containerfile'],
  scan,
};
