import { describe, expect, it } from 'vitest'
import { parseSkill, PROFILES } from '../../../src/manifest/index.ts'

const skill = (field: string) => `---\nname: pdf\ndescription: Reads PDF files.\n${field}\n---\nBody`

describe('[MAN-18] a field that restricts', () => {
  it.each([
    ['allowed_tools', 'allowed-tools'],
    ['allowedTools', 'allowed-tools'],
    ['allow-tools', 'allowed-tools'],
    ['allowed-tool', 'allowed-tools'],
    ['alowed_tools', 'allowed-tools'],
    ['permitted-tools', 'allowed-tools'],
    ['disallowed_tools', 'disallowed-tools'],
    ['dissallowed-tools', 'disallowed-tools'],
    ['disallow-tools', 'disallowed-tools'],
    ['denied-tools', 'disallowed-tools'],
    ['disable_model_invocation', 'disable-model-invocation'],
    ['disable-model-invokation', 'disable-model-invocation'],
  ])('is an error under the name %s, in every profile, and names %s', async (key, known) => {
    for (const profile of PROFILES) {
      const { manifest, diagnostics } = await parseSkill(skill(`${key}: Read`), { profile })
      expect(manifest).toBeUndefined()
      expect(diagnostics).toMatchObject([
        { code: 'FIELD_MISSPELLED', severity: 'error', line: 4, hint: `Write "${known}".` },
      ])
    }
  })

  it.each(['tools: Read, Grep, Bash(git:*)', 'tools: [Read, WebFetch]', 'tools:\n  - mcp__github__*'])(
    'is an error as %j, the field of a sub-agent',
    async (field) => {
      const { manifest, diagnostics } = await parseSkill(skill(field))
      expect(manifest).toBeUndefined()
      expect(diagnostics).toMatchObject([{ code: 'FIELD_MISSPELLED', hint: 'Write "allowed-tools".' }])
    },
  )

  it.each([
    ['stauts: disabled', 'status'],
    ['state: draft', 'status'],
    ['scopes:\n  tenants: [a]', 'scope'],
    ['Scop: { agents: [a], environments: [b] }', 'scope'],
  ])('is an error as %j, by its value, and names %s', async (field, known) => {
    for (const profile of PROFILES) {
      const { manifest, diagnostics } = await parseSkill(skill(field), { profile })
      expect(manifest).toBeUndefined()
      expect(diagnostics).toMatchObject([{ code: 'FIELD_MISSPELLED', severity: 'error', hint: `Write "${known}".` }])
    }
  })

  it.each([
    'tools: [claude, cursor]',
    'state: active',
    'scopes: [read, write]',
    'scopes: {}',
    'scopes:\n  read: all',
    'tools: [computer, file_operations]',
    'tools: read, write',
    'tools: []',
    'tools:\n  Read: yes',
    'models: a',
    'scopes: a',
    'required-tools: Bash',
    'allowed-hosts: example.com',
  ])('is not meant by %j, which is kept and ignored', async (field) => {
    const { manifest, diagnostics } = await parseSkill(skill(field))
    expect(manifest?.allowedTools).toBeUndefined()
    expect(diagnostics).toMatchObject([{ code: 'FIELD_UNKNOWN', severity: 'info' }])
  })

  it('is judged by its own value, whatever the same key had before and however many keys were read since', async () => {
    const isRefused = async (field: string) => (await parseSkill(skill(field))).manifest === undefined
    for (let round = 0; round < 2; round++) {
      expect(await isRefused('state: active')).toBe(false)
      expect(await isRefused('state: draft')).toBe(true)
      const others = Array.from({ length: 300 }, (_, index) => `other-${round}-${index}: 1`)
      expect(await isRefused(others.join('\n'))).toBe(false)
    }
  })

  it('is not meant by "tools" beside it', async () => {
    const { manifest } = await parseSkill(skill('tools: Read, Bash\nallowed-tools: Read'))
    expect(manifest?.allowedTools).toEqual([{ tool: 'Read' }])
  })
})
