/**
 * Shapes of command lines with a secret, and of similar lines without one: they measure the rules for secrets. `{kind}`
 * or `{kind:N}` is filled with a made-up value; none was ever valid. Written without looking at the rules.
 */
import { createRandom } from './random.ts';

const SHAPES = `
mysql -h db1 -u root -p{pw} shop
mysql -e "CREATE USER 'ann'@'%' IDENTIFIED BY '{pw}'"
psql -c "ALTER ROLE ann WITH PASSWORD '{pw}'"
psql "postgresql://ann:{pw}@db1:5432/shop"
psql "host=db1 user=ann password={pw} dbname=shop"
PGPASSWORD={pw} pg_dump shop > shop.sql
createdb --maintenance-db=postgres://ann:{pw}@db1/postgres shop
mongosh "mongodb+srv://ann:{pw}@cluster0.example.net/shop"
mongo shop -u ann -p {pw} --authenticationDatabase admin
mongosh --eval 'db.createUser({user:"ann",pwd:"{pw}",roles:["root"]})'
redis-cli -h cache1 -a {pw} info
redis-cli -u redis://default:{pw}@cache1:6379
redis-cli config set requirepass {pw}
sqlcmd -S db1 -U sa -P {pw} -Q "select 1"
sqlplus ann/{pw}@//db1:1521/orcl
cqlsh -u cassandra -p {pw} db1
clickhouse-client --user ann --password {pw}
influx -username ann -password {pw}
docker run -e MYSQL_ROOT_PASSWORD={pw} mysql:8
docker run -e x_pass={pw} img
docker run --env POSTGRES_PASSWORD='{pw}' postgres
podman run -e SECRET_KEY={alnum:32} web
docker login -u ann -p {pw} registry.example.org
docker login registry.example.org --username ann --password {pw}
echo {pw} | docker login --username ann --password-stdin
helm registry login -u ann -p {pw} registry.example.org
helm upgrade web ./chart --set auth.password={pw}
helm install db bitnami/postgresql --set-string global.postgresql.auth.postgresPassword={pw}
kubectl create secret generic db --from-literal=password={pw}
kubectl create secret generic api --from-literal=key={alnum:24}
kubectl create secret docker-registry r --docker-username=ann --docker-password={pw}
kubectl --token={alnum:40} get pods
oc login https://api.example.org:6443 -u ann -p {pw}
oc login --token=sha256~{alnum:43}
echo -n {pw} | kubectl create secret generic db --from-file=password=/dev/stdin
sshpass -p {pw} ssh ann@host1
sshpass -p'{pw}' scp a host1:
echo {pw} | sudo -S apt update
echo 'ann:{pw}' | sudo chpasswd
echo -e "{pw}\\n{pw}" | passwd ann
echo "{pw}" | passwd --stdin ann
sudo usermod -p '{pw}' ann
useradd -m -p {pw} ann
printf '%s' '{pw}' | cryptsetup luksFormat /dev/sdb1 -
ssh-keygen -t ed25519 -N {pw} -f key
ssh-keygen -p -P {pw} -N '' -f key
zip -P {pw} -r a.zip docs
zip -r --password {pw} a.zip docs
unzip -P {pw} a.zip
7z x -p{pw} a.7z
7za a -p"{pw}" -mhe a.7z docs
rar a -hp{pw} a.rar docs
gpg --batch --passphrase {pw} -c notes.txt
gpg --batch --yes --passphrase='{pw}' -d notes.gpg
openssl enc -aes-256-cbc -k {pw} -in a -out b
openssl rsa -in key.pem -passin pass:{pw}
openssl pkcs12 -export -inkey k.pem -in c.pem -password pass:{pw} -out c.p12
openssl passwd -6 {pw}
keytool -genkey -keystore a.jks -storepass {pw} -keypass {pw}
keytool -importcert -file c.crt -keystore a.jks -storepass {pw}
apksigner sign --ks a.jks --ks-pass pass:{pw} app.apk
qpdf --encrypt {pw} {pw} 256 -- in.pdf out.pdf
pdftk in.pdf output out.pdf user_pw {pw}
pdftotext -upw {pw} in.pdf
curl -u ann:{pw} https://api.example.org
curl --user 'ann:{pw}' -X POST https://api.example.org
curl -H "Authorization: Bearer {alnum:40}" https://api.example.org
curl -H 'Authorization: Basic {b64:24}' https://api.example.org
curl -H "X-Api-Key: {hex:32}" https://api.example.org
curl -H "PRIVATE-TOKEN: {alnum:20}" https://git.example.org/api/v4/projects
curl -H "X-Vault-Token: hvs.{alnum:24}" https://vault.example.org
curl -H "apikey: {alnum:32}" https://api.example.org
curl -b "sessionid={alnum:32}" https://app.example.org
curl --cookie 'PHPSESSID={alnum:26}; theme=dark' https://app.example.org
curl -d 'username=ann&password={pw}' https://app.example.org/login
curl -d '{"user":"ann","password":"{pw}"}' https://app.example.org/login
curl -d "{\\"token\\": \\"{alnum:32}\\"}" https://app.example.org
curl "https://api.example.org/v1?api_key={hex:32}"
curl "https://maps.example.org/json?address=x&key={alnum:39}"
curl https://ann:{pw}@files.example.org/a
curl -F "client_secret={alnum:32}" https://auth.example.org/token
curl --proxy-user ann:{pw} -x proxy:3128 https://example.org
curl -X POST https://hooks.slack.com/services/T{upper:8}/B{upper:8}/{alnum:24}
curl -X POST https://discord.com/api/webhooks/{digits:18}/{alnum:68} -d '{}'
curl https://api.telegram.org/bot{digits:10}:AA{alnum:33}/getMe
curl -X POST https://outlook.office.com/webhook/{hex:32}
wget --user=ann --password={pw} https://files.example.org/a
wget --http-password={pw} https://files.example.org/a
wget --header="Authorization: token {hex:40}" https://api.example.org
http -a ann:{pw} GET https://api.example.org
http POST api.example.org/login user=ann password={pw}
xh -a ann:{pw} api.example.org
git clone https://ann:{pw}@git.example.org/a/b.git
git clone https://oauth2:glpat-{alnum:20}@gitlab.com/a/b.git
git remote set-url origin https://{alnum:40}@github.com/a/b.git
git config --global github.token {hex:40}
git -c http.extraHeader="Authorization: Bearer {alnum:40}" fetch
export GITHUB_TOKEN=ghp_{alnum:36}
export GH_TOKEN=github_pat_{alnum:22}_{alnum:59}
export AWS_SECRET_ACCESS_KEY={b64:40}
AWS_SESSION_TOKEN={b64:80} aws s3 ls
aws configure set aws_access_key_id AKIA{b32:16}
aws configure set aws_secret_access_key {b64:40}
aws secretsmanager put-secret-value --secret-id db --secret-string {pw}
aws ssm put-parameter --name /db/pass --type SecureString --value {pw}
aws rds create-db-instance --master-username ann --master-user-password {pw}
aws iam create-login-profile --user-name ann --password {pw}
az login --service-principal -u app -p {alnum:34} --tenant t1
az storage blob list --account-name a --account-key {b64:86}==
az keyvault secret set --vault-name v --name db --value {pw}
gcloud sql users set-password ann --instance=db --password={pw}
gcloud auth activate-refresh-token ann 1//{alnum:60}
vault login {alnum:24}
vault login hvs.{alnum:24}
vault kv put secret/db password={pw}
vault write auth/userpass/users/ann password={pw}
VAULT_TOKEN=hvs.{alnum:24} vault kv get secret/db
vault operator unseal {b64:44}
consul kv put db/password {pw}
nomad status -token={hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}
heroku config:set SECRET_KEY_BASE={hex:64}
fly secrets set DATABASE_PASSWORD={pw}
vercel --token {alnum:24} deploy
netlify deploy --auth {alnum:43}
gh secret set API_KEY --body {alnum:32}
gh auth login --with-token <<< ghp_{alnum:36}
glab auth login --token glpat-{alnum:20}
doctl auth init --access-token dop_v1_{hex:64}
npm config set //registry.npmjs.org/:_authToken npm_{alnum:36}
npm login --auth-token={alnum:36}
NPM_TOKEN=npm_{alnum:36} npm publish
yarn config set npmAuthToken {alnum:36}
poetry config pypi-token.pypi pypi-{alnum:60}
poetry config http-basic.private ann {pw}
twine upload -u __token__ -p pypi-{alnum:60} dist/*
pip install --index-url https://ann:{pw}@pypi.example.org/simple a
cargo login {alnum:32}
cargo publish --token {alnum:32}
gem push a.gem --key {alnum:48}
bundle config gems.example.org ann:{pw}
composer config github-oauth.github.com {hex:40}
export OPENAI_API_KEY=sk-proj-{alnum:48}
export ANTHROPIC_API_KEY=sk-ant-api03-{alnum:93}AA
aider --openai-api-key sk-{alnum:48}
stripe listen --api-key sk_test_{alnum:24}
export HF_TOKEN=hf_{alnum:34}
huggingface-cli login --token hf_{alnum:34}
sentry-cli --auth-token {hex:64} releases list
ngrok config add-authtoken {alnum:49}
tailscale up --authkey tskey-auth-{alnum:12}-{alnum:32}
cloudflared tunnel run --token eyJ{alnum:120}
export CF_API_TOKEN={alnum:40}
snyk auth {hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}
sonar-scanner -Dsonar.login={hex:40}
mvn deploy -Dgpg.passphrase={pw}
gradle publish -PossrhPassword={pw}
java -Djavax.net.ssl.keyStorePassword={pw} -jar a.jar
ansible-playbook site.yml -e "ansible_become_pass={pw}"
ansible all -m ping --extra-vars 'db_password={pw}'
terraform apply -var "db_password={pw}"
TF_VAR_api_token={alnum:40} terraform plan
pulumi config set --secret dbPassword {pw}
ldapsearch -x -D cn=admin,dc=example -w {pw} -b dc=example
smbclient //srv/share -U ann%{pw}
smbclient //srv/share {pw} -U ann
mount -t cifs //srv/share /mnt -o username=ann,password={pw}
rpcclient -U 'ann%{pw}' srv
net use Z: //srv/share {pw} /user:ann
evil-winrm -i 10.0.0.5 -u ann -p '{pw}'
crackmapexec smb 10.0.0.0/24 -u ann -p {pw}
secretsdump.py corp/ann:{pw}@10.0.0.5
xfreerdp /v:srv /u:ann /p:{pw}
rdesktop -u ann -p {pw} srv
lftp -u ann,{pw} ftp.example.org
ftp ftp://ann:{pw}@ftp.example.org/
rclone config create s3 s3 secret_access_key={b64:40}
mc alias set s3 https://s3.example.org {b32:20} {b64:40}
restic -r sftp:host:/b --password-command 'echo {pw}' backup
BORG_PASSPHRASE='{pw}' borg create repo::a docs
RESTIC_PASSWORD={pw} restic snapshots
nmcli dev wifi connect Home password {pw}
nmcli con modify Home wifi-sec.psk {pw}
wpa_passphrase Home {pw}
iwctl --passphrase {pw} station wlan0 connect Home
snmpwalk -v3 -u ann -A {pw} -a SHA srv
ipmitool -H srv -U ann -P {pw} power status
mosquitto_pub -h mq -u ann -P {pw} -t a -m b
htpasswd -bc .htpasswd ann {pw}
rabbitmqctl add_user ann {pw}
rabbitmqctl change_password ann {pw}
mysqladmin -u root password {pw}
smbpasswd -a ann <<< "{pw}"
bw login ann@example.org {pw}
bw unlock {pw}
op signin --raw <<< {pw}
pass insert -e web <<< {pw}
steghide embed -cf a.jpg -ef b -p {pw}
dotnet nuget push a.nupkg --api-key {alnum:46}
dotnet user-secrets set "Db:Password" "{pw}"
wp user create ann a@example.org --user_pass={pw}
wp config set DB_PASSWORD {pw}
django-admin createsuperuser --password={pw}
jupyter notebook --NotebookApp.token={hex:48}
code-server --auth password --password {pw}
vncpasswd -f <<< {pw} > ~/.vnc/passwd
x11vnc -passwd {pw}
tmux setenv API_TOKEN {alnum:32}
set -x DB_PASS {pw}
sed -i 's/^DB_PASSWORD=.*/DB_PASSWORD={pw}/' .env
echo "DB_PASSWORD={pw}" >> .env
echo 'machine api.example.org login ann password {pw}' >> ~/.netrc
`;

