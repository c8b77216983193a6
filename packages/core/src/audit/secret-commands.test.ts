// An algorithm of its own: events hold what it leaves of a text.
import { describe, expect, it } from 'vitest'
import { redactText, redactValue } from './redact.ts'
import { hex, letters, secret } from '../../test/audit/secret-shapes.ts'

// Joined at run time, so that scanners for secrets find none in the repository.
const word = secret('hunter2', 'Xq9Zk')

const COMMANDS = [
  `DB_PASS=${word} app`,
  `docker run -e DB_PW=${word} image`,
  `SSHPASS=${word} sshpass -e ssh x`,
  `echo ${word} | docker login --password-stdin`,
  `printf '%s' "${word}" | sudo -kS ls`,
  `echo -n ${word} | passwd --stdin bob`,
  `gh auth login --with-token <<< ${word}`,
  `chpasswd <<< "bob:${word}"`,
  `htpasswd -b users bob ${word}`,
  `htpasswd -bnBC 10 bob ${word}`,
  `smbclient -U bob%${word} //host/share`,
  `lftp -u bob,${word} host`,
  `sqlplus bob/${word}@db`,
  `sqlcmd -U sa -P ${word}`,
  `ssh-keygen -N "${word}" -f key`,
  `snmpget -c ${word} host`,
  `useradd -p '${word}' bob`,
  `openssl enc -k ${word} -in a`,
  `keytool -storepass ${word} -list`,
  `cmdkey /add:x /user:y /pass:${word}`,
  `schtasks /create /ru x /rp ${word}`,
  `vault login ${word}`,
  `vault kv put secret/x value=${word} other=a`,
  `vault kv put secret/x other=a value=${word}`,
  `kubectl create secret generic s --from-literal=db=${word}`,
  `fly secrets set FOO=${word}`,
  `gh secret set FOO --body "${word}"`,
  `aws ssm put-parameter --name x --value ${word} --type SecureString`,
  `ConvertTo-SecureString "${word}" -AsPlainText -Force`,
  `curl -s --cookie "sid=${word}" https://example.com`,
  `CREATE USER bob IDENTIFIED BY '${word}'`,
  `SET PASSWORD FOR bob = PASSWORD('${word}')`,
  `<db:password>${word}</db:password>`,
  `<Secret name="a" value="${word}"/>`,
  `jdbc:oracle:thin:bob/${word}@host`,
  `пароль: ${word}`,
  `密码：${word}`,
  JSON.stringify({ text: JSON.stringify({ text: JSON.stringify({ apiKey: word }) }) }),
]

describe('a secret in a command, a statement or an element', () => {
  it.each(COMMANDS)('[OBS-4, ABUSE-99] is removed: %s', (text) => {
    const redacted = redactText(`before ${text}\nafter`)
    expect(redacted).not.toContain(word)
    expect(redacted).toMatch(/^before .*\[redacted\].*after$/)
  })

  it.each([
    'echo done | grep done',
    'echo ok | sudo tee file',
    'tests pass: 12, fail: 3',
    'laptop: 5 and a compass=7',
    'curl -b cookies.txt https://example.com',
    'openssl x509 -in cert.pem -keyform PEM',
    'SELECT * FROM users WHERE name IN (1, 2)',
    '<p>the password is shown below</p>',
    'grep -P "a+" file && ssh-keygen -t ed25519',
    'git commit -m "pass the salt"',
    'cat <<< hello',
    'vault status; kubectl get secrets -A',
  ])('[OBS-4] is not found in: %s', (text) => {
    expect(redactText(text)).toBe(text)
  })

  it.each([
    [['mysql', '-u', 'root', `-p${word}`, 'shop'], 3],
    [['curl', '-u', `bob:${word}`, 'https://example.com'], 2],
    [['redis-cli', '-a', word, 'ping'], 2],
    [['docker', 'login', '-u', 'bob', '-p', word], 5],
    [['sshpass', '-p', `${word} and more`, 'ssh', 'host'], 2],
  ] as const)('[OBS-4, ABUSE-99] is removed from the words of a command: %j', (words, index) => {
    const shown = redactValue({ command: words }) as { readonly command: readonly string[] }
    expect(JSON.stringify(shown)).not.toContain(word)
    expect(shown.command.filter((_, at) => at !== index)).toEqual(words.filter((_, at) => at !== index))
  })

  it('[OBS-4] is not found in the words of a plain command', () => {
    const command = ['docker', 'run', '-p', '8080:80', '-u', '1000:1000', 'image']
    expect(redactValue({ command })).toEqual({ command })
  })

  it.each([
    'DB_PASS',
    'dbPass',
    'pass',
    'jwt',
    'otp',
    'bearer',
    'pass\u200Bword',
    'ｐａｓｓｗｏｒｄ',
    'пароль',
    'パスワード',
  ])('[OBS-4, ABUSE-99] is the value under the name %s', (name) => {
    expect(JSON.stringify(redactValue({ [name]: word }))).not.toContain(word)
  })

  it('[OBS-4] is not a number of tests, or what a name only ends like', () => {
    const input = { pass: 12, bypass: 'on', laptop: 'x', compass: 'north', passenger: 'Bob' }
    expect(redactValue(input)).toEqual(input)
  })
})

describe('a token of an issuer', () => {
  it.each([
    ['Atlassian', secret('ATA', 'TT3x', letters(40))],
    ['Postman', secret('PM', 'AK-', hex(24), '-', hex(34))],
    ['Pulumi', secret('pu', 'l-', hex(40))],
    ['Supabase', secret('sb', 'p_', hex(40))],
    ['RubyGems', secret('ruby', 'gems_', hex(48))],
    ['CircleCI', secret('CCI', 'PAT_', letters(22), '_', hex(40))],
    ['Doppler', secret('dp', '.pt.', letters(43))],
    ['Airtable', secret('pat', letters(14), '.', hex(64))],
    ['LangSmith', secret('ls', 'v2_pt_', hex(32), '_', hex(10))],
    ['NVIDIA', secret('nv', 'api-', letters(60))],
    ['Telegram, in an address', secret('https://api.telegram.org/bot12345678', '9:AA', letters(33), '/send')],
  ])('[OBS-4, ABUSE-99] is removed anywhere: %s', (_, token) => {
    const redacted = redactText(`see ${token} there`)
    expect(redacted).toContain('[redacted]')
    expect(redacted).not.toContain(token.slice(-20).replace('/send', ''))
  })
})
