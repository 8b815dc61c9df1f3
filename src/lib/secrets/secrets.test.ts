/** What must never be learned, shown or sent, and what must not be mistaken for it. */
import { describe, expect, it } from 'vitest';
import { harmlessLines, secretShapes } from '../../../evals/completion/secret-shapes.ts';
import { hasSecret, REDACTED, redact } from './secrets.ts';

const KEY = 'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z';

const SECRET = [
  `export AWS_SECRET_ACCESS_KEY=${KEY}`,
  'aws configure set aws_access_key_id AKIAIOSFODNN7EXAMPLE',
  `git clone https://user:${KEY}@github.com/a/b`,
  'curl -u admin:hunter2 https://example.org',
  'curl --user=admin:hunter2 https://example.org',
  "curl -H 'Authorization: Bearer abcdef123456' https://example.org",
  'mysql -u root -phunter2 db',
  'mysqldump --password=hunter2 db',
  'sshpass -p hunter2 ssh host',
  'PGPASSWORD=hunter2 psql -h db',
  'export GITHUB_TOKEN=ghp_0123456789abcdefghijABCDEFGHIJ012345',
  'gh auth login --with-token ghp_0123456789abcdefghijABCDEFGHIJ012345',
  'npm config set //registry/:_authToken=npm_0123456789abcdefghijABCDEFGHIJ012345',
  'echo hunter2 | sudo -S ls',
  'docker login -u me -p hunter2 registry',
  'redis-cli -a hunter2 ping',
  'openssl enc -aes-256-cbc -pass pass:hunter2',
  'ssh-keygen -t ed25519 -N hunter2',
  'curl "https://api.example.org/v1?api_key=abc123def"',
  'export API_KEY=sk-ant-api03-abcdefghijklmnop',
  'vault write secret/x password=hunter2',
  'slack --token xoxb-123456789012-abcdefghijkl',
  'jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdefgh',
  `deploy ${KEY}`,
  'unrar x -phunter2 a.rar',
  "curl -b 'sid=9f8e7d6c5b4ahunter2' https://example.org",
  'rclone config create r s3 secret_access_key hunter2hunter2',
  "ansible-vault encrypt_string 'hunter2' --name x",
  'security add-generic-password -a me -s web -w hunter2',
  'snmpwalk -v2c -c hunter2 host',
];

const HARMLESS = [
  'git status --short',
  'git show 4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  'docker run -p 8080:80 nginx',
  'ssh -p 2222 host',
  'cd /usr/share/wordlists/passwords',
  'cat token.txt',
  'man passwd',
  'export PASSWORD=$(pass show mail)',
  'mysql -u root -p',
  'curl -u "$USER:$PASS" https://example.org',
  'npm run build:tokens',
  'kubectl get secret my-secret -o yaml',
  'mkdir -p a/b',
  'sha256sum file',
  'security find-generic-password -a me -w',
  'curl -b cookies.txt https://example.org',
  'ls ThisIsALongFileNameWithoutAnyDigitsInIt.txt',
];

describe('hasSecret', () => {
  it.each(SECRET)('finds the secret in %j', (line) => {
    expect(hasSecret(line)).toBe(true);
  });
  it.each(HARMLESS)('accepts %j', (line) => {
    expect(hasSecret(line)).toBe(false);
  });
});

describe('redact', () => {
  it.each(SECRET)('removes the secret from %j', (line) => {
    const text = redact(line);
    expect(text).toContain(REDACTED);
    expect(text).not.toMatch(/hunter2|ghp_|xoxb-\d|AKIA|eyJhbG/);
    expect(text).not.toContain(KEY);
  });
  it.each(HARMLESS)('leaves %j unchanged', (line) => {
    expect(redact(line)).toBe(line);
  });
});

describe('shapes written independently of the rules', () => {
  it('finds and redacts 95 % of the secrets, for any generated values', () => {
    for (const seed of [1, 2, 3]) {
      const shapes = secretShapes(seed);
      const missed = shapes.filter(({ line, secrets }) => {
        const text = redact(line);
        return !hasSecret(line) || secrets.some((secret) => text.includes(secret));
      });
      expect(missed.length, missed.map(({ line }) => line).join('\n')).toBeLessThanOrEqual(
        shapes.length * 0.05,
      );
    }
  });
  it('mistakes at most 5 % of the harmless lines for secrets', () => {
    const lines = harmlessLines();
    const wrong = lines.filter(hasSecret);
    expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(lines.length * 0.05);
  });
});
