// An algorithm of its own: events hold what it leaves of a text.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '@repertoire/test-servers/properties'
import { redactText, redactValue } from './redact.ts'

/** Commands as lists of words; `§` is the secret. */
const COMMANDS: readonly (readonly string[])[] = [
  ['mysql', '-uroot', '-p§'],
  ['mysql', '-h', 'db', '-u', 'root', '-p§', 'shop'],
  ['mysqldump', '--password=§', 'shop'],
  ['mysqladmin', '--password', '§', 'status'],
  ['mariadb-dump', '-p§', 'shop'],
  ['sudo', 'mysql', '-p§'],
  ['docker', 'login', '-u', 'bob', '-p', '§', 'ghcr.example'],
  ['docker', 'login', '-p§'],
  ['podman', 'login', '--password', '§'],
  ['helm', 'registry', 'login', '-u', 'bob', '-p', '§'],
  ['az', 'login', '-u', 'bob', '-p', '§'],
  ['oc', 'login', '--token=§'],
  ['docker', 'exec', 'db', 'mysql', '-uroot', '-p§'],
  ['docker', 'run', '-e', 'DB_PASSWORD=§', 'image'],
  ['redis-cli', '-a', '§', 'PING'],
  ['redis-cli', '-h', 'db', '--pass', '§'],
  ['redis-server', '--requirepass', '§'],
  ['sshpass', '-p', '§', 'ssh', 'host'],
  ['sshpass', '-p§', 'ssh', 'host'],
  ['curl', '--user', 'a:§', 'https://x.example'],
  ['curl', '--user=a:§', 'https://x.example'],
  ['curl', '-u', 'a:§', 'https://x.example'],
  ['curl', '-ua:§', 'https://x.example'],
  ['curl', '-su', 'a:§', 'https://x.example'],
  ['curl', '-sSLua:§', 'https://x.example'],
  ['curl', '-U', 'a:§', 'https://x.example'],
  ['curl', '--proxy-user', 'a:§', 'https://x.example'],
  ['curl', '-b', 'a=1; sid=§', 'https://x.example'],
  ['curl', '-sb', 'other=§', 'https://x.example'],
  ['curl', '--cookie', 'a=1; b=§', 'https://x.example'],
  ['curl', '-H', 'Authorization: Bearer §', 'https://x.example'],
  ['curl', '-H', 'X-Api-Key: §', 'https://x.example'],
  ['curl', '-H', 'Cookie: a=1; b=§', 'https://x.example'],
  ['curl', '--oauth2-bearer', '§', 'https://x.example'],
  ['curl', '-d', 'user=bob&password=§', 'https://x.example'],
  ['curl', 'https://bob:§@x.example'],
  ['http', '-a', 'bob:§', 'https://x.example'],
  ['wget', '--http-password=§', 'https://x.example'],
  ['wget', '--password', '§', 'https://x.example'],
  ['mongosh', '-u', 'bob', '-p', '§'],
  ['mongodump', '--password=§'],
  ['psql', 'postgres://bob:§@db/shop'],
  ['env', 'PGPASSWORD=§', 'psql'],
  ['ldapsearch', '-x', '-D', 'cn=bob', '-w', '§'],
  ['7z', 'x', '-p§', 'a.7z'],
  ['unzip', '-P', '§', 'a.zip'],
  ['zip', '-P', '§', 'a.zip', 'b'],
  ['sqlcmd', '-S', 'db', '-U', 'sa', '-P', '§'],
  ['cqlsh', '-u', 'bob', '-p', '§'],
  ['ssh-keygen', '-N', '§', '-f', 'key'],
  ['useradd', '-p', '§', 'bob'],
  ['smbclient', '-U', 'bob%§', '//host/share'],
  ['lftp', '-u', 'bob,§', 'host'],
  ['openssl', 'rsa', '-passin', 'pass:§', '-in', 'k.pem'],
  ['keytool', '-storepass', '§', '-list'],
  ['mosquitto_pub', '-u', 'bob', '-P', '§', '-t', 'x'],
  ['gh', 'secret', 'set', 'FOO', '--body', '§'],
  ['vault', 'login', '§'],
  ['aws', 'configure', 'set', 'aws_secret_access_key', '§'],
  ['npm', 'config', 'set', '//r.example/:_authToken', '§'],
  ['git', 'clone', 'https://bob:§@x.example/r.git'],
  ['tool', '--api-key', '§'],
  ['tool', '--client-secret=§'],
]

