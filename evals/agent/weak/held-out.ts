/**
 * Single-file tasks in other languages and of other kinds, written before the agent was tuned for small models and not
 * looked at meanwhile: they show whether the tuning works beyond the tasks that it was made with.
 */
import type { EvalTask } from '../task.ts';
import { oneFileTask as task, withPattern } from './one-file.ts';

const SHAPE_RS = `use std::f64::consts::PI;

pub enum Shape {
    Circle { radius: f64 },
    Square { side: f64 },
}

impl Shape {
    pub fn area(&self) -> f64 {
        match self {
            Shape::Circle { radius } => PI * radius * radius,
            Shape::Square { side } => side * side,
        }
    }

    pub fn name(&self) -> &'static str {
        match self {
            Shape::Circle { .. } => "circle",
            Shape::Square { .. } => "square",
        }
    }
}
`;
const ACCOUNT_JAVA = `package bank;

public class Account {
    private final String owner;
    private long balance;

    public Account(String owner) {
        this.owner = owner;
    }

    public void deposit(long amount) {
        balance += amount;
    }

    public void withdraw(long amount) {
        balance -= amount;
    }

    public long getBalance() {
        return balance;
    }
}
`;
const SITE_CSS = `:root {
  --accent: #0044cc;
}

.button {
  color: white;
  background: var(--accent);
  padding: 8px 16px;
}

.button:hover {
  background: #003399;
}

.link {
  color: var(--accent);
}
`;
const INDEX_HTML = `<!DOCTYPE html>
<html>
  <head>
    <title>Garden</title>
  </head>
  <body>
    <nav>
      <ul>
        <li><a href="/">Home</a></li>
        <li><a href="/plants">Plants</a></li>
      </ul>
    </nav>
    <main>
      <h1>Welcome</h1>
    </main>
  </body>
</html>
`;
const PACKAGE_JSON = `{
  "name": "garden",
  "version": "1.4.2",
  "scripts": {
    "build": "tsc",
    "test": "vitest run"
  },
  "dependencies": {
    "express": "^4.18.0"
  }
}
`;
const CARGO_TOML = `[package]
name = "garden"
version = "0.3.1"
edition = "2021"

[dependencies]
serde = "1.0"

[dev-dependencies]
tempfile = "3.10"
`;
const SCHEMA_SQL = `CREATE TABLE plants (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL
);

CREATE TABLE beds (
  id INTEGER PRIMARY KEY,
  label TEXT NOT NULL
);
`;
const DOCKERFILE = `FROM node:18-alpine
WORKDIR /app
COPY package.json .
RUN npm install
COPY . .
CMD ["node", "server.js"]
`;
const ORDER_RB = `class Order
  attr_reader :items

  def initialize(items)
    @items = items
  end

  def sum
    items.map(&:price).sum
  end

  def to_s
    "Order of #{items.size} items, total #{sum}"
  end
end
`;
const LIST_C = `#include <stdio.h>

int sum(const int *values, int count)
{
    int total = 0;
    for (int i = 0; i <= count; i++) {
        total += values[i];
    }
    return total;
}

int main(void)
{
    int values[] = {1, 2, 3};
    printf("%d\\n", sum(values, 3));
    return 0;
}
`;
/** Too long to be written out again for a one-line change. */
const UTIL_JS = [
  ...['clamp', 'lerp', 'snap', 'wrap', 'scale'].map(
    (name) => `/** See the manual for ${name}. */
function ${name}(value, low, high) {
  if (low > high) {
    throw new RangeError("${name}: low is above high");
  }
  const span = high - low;
  const offset = value - low;
  return low + Math.min(span, Math.max(0, offset));
}
`,
  ),
  `/** Waits before the next try. */
function backoff(attempt) {
  const base = 100;
  const limit = 5000;
  return Math.min(limit, base * 2 ** attempt);
}
`,
  ...['first', 'last', 'middle', 'sample', 'shuffle', 'unique'].map(
    (name) => `/** See the manual for ${name}. */
function ${name}(list) {
  if (!Array.isArray(list)) {
    throw new TypeError("${name}: not a list");
  }
  const copy = list.slice();
  return copy.filter(Boolean);
}
`,
  ),
  `module.exports = { clamp, lerp, snap, wrap, scale, backoff, first, last, middle, sample, shuffle, unique };
`,
].join('\n');
const PLANTS_CSV = `name,height,light
fern,40,shade
cactus,15,sun
ivy,200,half
`;
const LETTER_TXT = `Dear neighbours,

the garden party takes place on Friday at 18:00.
Please bring your own chairs.

See you there,
Ada
`;
const CLIENT_PHP = `<?php

class Client
{
    private $url;

    public function __construct($url)
    {
        $this->url = $url;
    }

    public function get($path)
    {
        return file_get_contents($this->url . $path);
    }
}
`;

