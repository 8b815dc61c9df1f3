/** What nothing takes back is seen, marked, and kept from the first row. */
import { describe, expect, it } from 'vitest';
import { riskOf, withoutDanger } from './risk.ts';
import type { Candidate, Query } from './suggestion.ts';

const FILES = new Set(['file.txt', 'out.log']);
const risk = (line: string) => riskOf(line, (word) => FILES.has(word));

describe('riskOf', () => {
  it.each([
    'rm -rf build',
    'rm file.txt',
    'sudo rm -r /srv',
    'cd /tmp && rm -rf x',
    'kill 0',
    'pkill node',
    'git push --force',
    'git push -f origin main',
    'git push origin :topic',
    'git push origin +main',
    'git push origin --delete topic',
    'git reset --hard',
    'git reset --hard HEAD~3',
    'git clean -fd',
    'git clean -xdf',
    'git branch -D topic',
    'git checkout -- src/a.ts',
    'git checkout .',
    'git -C repo reset --hard',
    'git stash drop',
    'dd if=/dev/zero of=/dev/sda',
    'mkfs.ext4 /dev/sdb1',
    'docker system prune -af',
    'docker compose down -v',
    'docker rm -f web',
    'kubectl delete pod web',
    'terraform destroy',
    'helm uninstall web',
    'find . -name x -delete',
    'find . -type f -exec rm {} +',
    'rsync -a --delete a/ b/',
    'crontab -r',
    'chmod -R 777 .',
    'ls | xargs rm',
    'psql -c "drop table users"',
    'aws s3 rm s3://b --recursive',
    'npm uninstall left-pad',
    'sudo reboot',
    'tmux kill-server',
    '\\rm x',
    'nice -n 5 rm x',
    'sudo -u root rm x',
    'timeout 5 rm x',
    'ls | xargs -I{} rm {}',
    'for f in *; do rm $f; done',
    'if true; then kill 1; fi',
    '{ rm x; }',
    'echo $(rm x)',
    "sh -c 'cd /x && rm -rf y'",
    'ssh h "rm -rf x"',
    'sudo bash -c "kill 1"',
    'cat x > /dev/sda',
    'gh repo delete a/b',
    'netlify sites:delete x',
    'aws ec2 terminate-instances --instance-ids i',
    'rails db:drop',
    'php artisan migrate:fresh',
    'npx prisma migrate reset',
    'supabase db reset',
    'etcdctl del --prefix /',
    'curl -X DELETE http://h/x',
    "mongosh --eval 'db.dropDatabase()'",
    'git rebase --abort',
    'git switch -C main',
    'git restore --staged --worktree .',
    'rustup toolchain uninstall x',
    'iptables -F',
    'git restore -SW x',
    'git restore -WS .',
    'git -C a -c b=c restore x',
    'mdadm --zero-superblock /dev/x',
    'serverless remove',
    'sls remove --stage dev',
    'echo "drop table x;" | psql',
    'psql <<< "drop table x"',
    "printf 'DELETE FROM t;' | sudo -u postgres psql db",
    'echo "rm -rf x" | bash',
    'echo "rm x" | ssh h',
    "bash <<< 'rm x'",
    'echo "$(rm -rf x)"',
    'echo `rm -rf x`',
    'echo "a `rm x` b"',
    'echo $(echo $(rm x))',
    'a=$(rm x) ls',
    'a=$(rm x)',
    'cat <(rm x)',
    'ls > $(rm x)',
    'find . -exec sudo rm {} \\;',
    'find . -name a -exec echo {} \\; -exec rm {} +',
    'find . -ok shred {} \\;',
    'fd -e o -x rm',
    'cp a /dev/sda',
    'tee /dev/sda',
    'tee -a x /dev/sda',
    '"rm" x',
    "r'm' x",
    'echo $(rm -rf x',
    'sudo -u root -g wheel dd if=a of=b',
    'sudo -n -- rm x',
    'env -i A=b rm x',
    'nohup nice -n 5 sudo rm x',
    'timeout -k 5 10 git clean -fd',
    'ssh -p 22 h sudo rm x',
    'docker exec -it web rm x',
    'docker run --rm -v a:b alpine rm x',
    'kubectl -n a exec pod -- rm x',
    'docker compose exec -T db dropdb x',
    'bundle exec rails db:drop',
    'npx rimraf dist',
    'xargs -0 -n 1 git branch -D',
    'gcloud compute instances delete x',
    'lvm lvremove x',
    "trap 'rm x' EXIT",
    "sh -c 'cat a > /dev/sda'",
    'git checkout HEAD~1 -- a',
    'nvme format /dev/nvme0',
  ])('%s destroys', (line) => {
    expect(risk(line)).toBe('destroys');
  });
  it.each([
    'echo x > out.log',
    'ls 2> out.log',
    'make &> out.log',
    'mv a file.txt',
    'cp -r a b file.txt',
    'ls | tee out.log',
  ])('%s overwrites', (line) => {
    expect(risk(line)).toBe('overwrites');
  });
  it.each([
    'git push',
    'git push origin main',
    'git push --force-with-lease',
    'git checkout main',
    'git checkout -b remove',
    'git reset HEAD~1',
    'git commit -m "rm -rf is bad"',
    'git log --delete',
    'echo x >> out.log',
    'echo x > new.log',
    'mv a new.txt',
    'mv -n a file.txt',
    'ls | tee -a out.log',
    'cat < file.txt',
    'make 2>&1',
    'kill -l',
    'docker compose down',
    'docker run --rm alpine',
    'kubectl get pods',
    'find . -name x',
    'chmod 644 file.txt',
    'crontab -l',
    'npm run clean',
    'grep -rm 1 x .',
    'git restore --staged .',
    'git commit -m "drop table support"',
    "git log --grep='delete from'",
    'kubectl delete --help',
    'git push --dry-run origin :x',
    'man rm',
    'sudo cat /etc/kill',
    "sh -c 'ls'",
    'ssh h ls',
    "psql -c 'select 1'",
    'for f in *; do echo $f; done',
    'git commit -m "drop table"',
    'git commit -m "push --force" -a',
    'git commit -m "$(cat file)"',
    'git clean -nfd',
    'git rm --cached x',
    'git log push -f',
    'rm --help',
    'fdisk -l /dev/sda',
    'git restore -S x',
    'echo "rm -rf x"',
    "echo 'a $(rm x)'",
    'echo "\\$(rm x)"',
    'echo "a <(rm x)"',
    'echo rm x | grep rm',
    'echo "rm x" | cat',
    "grep 'rm -rf' file",
    "xargs grep 'rm -rf x'",
    'sudo grep -r "rm -rf x" /etc',
    'sudo apt install trash',
    'sudo -E npm install rm x',
    'if git commit -m "rm x"; then ls; fi',
    'while read kill; do echo rm x; done',
    'timeout 5 grep rm x',
    'command -v rm',
    'docker logs kill',
    'docker exec web ls rm',
    'kubectl get pod rm x',
    'kubectl delete pod x --dry-run=client',
    'aws s3 rm s3://x --dryrun',
    'rsync -avn --delete a b',
    'make -n distclean',
    'psql -c "select * from x where y = \'drop\'"',
    'npm install rm x',
    'tar -c x',
    'find . -exec grep rm {} \\;',
    'cp /dev/sda a',
    'echo x > /dev/null',
    'echo $((1 + 2))',
    '((rm = 1))',
    'bash script.sh "rm -rf x"',
    '# rm -rf x',
    'ls # $(rm x)',
    'tmux new -s kill',
    'nix-shell -p rm',
  ])('%s takes nothing away', (line) => {
    expect(risk(line)).toBeNull();
  });
});

