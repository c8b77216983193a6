// An algorithm of its own: events hold what it leaves of a text.
import { lintSource } from '@secretlint/core'
import { creator } from '@secretlint/secretlint-rule-preset-recommend'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs, anyCharacter } from '@repertoire/test-servers/properties'
import { redactText, redactValue } from './redact.ts'
import { isSecretName } from './secret-names.ts'
import { hex, letters, pem, secret, SHAPES } from '../../test/audit/secret-shapes.ts'

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
    '{"name":"LOG_LEVEL","value":"debug"}',
    'name: token-counter, value: 5',
    'password: | jq .',
    '{"auth":"basic"} and auth: required',
    'npm config set loglevel warn',
    `${hex(8)}-1234-1234-1234-${hex(12)}`,
    'key-value and SKU, NRA and discord.com/channels/1/2',
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
      fc.string({ unit: anyCharacter, maxLength: 200 }),
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
      { numRuns: runs(300) },
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
  it('[OBS-4, ABUSE-99] redacts the value of a pair, the value after an option, and the lines of a key', () => {
    const lines = pem('PRIVATE').split('\n')
    const value = {
      env: [
        { name: secret('DB_PASS', 'WORD'), value: 'hunter2' },
        { name: 'LOG_LEVEL', value: 'debug' },
      ],
      headers: [
        [secret('Author', 'ization'), 'tiny'],
        ['Accept', '*/*'],
      ],
      args: [secret('--pass', 'word'), 'hunter2', '--verbose', '-v'],
      set: ['aws', 'configure', 'set', secret('aws_secret_access', '_key'), 'hunter2'],
      docker: { auths: { 'ghcr.example': { auth: 'Ym9iOmh1bnRlcjI=' } } },
      basic: { auth: 'basic' },
      lines: ['before', ...lines, 'after'],
    }
    expect(redactValue(value)).toEqual({
      ...value,
      env: [{ ...value.env[0], value: '[redacted]' }, value.env[1]],
      headers: [[value.headers[0]![0], '[redacted]'], value.headers[1]],
      args: [value.args[0], '[redacted]', '--verbose', '-v'],
      set: [...value.set.slice(0, 4), '[redacted]'],
      docker: { auths: { 'ghcr.example': { auth: '[redacted]' } } },
      lines: ['before', ...lines.map(() => '[redacted]'), 'after'],
    })
  })

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
