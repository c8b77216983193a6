import { lintSource } from '@secretlint/core'
import { creator } from '@secretlint/secretlint-rule-preset-recommend'
import { maskForSharing } from '@repertoire/core/internal'
import { describe, expect, it } from 'vitest'
import { caller, keeping, open } from './world.ts'
import { hex, letters, secret, SHAPES } from './secret-shapes.ts'

const scanned = async (content: string): Promise<readonly string[]> => {
  const found = await lintSource({
    source: { content, filePath: 'event.json', ext: '.json', contentType: 'text' },
    options: { config: { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator }] } },
  })
  return found.messages.map(({ ruleId, message }) => `${ruleId}: ${message}`)
}

/** Returns what an audit that records inputs holds of a value. */
async function recorded(value: unknown): Promise<unknown> {
  const sink = keeping()
  const { session } = await open({ sink, inputs: 'redacted' })
  await caller(session).call('Write', { value })
  return (sink.events.find(({ type }) => type === 'tool.started')!.input as { readonly value: unknown }).value
}

describe('a text that is recorded', () => {
  it.each(SHAPES)('[OBS-4, ABUSE-99] has no $of, and all that is around it', async ({ text, gone }) => {
    const redacted = String(await recorded(`before ${text}\nafter`))
    expect(redacted).not.toContain(gone)
    expect(redacted).toContain('[redacted]')
    expect(redacted).toMatch(/^before /)
    if (!text.includes('-----BEGIN') || text.includes('-----END')) expect(redacted).toMatch(/after$/)
    expect(JSON.stringify(await recorded({ content: text, list: [text] }))).not.toContain(gone)
    expect(await recorded(JSON.stringify({ text }))).not.toContain(gone)
    expect(await recorded(redacted)).toBe(redacted)
  })

  it.each(SHAPES.filter(({ known }) => known === true))(
    '[OBS-4, ABUSE-99] has nothing of $of that a scanner for secrets finds',
    async ({ text }) => {
      expect(await scanned(text)).not.toEqual([])
      expect(await scanned(String(await recorded(text)))).toEqual([])
    },
  )

  it.each([
    'git log --oneline -n 20',
    'Basic authentication is required here',
    'cat secret.txt and the secretary: Bob',
    'max_tokens=200 and inputTokens: 5',
    'ssh://git@example.com/repo.git',
    `sha256 ${hex(64)} and ${crypto.randomUUID()}`,
    'docs/keys.md:12:see "tokens" [1, 2]',
    'the password is required, and a password was not given',
    'Passwords are hashed, the secret is stored in the vault, and the token is expired.',
    'Get your API key: https://example.com/keys, and save the token to `~/.config/a1.json`',
    'interface Options { token: string; secret?: string; password: undefined }',
    'POST /forgot-password HTTP/1.1',
    'docker run -p 8080:80 -u 1000:1000 image',
    'npm i secret_manager-client-library-for-node',
    'https://example.com:8080/a@b and http://[::1]:80/',
    'key-value and SKU, NRA and discord.com/channels/1/2',
  ])('[OBS-4] stays as it is: %s', async (text) => {
    expect(await recorded(text)).toBe(text)
  })

  it('[OBS-4, ABUSE-98] has no control characters, line ends and invisible characters', async () => {
    expect(await recorded('a\r\nb\u001B[31mc\u2028d\u200B\u202Ee\0')).toBe(
      'a\\u{D}\\u{A}b\\u{1B}[31mc\\u{2028}d\\u{200B}\\u{202E}e\\u{0}',
    )
    expect(await recorded('a\uD800b\uDC00')).toBe('a\uFFFDb\uFFFD')
  })

  it('[OBS-4] is cut at 4,000 characters, and has no part of a secret at its end', async () => {
    expect(await recorded('x'.repeat(3_000) + ' y'.repeat(9_000))).toHaveLength(4_000)
    const token = secret('gh', 'p_', letters(36))
    for (const before of [3_960, 3_980, 3_995]) {
      expect(await recorded(`${'x'.repeat(before)} ${token} y`)).not.toContain(letters(8))
    }
    // What is searched ends inside of the token, and a long secret before it becomes short.
    for (const before of [7_970, 7_990]) {
      const text = `${secret('pass', 'word=')}${'x'.repeat(before)} ${token} y`
      expect(await recorded(text)).toMatch(/^password=\[redacted\]/)
      expect(await recorded(text)).not.toContain(letters(8))
    }
  })

  it('[OBS-4] takes time that grows with its length', () => {
    for (const part of ['password', '--token ', 'a://b:', '-----BEGIN PRIVATE KEY-----', 'eyJaaaaaa.', '\\"'])
      expect(maskForSharing(part.repeat(10_000))).toBeDefined()
  })
})

describe('a value that is recorded', () => {
  it('[OBS-4, ABUSE-99] has nothing under the name of a secret', async () => {
    const names = ['password', 'DB_PASSWORD', 'API_KEY', 'clientSecret', 'access-token', 'x-api-key', 'Authorization']
    const given = Object.fromEntries(names.map((name) => [name, 'hunter2']))
    const shown = Object.fromEntries(names.map((name) => [name, '[redacted]']))
    expect(await recorded({ ...given, credentials: { user: 'bob' }, max_token: 5, name: 'bob' })).toEqual({
      ...shown,
      credentials: '[redacted]',
      max_token: 5,
      name: 'bob',
    })
  })

  it('[OBS-4] is cut if it is deep, long or large, and says so', async () => {
    const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)])
    expect(JSON.stringify(await recorded(nested(20)))).toBe(`${'['.repeat(7)}"…"${']'.repeat(7)}`)
    expect(await recorded(Array<number>(60).fill(1))).toEqual([...Array<number>(49).fill(1), '… 11 more'])
    expect(JSON.stringify(await recorded(Array.from({ length: 40 }, () => Array<number>(40).fill(1))))).toContain('…')
  })
})
