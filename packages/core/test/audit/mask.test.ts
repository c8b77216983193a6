import { maskForSharing } from '@repertoire/core/internal'
import { expect, it } from 'vitest'

it('[ABUSE-137] masks keys, passwords, tokens and home folders in an event, wherever they are', () => {
  const secret = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJ'
  const masked = JSON.stringify(
    maskForSharing({
      version: 1,
      type: 'tool.started',
      skill: { name: 'pdf', source: '/home/ada/skills', allowedTools: [`Bash(curl -H "Cookie: session=${secret}":*)`] },
      input: { password: 'correct horse', command: `export API_KEY=${secret}; cat /Users/ada/.netrc` },
      reason: String.raw`C:\Users\ada\notes.md is not there, nor is /root/x`,
      shown: { text: `Authorization: Bearer ${secret}` },
    }),
  )
  for (const part of [secret, 'correct horse', 'ada', '/root']) expect(masked).not.toContain(part)
  expect(masked).toContain('~/skills')
})

it.each([
  String.raw`c:\users\ada\x`,
  String.raw`C:\\Users\\ada`,
  '%2Fhome%2Fada%2Fx',
  'file%3A%2F%2F%2Fhome%2Fada',
  'C:%5CUsers%5Cada',
  String.raw`\/home\/ada\/x`,
  '/c/users/ada/x',
  String.raw`\\srv\Users\ada\x`,
  '/home//ada/x',
  'file:///home/ada/x',
])('[ABUSE-137] masks the home folder in %s', (path) => {
  const masked = maskForSharing({ reason: `There is no ${path}.`, [path]: 1 })
  expect(JSON.stringify(masked)).not.toContain('ada')
  expect(maskForSharing(masked)).toEqual(masked)
})

it('[ABUSE-137] masks what stands under the name of a secret, anywhere in an event', () => {
  const masked = maskForSharing({
    result: { password: 'correct horse' },
    headers: [{ 'x-api-key': 'staple' }],
    run: { env: { DB_PASSWORD: 'tr0ub4dor' }, runner: 'virtual' },
    shown: { tokens: { system: 3, list: 4 }, text: 'x '.repeat(14_000) },
  }) as { readonly run: object; readonly shown: object }
  for (const part of ['correct', 'staple', 'tr0ub4dor']) expect(JSON.stringify(masked)).not.toContain(part)
  expect(masked.run).toMatchObject({ runner: 'virtual' })
  expect(masked.shown).toEqual({ tokens: { system: 3, list: 4 }, text: 'x '.repeat(14_000) })
})

it('[ABUSE-137] takes a moment for a text of many slashes', () => {
  expect(maskForSharing({ reason: '/'.repeat(100_000) })).toBeDefined()
})

it('[ABUSE-137] changes nothing in an event that an audit has made, and does it twice as once', () => {
  const event = {
    version: 1,
    type: 'tool.finished',
    time: '2026-11-27T09:00:00.000Z',
    inputDigest: 'a1'.repeat(32),
    input: { command: 'git log -1', count: 3, deep: [true, null] },
    durationMs: 12,
  }
  expect(maskForSharing(event)).toEqual(event)
  const once = maskForSharing({ reason: '/home/ada/x token=abcdef0123456789abcdef0123456789' })
  expect(maskForSharing(once)).toEqual(once)
})
