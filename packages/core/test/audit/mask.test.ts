import { maskForSharing } from '@repertoire/core/internal'
import { expect, it } from 'vitest'

it('[ABUSE-137] masks keys, cookies, tokens and home folders in an event, wherever they are', () => {
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