/** Lines that name secrets, or look like keys, but contain none. */
const HARMLESS = `
git commit -m "rotate the api token"
git commit -m "fix: password reset mail"
git checkout feature/password-reset
git show 4b825dc642cb6eb9a060e54bf8d69288fbee4904
git log --grep=token
git diff HEAD~1 -- src/auth/token.ts
git rebase --onto main 9fceb02d0ae598e95dc970b74767f19372d61af8
vim src/secrets/manager.go
cat ~/.ssh/id_ed25519.pub
ls ~/.password-store
grep -rn "password" src
rg 'token\\s*=' --type py
man passwd
sudo passwd ann
passwd -l ann
pass show mail/work
pass generate web/example 24
op item get Mail --fields password
bw get password github
vault kv get secret/db
vault login -method=oidc
vault token lookup
kubectl get secrets -A
kubectl describe secret db
kubectl create token builder
kubectl create secret generic db --from-env-file=.env
docker secret ls
docker build --secret id=npmrc,src=.npmrc .
docker login registry.example.org
docker run -p 8080:80 nginx
docker run --env-file .env web
docker pull alpine@sha256:c5b1261d6d3e43071626931fc004f70149baeba2c8ec672bd4f27761f8e1ad6b
export PASSWORD="$(pass show db)"
export GITHUB_TOKEN=$(gh auth token)
PGPASSWORD=$DB_PASS psql shop
mysql -u root -p shop
mysql -uroot --password shop
psql -W shop
redis-cli --askpass info
curl -u "$USER:$PASS" https://api.example.org
curl -H "Authorization: Bearer $TOKEN" https://api.example.org
curl -H "Authorization: Bearer \${TOKEN}" https://api.example.org
curl https://example.org/reset-password
curl -sSL https://example.org/keys/release.asc
curl 'https://example.org/list?page=2&sort=name'
wget https://example.org/wordlists/passwords.txt
ssh -p 2222 host1
ssh -i ~/.ssh/deploy_key host1
ssh-keygen -t ed25519 -C ann@example.org
ssh-keygen -lf key.pub
ssh-add ~/.ssh/id_rsa
scp key.pem host1:
chmod 600 key.pem
gpg --export-secret-keys --armor ann@example.org
gpg --list-secret-keys
gpg --import key.asc
openssl genrsa -out key.pem 4096
openssl req -new -key key.pem -out req.csr
openssl rand -base64 32
openssl x509 -in cert.pem -noout -text
aws secretsmanager list-secrets
aws secretsmanager get-secret-value --secret-id db
aws configure list
aws sts get-session-token
az keyvault secret show --vault-name v --name db
gcloud auth print-access-token
gh auth token
gh secret list
gh secret set API_KEY < key.txt
npm token list
npm config get //registry.npmjs.org/:_authToken
npm run test:auth
npx create-react-app password-manager
pip install python-jose tokenizers
python -m secrets
python train.py --max-tokens 2048 --tokenizer bert-base-uncased
llama-cli --n-predict 128 --keep 4
sort -k 2 -t: /etc/passwd
sort --key=2,2n table.txt
awk -F: '{print $1}' /etc/passwd
cut -d: -f1 /etc/shadow
make keys
./configure --with-openssl=/usr/local --enable-password-auth
cmake -DUSE_TOKENS=ON ..
systemctl restart sshd
systemctl status systemd-ask-password-wall
journalctl -u keycloak -f
setxkbmap -option ctrl:nocaps
xmodmap -e 'keycode 66 = Control_L'
bindkey '^R' history-incremental-search-backward
tmux list-keys
apt-key list
sudo apt install libsecret-tools keychain
pacman-key --refresh-keys
brew install pass
cd ~/work/token-service
mkdir -p secrets/dev
cp secrets.example.yaml secrets.yaml
rm .env.token
test -n "$API_KEY"
unset AWS_SECRET_ACCESS_KEY
echo $TOKEN
printenv | grep TOKEN
ffmpeg -i in.mkv -pass 1 -f null /dev/null
sha256sum key.bin
base64 -d token.b64
jwt decode "$TOKEN"
htpasswd -D .htpasswd ann
zip -r secrets.zip secrets
unzip -l passwords.zip
7z l archive.7z
hashcat -m 1000 hashes.txt rockyou.txt
kubectl logs deploy/token-refresher-7d9c6b5f4-x2x9q
kubectl port-forward svc/keycloak 8080:80
terraform apply -var-file=secrets.tfvars
ansible-playbook site.yml --ask-become-pass
ansible-vault edit secrets.yml
sops -d secrets.enc.yaml
ls ThisIsALongFileNameWithoutAnyDigitsInIt.txt
node build/index-BxY7dK2c.js
vi com.example.android.SecretActivity.kt
cargo test parses_token_stream
go test -run TestTokenBucket ./...
pytest -k "password or token"
`;

