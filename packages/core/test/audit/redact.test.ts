import { lintSource } from '@secretlint/core'
import { creator } from '@secretlint/secretlint-rule-preset-recommend'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redactText, redactValue } from '../../src/audit/redact.ts'
import { isSecretName } from '../../src/audit/secrets.ts'

// Joined at run time, so that scanners for secrets find none in the repository.
const secret = (...parts: readonly string[]): string => parts.join('')
const letters = (count: number): string => 'aB3dE5gH7jK9mN1pQ'.repeat(20).slice(0, count)
const hex = (count: number): string => '0123456789abcdef'.repeat(20).slice(0, count)
const pem = (kind: string): string =>
  [
    '-----BEGIN',
    `${kind} KEY-----\n${`${letters(64)}\n`.repeat(10)}${letters(60)}==\n-----END`,
    `${kind} KEY-----`,
  ].join(' ')

/** Shapes with the secret that must be gone. `known`: an independent scanner knows the shape too. */
const SHAPES: readonly {
  readonly of: string
  readonly text: string
  readonly gone: string
  readonly known?: boolean
}[] = [
  { of: 'an AWS key id', text: secret('AK', 'IA', 'Z7QXJ4M2N6P8R5TW'), gone: 'Z7QXJ4M2N6P8R5TW' },
  {
    of: 'an AWS secret by its name',
    text: secret('AWS_SECRET_ACCESS', '_KEY=', letters(40)),
    gone: letters(40),
    known: true,
  },
  { of: 'a GitHub token', text: secret('gh', 'p_', letters(36)), gone: letters(36), known: true },
  {
    of: 'a fine-grained GitHub token',
    text: secret('github', '_pat_', letters(22), '_', letters(59)),
    gone: letters(59),
  },
  { of: 'a GitLab token', text: secret('gl', 'pat-', letters(20)), gone: letters(20), known: true },
  { of: 'an npm token', text: secret('np', 'm_', letters(36)), gone: letters(36), known: true },
  { of: 'an OpenAI key', text: secret('s', 'k-proj-', letters(48)), gone: letters(48) },
  { of: 'an Anthropic key', text: secret('s', 'k-ant-api03-', letters(93), 'AA'), gone: letters(93), known: true },
  { of: 'a Hugging Face token', text: secret('h', 'f_', letters(34)), gone: letters(34) },
  { of: 'a Google key', text: secret('AI', 'za', letters(35)), gone: letters(35) },
  {
    of: 'a Slack token',
    text: secret('xo', 'xb-123456789012-1234567890123-', letters(24)),
    gone: letters(24),
    known: true,
  },
  {
    of: 'a Slack hook',
    text: secret('https://hooks.slack', '.com/services/T0000000A/B0000000A/', letters(24)),
    gone: letters(24),
    known: true,
  },
  { of: 'a Stripe key', text: secret('s', 'k_live_', letters(24)), gone: letters(24) },
  { of: 'a SendGrid key', text: secret('S', 'G.', letters(22), '.', letters(43)), gone: letters(43), known: true },
  { of: 'a Shopify token', text: secret('shp', 'at_', hex(32)), gone: hex(32), known: true },
  { of: 'a Linear key', text: secret('lin', '_api_', letters(40)), gone: letters(40), known: true },
  { of: 'a Telegram token', text: secret('12345678', '9:AA', letters(33)), gone: letters(33) },
  { of: 'a Vault token', text: secret('hv', 's.', letters(24)), gone: letters(24) },
  { of: 'an RSA key', text: pem('RSA PRIVATE'), gone: letters(60) },
  { of: 'an OpenSSH key', text: pem('OPENSSH PRIVATE'), gone: letters(60) },
  { of: 'a key whose end is missing', text: pem('PRIVATE').slice(0, 90), gone: letters(50) },
  {
    of: 'a JSON Web Token',
    text: secret('eyJhbGciOiJIUzI1NiJ9', '.eyJzdWIiOiIxMjM0NSJ9.', letters(43)),
    gone: letters(43),
  },
  { of: 'a bearer token', text: secret('Authorization: Bea', 'rer ', letters(30)), gone: letters(30) },
  { of: 'a bearer token without a header', text: secret('use Bea', 'rer ', letters(30)), gone: letters(30) },
  { of: 'basic credentials', text: secret('-H "Authorization: Bas', 'ic dXNlcjpwYXNzd29yZA=="'), gone: 'dXNlcjpwYXNz' },
  { of: 'a key header', text: secret('x-api', '-key: tiny'), gone: 'tiny' },
  { of: 'a cookie', text: 'Cookie: sid=abcdef; theme=dark', gone: 'abcdef' },
  { of: 'a URL with a password', text: secret('https://bob:', 'p@ss@example.com/x'), gone: 'p@ss' },
  { of: 'a database URL', text: secret('postgres://app:', 'hunter2@db.local:5432/shop'), gone: 'hunter2', known: true },
  { of: 'a signed URL', text: 'https://a.blob.example/c?sv=1&sig=Zm9vYmFy%3D&se=2', gone: 'Zm9vYmFy' },
  { of: 'a password', text: secret('pass', 'word=hunter2'), gone: 'hunter2' },
  { of: 'a password with a prefix', text: secret('DB_PASS', 'WORD: hunter2'), gone: 'hunter2' },
  { of: 'a password in quotes', text: secret('pass', 'word = "two words"'), gone: 'words' },
  { of: 'a password in JSON', text: secret('{"pass', 'word":"a\\"b c","n":1}'), gone: 'b c' },
  { of: 'a key in JSON in JSON', text: secret('"{\\"api', 'Key\\":\\"a b\\",\\"n\\":1}"'), gone: 'a b' },
  { of: 'a secret in camel case', text: secret('client', 'Secret: abc.def'), gone: 'abc.def' },
  { of: 'a connection string', text: secret('Server=db;User=a;Pass', 'word=hunter2;Pooling=1'), gone: 'hunter2' },
  { of: 'an option of a command', text: secret('tool --to', 'ken abcdef --verbose'), gone: 'abcdef' },
  { of: 'an option with its value', text: secret('tool --api-', 'key=abcdef'), gone: 'abcdef' },
  { of: "curl's user", text: 'curl -u bob:hunter2 https://example.com', gone: 'hunter2' },
  { of: "curl's user without a blank", text: 'curl -sS -ubob:hunter2 https://example.com', gone: 'hunter2' },
  { of: "curl's user in quotes", text: `curl --user "bob:two words" https://example.com`, gone: 'words' },
  { of: "curl's user in JSON", text: String.raw`{"command":"curl -u \"bob:two words\" x"}`, gone: 'words' },
  { of: "mysql's password", text: secret('mysql -h db -u root -p', 'hunter2 shop'), gone: 'hunter2' },
  { of: "mysqldump's password in quotes", text: secret("mysqldump -uroot -p'two", " words' shop"), gone: 'words' },
  { of: "mariadb's password", text: secret('/usr/bin/mariadb-admin -p', 'hunter2 status'), gone: 'hunter2' },
  { of: "sshpass's password", text: secret('sshpass -p ', 'hunter2 ssh bob@db'), gone: 'hunter2' },
  { of: "sshpass's password without a blank", text: secret('sshpass -p', '"two words" ssh bob@db'), gone: 'words' },
  { of: "docker's password", text: secret('docker login -u bob -p ', 'hunter2 ghcr.example'), gone: 'hunter2' },
  { of: "redis-cli's password", text: secret('redis-cli -h db -a ', 'hunter2 PING'), gone: 'hunter2' },
  { of: "mongosh's password", text: secret('mongosh -u bob -p ', 'hunter2 db'), gone: 'hunter2' },
  { of: "ldapsearch's password", text: secret('ldapsearch -x -D cn=bob -w ', 'hunter2 -b dc=x'), gone: 'hunter2' },
  { of: "an archive's password", text: secret('7z x -p', 'hunter2 a.7z'), gone: 'hunter2' },
  { of: "openssl's password", text: secret('openssl rsa -passin pass:', 'hunter2 -in k.pem'), gone: 'hunter2' },
  { of: 'a password in a sentence', text: secret('the pass', 'word is hunter2.'), gone: 'hunter2' },
  {
    of: 'a password of somebody',
    text: secret('pass', 'word for bob@db1 was changed to hunter2, so'),
    gone: 'hunter2',
  },
  { of: 'a password in quotes in a sentence', text: secret('My pass', 'word is "correct horse"!'), gone: 'horse' },
  { of: 'a password of letters and signs', text: secret('passphrase is now Correct', 'Horse'), gone: 'Horse' },
  { of: 'a key in a sentence', text: secret('The API key is ', 'abc-def-123 here'), gone: 'abc-def' },
  { of: 'a password that is set', text: secret('set the pass', 'word to p@ssw0rd now'), gone: 'ssw0rd' },
  { of: 'a password in .netrc', text: secret('machine db login bob pass', 'word hunter2'), gone: 'hunter2' },
  { of: 'a password in German', text: secret('Das Pass', 'wort lautet hunter2'), gone: 'hunter2' },
  { of: 'a password in German with a colon', text: secret('Kenn', 'wort: hunter'), gone: 'hunter' },
  { of: 'a password in French', text: secret('le mot de ', 'passe est hunter2'), gone: 'hunter2' },
  { of: 'a password in Spanish', text: secret('contra', 'seña: hunter'), gone: 'hunter' },
  {
    of: 'a token of an app at GitHub',
    text: secret('gh', 's_12345_', letters(30), '.', letters(40), '.', letters(43)),
    gone: letters(40),
    known: true,
  },
  { of: 'a Figma token', text: secret('fig', 'd_', letters(20), '-', letters(30)), gone: letters(30), known: true },
  { of: 'a Grafana token', text: secret('gl', 'sa_', letters(32), '_0123abcd'), gone: letters(32), known: true },
  { of: 'a Grafana cloud token', text: secret('gl', 'c_', letters(60)), gone: letters(60), known: true },
  { of: 'a Vercel token', text: secret('vc', 'p_', letters(40)), gone: letters(40), known: true },
  { of: 'a Cloudflare token', text: secret('cf', 'ut_', letters(40), hex(8)), gone: letters(40), known: true },
  { of: 'a Databricks token', text: secret('dap', 'i', hex(32)), gone: hex(32), known: true },
  {
    of: 'a Tailscale key',
    text: secret('tskey', '-auth-', letters(12), '-', letters(32)),
    gone: letters(32),
    known: true,
  },
  { of: 'a Groq key', text: secret('gs', 'k_', letters(52)), gone: letters(52), known: true },
  { of: 'a Notion token', text: secret('nt', 'n_', '12345678901', letters(35)), gone: letters(35), known: true },
  { of: 'a Docker token', text: secret('dck', 'r_pat_', letters(27)), gone: letters(27), known: true },
]