describe('the time of riskOf', () => {
  it.each([
    ['aws ', '-a '],
    ['aws ', '-a x '],
    ['sudo ', '-a x '],
    ['', 'sudo '],
    ['git ', 'push '],
    ['git push -', 'f'],
    ['docker ', 'prune '],
    ['xargs ', '-a git '],
    ['find ', '-exec sudo '],
    ['echo ', '"a" '],
    ['echo ', '"$(a '],
    ['echo ', '`a '],
    ['cat ', '<(a) '],
    ['', '$('],
    ['', '((a) '],
    ['', ';'],
    ['', '\\'],
    ['', 'A=b '],
    ['', 'echo a | '],
    ['sh -c "', "sh -c 'a' "],
    ['psql ', '<<<a '],
    ['psql "', 'update x '],
  ])('grows with the line: %s%s …', (start, part) => {
    const timeMs = (bytes: number) => {
      const line = `${start}${part.repeat(bytes / part.length)}${') '.repeat(part === '((a) ' ? bytes / 5 : 0)}`;
      const from = performance.now();
      risk(line);
      return performance.now() - from;
    };
    timeMs(1_000);
    // A square takes a hundred times as long for ten times the bytes.
    const small = timeMs(5_000);
    expect(timeMs(part === '-a ' ? 100_000 : 50_000)).toBeLessThan(40 * Math.max(small, 25));
  });
});

describe('withoutDanger', () => {
  const rows = (...lines: string[]) => lines.map((line) => ({ line }) as Candidate);
  const shown = (typed: string, ...lines: string[]) =>
    withoutDanger(rows(...lines), { line: typed, cursor: typed.length } as Query, risk).map(
      ({ line }) => line,
    );
  it('makes nothing that destroys of half a word', () => {
    expect(shown('git reset --h', 'git reset --hard', 'git reset --help')).toEqual(['git reset --help']);
    expect(shown('rm -rf .', 'rm -rf .git/')).toEqual([]);
  });
  it('puts a safe row before it, and shows none where there is no safe one', () => {
    expect(shown('git push ', 'git push --force', 'git push origin')).toEqual([
      'git push origin',
      'git push --force',
    ]);
    expect(shown('rm -rf ', 'rm -rf build', 'rm -rf dist')).toEqual([]);
    expect(shown('', 'rm -rf build', 'ls')).toEqual(['ls', 'rm -rf build']);
  });
  it('marks what a row would do', () => {
    const [row] = withoutDanger(rows('mv a file.txt'), { line: 'mv a ', cursor: 5 } as Query, risk);
    expect(row?.risk).toBe('overwrites');
  });
});