/** Texts that are no command; `§` is the secret. */
const TEXTS: readonly string[] = [
  'PASSWORD=§',
  'export DB_PASS="§"',
  'pass=§',
  'user=bob pass=§ host=db',
  'sid=§',
  'PHPSESSID=§',
  'JSESSIONID=§; Path=/',
  'connect.sid=§',
  'session=§',
  'session_id=§',
  'csrf_token=§',
  'https://x.example/?access_token=§&x=1',
  'https://x.example/?user=bob&pass=§',
  'Authorization: Basic §',
  'Authorization: Token §',
  'Proxy-Authorization: Bearer §',
  'Set-Cookie: id=§; HttpOnly',
  'X-Auth-Token: §',
  '{"password":"§"}',
  '{"passwords":["a", "§"]}',
  '{"credentials": {"client_secret": "§"}}',
  '{"password_hash":"§"}',
  'password: §',
  'password: !!str §',
  'password: !!str "§"',
  'password: &anchor §',
  'password: !vault |\n  §\n  more',
  'passwords:\n  - one\n  - §\nuser: bob',
  'tokens: [one, §]',
  'api_keys:\n- §',
  'password = "§"',
  'password = """§"""',
  'password = """\nfirst\n§\n"""',
  "password = '''§'''",
  "api_key = '''\n§'''",
  '[db]\npassword=§\nport=1',
  '<password>§</password>',
  '<db:secret kind="a">§</db:secret>',
  '<add key="ApiKey" value="§"/>',
  '<user password="§"/>',
  "INSERT INTO users (name, password) VALUES ('bob', '§')",
  "INSERT INTO users (password, name) VALUES ('§', 'bob')",
  "insert into app.users (id, name, password_hash) values (1, 'bob', '§'), (2, 'eve', '§')",
  "INSERT INTO users (\"name\", \"api_key\") VALUES ('it''s, bob', '§') RETURNING id",
  "INSERT INTO users (name, password) VALUES ('bob', crypt('§', gen_salt('bf')))",
  "REPLACE INTO users (`token`, n) VALUES ('§', 1)",
  "UPDATE users SET password_hash='§' WHERE id = 1",
  "UPDATE users SET password = '§' WHERE id = 1",
  "UPDATE users SET password = md5('§') WHERE id = 1",
  "SELECT * FROM users WHERE password = '§'",
  "SELECT * FROM users WHERE password LIKE '§'",
  "ALTER ROLE bob WITH PASSWORD '§'",
  "CREATE USER bob WITH ENCRYPTED PASSWORD '§'",
  "CREATE USER bob IDENTIFIED BY '§'",
  'Server=db;User Id=sa;Password=§;',
  'Server=db;Uid=sa;Pwd=§;',
  'AccountName=a;AccountKey=§;EndpointSuffix=x',
  'postgres://bob:§@db:5432/shop',
  'redis://:§@cache:6379/0',
  'amqp://bob:§@mq/vhost',
  'machine db login bob password §',
]

/** A value that no reader could take for something else: letters and digits. */
const secrets = fc
  .stringMatching(/^[A-Za-z][A-Za-z0-9]{12,24}$/)
  .map((text) => `${text.slice(0, 4)}7xQ${text.slice(4)}9`)

const quoted = (word: string): string => (/[\s;&?]/.test(word) ? `'${word}'` : word)
const doubled = (word: string): string => (/[\s;&?]/.test(word) ? `"${word}"` : word)

/** Every form in which a tool may be given a command. */
const formsOf = (words: readonly string[]): readonly unknown[] => {
  const [program, ...args] = words
  return [
    { command: words },
    { program, args },
    { command: program, arguments: args },
    { args, cmd: program },
    { command: words.map(quoted).join(' ') },
    { command: `cd /x && ${words.map(doubled).join(' ')} | tee log` },
    { command: ['bash', '-c', words.map(quoted).join(' ')] },
    { text: JSON.stringify({ command: words.map(quoted).join(' ') }) },
  ]
}

describe('a matrix of shapes', () => {
  it.each(COMMANDS.map((words) => [words.join(' '), words] as const))(
    '[OBS-4, ABUSE-99] hides the secret of a command in every form: %s',
    (_, shape) => {
      fc.assert(
        fc.property(secrets, (hidden) => {
          const words = shape.map((word) => word.replaceAll('§', hidden))
          for (const form of formsOf(words)) expect(JSON.stringify(redactValue(form))).not.toContain(hidden)
        }),
        { numRuns: runs(5) },
      )
    },
  )

  it.each(TEXTS)('[OBS-4, ABUSE-99] hides the secret of a text, and of a text in JSON: %j', (shape) => {
    fc.assert(
      fc.property(secrets, (hidden) => {
        const text = shape.replaceAll('§', hidden)
        expect(redactText(`before\n${text}\nafter`)).not.toContain(hidden)
        expect(JSON.stringify(redactValue({ content: text, list: [text] }))).not.toContain(hidden)
        expect(redactText(JSON.stringify({ text }))).not.toContain(hidden)
      }),
      { numRuns: runs(5) },
    )
  })

  it.each([
    [['docker', 'run', '-p', '8080:80', '-u', '1000:1000', 'image']],
    [['docker', 'run', '-p', '3306:3306', 'mysql', '-v']],
    [['mysql', '-u', 'root', '-p', 'shop', '-P', '3306']],
    [['git', 'push', '-u', 'origin', 'main']],
    [['curl', '-b', 'cookies.txt', '-o', 'out', '-u', 'bob', 'https://x.example']],
    [['ssh', '-p', '2222', '-U', 'host']],
    [['cp', '-pa', 'a', 'b']],
    [['serve', '--port', '8080', '-b', 'a=1']],
    [['redis-cli', '-h', 'db', '-p', '6379', 'PING']],
    [['node', '--user-agent', 'x:y', '-p', '1']],
    [['unzip', '-p', 'a.zip', 'b.txt']],
    [['psql', '-U', 'bob:x', '-b', 'a=1']],
  ] as const)('[OBS-4] leaves a harmless command as it is: %j', (words) => {
    const [program, ...args] = words
    for (const form of [{ command: words }, { program, args }, { command: words.join(' ') }]) {
      expect(redactValue(form)).toEqual(form)
    }
  })

  it.each([
    "INSERT INTO users (name, age) VALUES ('bob', 7)",
    'INSERT INTO users (name, password) VALUES (?, $1)',
    'UPDATE users SET name = NULL',
    'maxTokens: [1, 2]',
    'steps:\n- one\n- two',
    'title = """three quotes"""',
    'The session was saved, and sessions are listed.',
    'kind: !!str plain, and name: &anchor plain',
    'tests pass: 12',
  ])('[OBS-4] leaves a harmless text as it is: %j', (text) => {
    expect(redactValue(text)).toBe(text.replaceAll('\n', '\\u{A}'))
  })
})