const scanned = async (content: string): Promise<readonly string[]> => {
  const found = await lintSource({
    source: { content, filePath: 'event.json', ext: '.json', contentType: 'text' },
    options: { config: { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator }] } },
  })
  return found.messages.map(({ ruleId, message }) => `${ruleId}: ${message}`)
}

describe('redaction', () => {
  it.each(SHAPES)('[OBS-4, ABUSE-99] redacts $of, and nothing around it', ({ text, gone }) => {
    const redacted = redactText(`before ${text}\nafter`)
    expect(redacted).not.toContain(gone)
    expect(redacted).toContain('[redacted]')
    expect(redacted).toMatch(/^before /)
    if (!text.includes('-----BEGIN') || text.includes('-----END')) expect(redacted).toMatch(/after$/)
  })

  it.each(SHAPES.filter(({ known }) => known === true))(
    '[OBS-4, ABUSE-99] leaves of $of nothing that a scanner for secrets finds',
    async ({ text }) => {
      expect(await scanned(text)).not.toEqual([])
      expect(await scanned(redactText(text))).toEqual([])
    },
  )

  it.each([
    'git log --oneline -n 20',
    'Basic authentication is required here',
    'cat secret.txt and the secretary: Bob',
    'max_tokens=200 and inputTokens: 5',
    'ssh://git@example.com/repo.git',
    'The skill "pdf" was not activated: consent was not given. Go on without it.',
    `sha256 ${hex(64)} and ${crypto.randomUUID()}`,
    'docs/keys.md:12:see "tokens" [1, 2]',
    'the password is required, and a password was not given',
    'The password is wrong: it must be 12 characters or 128 bits long',
    'the password field, the password manager and a password reset',
    'Passwords are hashed, the secret is stored in the vault, and the token is expired.',
    'password is: see the vault',
    'a wrong password is `INFO`, a token is **not** one, and the secret to “it”',
    'Get your API key: https://example.com/keys, and save the token to `~/.config/a1.json`',
    'credentials from 1Password, and the password as `apiToken`',
    'the password is $PASSWORD1, the API key is in ./keys/1.json',
    'POST /forgot-password HTTP/1.1',
    'docker run -u 1000:1000 --user=0:0 image',
    'mysql -h db -u root -p shop',
    'mysqldump --port 3306 shop; mkdir -p a/b',
    'docker run -p 8080:80 image',
    'git push -u origin main',
    'unzip -p a.zip b.txt',
    'cp -p a b && ssh -p 2222 db',
    'tokens: 3, and the total tokens is 1200',
    'npm i secret_manager-client-library-for-node',
  ])('[OBS-4] leaves as it is: %s', (text) => {
    expect(redactText(text)).toBe(text)
  })

  it('[OBS-4, ABUSE-98] makes control characters, line ends and invisible characters visible', () => {
    expect(redactText('a\r\nb\u001B[31mc\u2028d\u200B\u202Ee\0')).toBe(
      'a\\u{D}\\u{A}b\\u{1B}[31mc\\u{2028}d\\u{200B}\\u{202E}e\\u{0}',
    )
  })

  it('[OBS-4] truncates a long text, and leaves no part of a secret at its end', () => {
    expect(redactText('x'.repeat(100_000))).toHaveLength(4_000)
    const token = secret('gh', 'p_', letters(36))
    for (let before = 3_900; before < 4_010; before += 7) {
      expect(redactText(`${'x'.repeat(before)} ${token} y`)).not.toContain(letters(8))
    }
    // Redaction shortens what precedes, so that the end of the searched part is shown.
    for (let before = 15_440; before < 16_010; before += 7) {
      for (const gap of [' ', ';']) {
        const text = `${secret('pass', 'word=')}${'x'.repeat(before - 10)}${gap}${token} y`
        expect(redactText(text)).not.toContain(letters(8))
      }
    }
  })

  it('[OBS-4, ABUSE-98] does not cut a surrogate pair', () => {
    expect(redactText('a\uD800b\uDC00')).toBe('a\uFFFDb\uFFFD')
    expect(redactText(`${'x'.repeat(3_998)}${'😀'.repeat(9)}`).isWellFormed()).toBe(true)
  })

  it('[OBS-4] changes nothing when it is applied again', () => {
    const pieces = fc.constantFrom(
      ...SHAPES.map(({ text }) => text),
      'password',
      'token',
      '=',
      ': ',
      '"',
      "'",
      '\\"',
      '[redacted]',
      '\n',
      '\u001B',
      ' ',
      '-',
      '@',
      '://',
      'eyJ',
      '…',
    )
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.array(fc.oneof(pieces, fc.string({ maxLength: 4 })), { maxLength: 30 }).map((parts) => parts.join('')),
      fc.array(pieces, { minLength: 100, maxLength: 600 }).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const once = redactText(text)
        expect(redactText(once)).toBe(once)
        expect(once.length).toBeLessThanOrEqual(4_000)
        expect(once).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029]/u)
      }),
      { numRuns: 300 },
    )
  })

  it('[OBS-4, ABUSE-99] redacts any value under the name of a secret', () => {
    const value = fc.stringMatching(/^[A-Za-z0-9+/!%*?@#^-]{8,40}$/)
    const name = fc.constantFrom('password', 'API_KEY', 'clientSecret', 'access-token', 'x-api-key')
    const between = fc.constantFrom('=', ': ', ' = ', '":"', "': '", '=>')
    fc.assert(
      fc.property(name, between, value, (key, sign, hidden) => {
        expect(redactText(`a ${key}${sign}${hidden} b`)).not.toContain(hidden)
        expect(JSON.stringify(redactValue({ list: [{ [key]: hidden }] }))).not.toContain(hidden)
      }),
    )
  })
})

