import { describe, expect, test } from 'vitest'
import { open, shell } from './protected-session.ts'

describe('a protected file behind quotes and a wildcard', () => {
  test.each([
    'cat "my secrets"/k*',
    'cp "my secrets"/k* dist',
    'cp "my secrets"/k* dist/.',
    'cat "my secrets"/k* ./.',
    'cp "my secrets"/k* /usr/bin/ssh',
    'cat "my secrets"/k* x/source',
    'cat "my secrets"/k* alias@1',
  ])('[ABUSE-97] is named by %s, whatever the other words may be taken for', async (command) => {
    const session = await open(['my secrets/key'])
    expect(await shell(session, command)).toMatch(/^TOOL_NOT_ALLOWED: .* it names "my secrets\/key"/)
  })

  test.each(['cp secrets/a=k* dist', 'cp secrets/a=k* dist/.'])('[ABUSE-97] is named by %s', async (command) => {
    const session = await open(['secrets/a=key'])
    expect(await shell(session, command)).toMatch(/^TOOL_NOT_ALLOWED: .* it names "secrets\/a=key"/)
  })

  test.each(['cp -r x secrets -', 'ln -s x secrets -', 'mv x secrets -'])(
    '[ABUSE-97] has its folder replaced by %s, where "-" is not a path to every program',
    async (command) => {
      const session = await open(['secrets/key'])
      expect(await shell(session, command)).toMatch(/^TOOL_NOT_ALLOWED: .* a folder above "secrets\/key"/)
    },
  )
})