const SETS = {
  alnum: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  b64: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  b32: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  hex: '0123456789abcdef',
  upper: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  digits: '0123456789',
} as const;
const WORDS = ['hunter', 'winter', 'correcthorse', 'tr0ub4dor', 'letmein', 'q9Lm-x', 'Passw0rd', 's3cr3t'];

export interface SecretShape {
  readonly line: string;
  readonly secrets: readonly string[];
}

/** The shapes, filled with made-up secrets: the same for the same `seed`. */
export function secretShapes(seed: number): readonly SecretShape[] {
  const random = createRandom(seed);
  const pick = (from: string) => from.charAt(Math.floor(random() * from.length));
  const make = (kind: string, length: number): string => {
    if (kind === 'pw')
      return WORDS[Math.floor(random() * WORDS.length)] + String(10 + Math.floor(random() * 90));
    return Array.from({ length }, () => pick(SETS[kind as keyof typeof SETS])).join('');
  };
  return linesOf(SHAPES).map((shape) => {
    const secrets: string[] = [];
    const line = shape.replace(/\{(pw|alnum|b64|b32|hex|upper|digits)(?::(\d+))?\}/g, (_, kind, length) => {
      const secret = make(kind, Number(length ?? 0));
      if (secret.length >= 6) secrets.push(secret);
      return secret;
    });
    return { line, secrets };
  });
}

export const harmlessLines = (): readonly string[] => linesOf(HARMLESS);

const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');