describe('redaction of values', () => {
  it('[OBS-4, ABUSE-99] redacts by the name of a property, whatever its value is', () => {
    const value = {
      command: secret('run --pass', 'word=hunter2'),
      headers: { Authorization: 'x', 'X-Api-Key': ['y'], Accept: '*/*' },
      clientSecret: { deep: 'z' },
      passcode: 1234,
      maxTokens: 20,
      token: null,
      [secret('gh', 'p_', letters(36))]: 1,
    }
    expect(redactValue(value)).toEqual({
      command: 'run --password=[redacted]',
      headers: { Authorization: '[redacted]', 'X-Api-Key': '[redacted]', Accept: '*/*' },
      clientSecret: '[redacted]',
      passcode: '[redacted]',
      maxTokens: 20,
      token: null,
      '[redacted]': 1,
    })
  })

  it.each([
    ['password', true],
    ['DB_PASSWORD', true],
    ['apiKey', true],
    ['aws-secret-access-key', true],
    ['refreshToken', true],
    ['Set-Cookie', true],
    ['key', false],
    ['description', false],
    ['tokenizer', false],
    ['path', false],
  ])('[OBS-4] knows whether %s names a secret: %s', (name, is) => {
    expect(isSecretName(name)).toBe(is)
  })

  it('[OBS-4] returns bounded plain JSON for any value, and the same when applied again', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true, maxDepth: 6 }), (value) => {
        const once = redactValue(value)
        expect(JSON.parse(JSON.stringify(once))).toEqual(once)
        expect(redactValue(once)).toEqual(once)
      }),
    )
  })

  it('[OBS-4] truncates what is deep, long or large, and survives values that throw', () => {
    let deep: unknown = 1
    for (let level = 0; level < 100_000; level++) deep = [deep]
    expect(JSON.stringify(redactValue(deep))).toContain('…')
    const list = redactValue(Array.from({ length: 1_000 }, (_, index) => index)) as readonly unknown[]
    expect([list.length, list.at(-1)]).toEqual([50, '… 951 more'])
    const wide = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [`k${n}`, Array.from({ length: 40 }, () => n)]),
    )
    expect(JSON.stringify(redactValue(wide)).length).toBeLessThan(6_000)
    expect(redactValue(wide)).toEqual(redactValue(redactValue(wide)))
    const hostile = Object.defineProperty({}, 'x', {
      enumerable: true,
      get: () => {
        throw new Error('no')
      },
    })
    expect(redactValue(hostile)).toBe('[unreadable]')
    const circle: unknown[] = []
    circle.push(circle)
    expect(JSON.stringify(redactValue(circle))).toContain('…')
  })
})
