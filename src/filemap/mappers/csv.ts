/** CSV and TSV: the columns by their header, and the number of rows. Quoted fields may contain line ends. */
import { counted } from '../core/describe.ts';
import { type LineMapper, type OpenSymbol, oneLine } from '../core/outline.ts';
import type { Language } from '../language.ts';

const MAX_COLUMNS = 500;

function scan(delimiters: readonly string[]): LineMapper {
  let header: string | null = null;
  let sample: string | null = null;
  let records = 0;
  let isQuoted = false;
  return {
    push: (line) => {
      const begins = !isQuoted;
      // Quotes come in pairs, except one that opens a field over several lines.
      if (line.includes('"') && (line.match(/"/g)?.length ?? 0) % 2 === 1) isQuoted = !isQuoted;
      if (!begins || line === '') return;
      records++;
      if (header === null) header = line.replace(/^\uFEFF/, '');
      else sample ??= line;
    },
    end: () => {
      const first = header ?? '';
      const delimiter =
        [...delimiters].sort((a, b) => first.split(b).length - first.split(a).length)[0] ?? ',';
      const columns = splitRecord(first, delimiter);
      const values = splitRecord(sample ?? '', delimiter);
      const symbols = columns.slice(0, MAX_COLUMNS).map(
        (name, index): OpenSymbol => ({
          name: oneLine(name) || `column ${index + 1}`,
          kind: 'column',
          startLine: 1,
          endLine: 1,
          ...(values[index] ? { signature: ` (${oneLine(values[index]).slice(0, 40)})` } : {}),
        }),
      );
      const more =
        columns.length > MAX_COLUMNS
          ? [`${columns.length - MAX_COLUMNS} further columns are not in this map`]
          : [];
      return {
        symbols,
        imports: [],
        notes: [
          `${counted(Math.max(0, records - 1), 'row')} of ${counted(columns.length, 'column')}, after the header`,
          ...more,
        ],
      };
    },
  };
}

function splitRecord(line: string, delimiter: string): readonly string[] {
  const fields: string[] = [];
  let field = '';
  let isQuoted = false;
  for (const char of line) {
    if (char === '"') isQuoted = !isQuoted;
    else if (char === delimiter && !isQuoted) {
      fields.push(field.trim());
      field = '';
    } else field += char;
  }
  return [...fields, field.trim()];
}

export const csv: Language = { name: 'CSV', extensions: ['csv'], scan: () => scan([',', ';', '\t', '|']) };

export const tsv: Language = { name: 'TSV', extensions: ['tsv', 'tab'], scan: () => scan(['\t']) };