/** The order has no meaning. */
export const HELD_OUT_TASKS: readonly EvalTask[] = [
  task(
    'rs-variant',
    'Add a variant Rect { width: f64, height: f64 } to the enum Shape in shape.rs, with its area and the name "rect".',
    { file: 'shape.rs', before: SHAPE_RS },
    withPattern(
      SHAPE_RS,
      [
        '    Square { side: f64 },\n',
        / {4}Square \{ side: f64 \},\n {4}Rect \{ width: f64, height: f64 \},\n/,
      ],
      [
        '            Shape::Square { side } => side * side,\n',
        / {12}Shape::Square \{ side \} => side \* side,\n {12}Shape::Rect \{ width, height \} => (?:width \* height|height \* width),\n/,
      ],
      [
        '            Shape::Square { .. } => "square",\n',
        / {12}Shape::Square \{ \.\. \} => "square",\n {12}Shape::Rect \{ (?:\.\.|width: _, height: _) \} => "rect",\n/,
      ],
    ),
  ),
  task(
    'java-check',
    'In Account.java, make withdraw throw an IllegalArgumentException when amount is greater than balance.',
    { file: 'Account.java', before: ACCOUNT_JAVA },
    withPattern(ACCOUNT_JAVA, [
      '        balance -= amount;\n',
      / {8}if \((?:this\.)?(?:amount > (?:this\.)?balance|balance < amount)\) ?\{\n {12}throw new IllegalArgumentException\([^\n]*\);\n {8}\}\n\n? {8}balance -= amount;\n/,
    ]),
  ),
  task(
    'css-colour',
    'In site.css, make the background of .button:hover #002266.',
    { file: 'site.css', before: SITE_CSS },
    SITE_CSS.replace('#003399', '#002266'),
  ),
  task(
    'html-item',
    'In index.html, add a link "Contact" to /contact at the end of the navigation.',
    { file: 'index.html', before: INDEX_HTML },
    INDEX_HTML.replace(
      '>Plants</a></li>\n',
      '>Plants</a></li>\n        <li><a href="/contact">Contact</a></li>\n',
    ),
  ),
  task(
    'json-script',
    'Add a script "lint": "eslint ." to package.json, after test.',
    { file: 'package.json', before: PACKAGE_JSON },
    PACKAGE_JSON.replace('"vitest run"\n', '"vitest run",\n    "lint": "eslint ."\n'),
  ),
  task(
    'toml-dependency',
    'Add the dependency regex = "1.10" to Cargo.toml, not to the dev-dependencies.',
    { file: 'Cargo.toml', before: CARGO_TOML },
    withPattern(CARGO_TOML, [
      'serde = "1.0"\n',
      /(?:serde = "1\.0"\nregex = "1\.10"|regex = "1\.10"\nserde = "1\.0")\n/,
    ]),
  ),
  task(
    'sql-column',
    'In schema.sql, add a column height INTEGER to the table plants, after name.',
    { file: 'schema.sql', before: SCHEMA_SQL },
    SCHEMA_SQL.replace('  name TEXT NOT NULL\n', '  name TEXT NOT NULL,\n  height INTEGER\n'),
  ),
  task(
    'docker-base',
    'Let the Dockerfile use node 20 instead of node 18.',
    { file: 'Dockerfile', before: DOCKERFILE },
    DOCKERFILE.replace('node:18', 'node:20'),
  ),
  task(
    'rb-rename',
    'Rename the method sum of Order in order.rb to total. Array#sum stays.',
    { file: 'order.rb', before: ORDER_RB },
    ORDER_RB.replace('def sum', 'def total').replace('total #{sum}', 'total #{total}'),
  ),
  task(
    'c-bound',
    'sum() in list.c reads one value too many. Fix it.',
    { file: 'list.c', before: LIST_C },
    LIST_C.replace('i <= count', 'i < count'),
  ),
  task(
    'js-long',
    'In util.js, let backoff wait at most 30000 ms.',
    { file: 'util.js', before: UTIL_JS },
    UTIL_JS.replace('limit = 5000', 'limit = 30000'),
  ),
  task(
    'csv-row',
    'Remove the cactus from plants.csv.',
    { file: 'plants.csv', before: PLANTS_CSV },
    PLANTS_CSV.replace('cactus,15,sun\n', ''),
  ),
  task(
    'txt-sentence',
    'In letter.txt, move the party to Saturday at 17:00.',
    { file: 'letter.txt', before: LETTER_TXT },
    LETTER_TXT.replace('Friday at 18:00', 'Saturday at 17:00'),
  ),
  task(
    'php-types',
    'In Client.php, declare the parameter $path of get as string.',
    { file: 'Client.php', before: CLIENT_PHP },
    CLIENT_PHP.replace('get($path)', 'get(string $path)'),
  ),
];
