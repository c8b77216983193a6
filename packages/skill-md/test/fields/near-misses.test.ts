import { describe, expect, it } from 'vitest'
import { parseSkill, PROFILES } from '../../src/internal.ts'

const skill = (field: string) => `---\nname: pdf\ndescription: Reads PDF files.\n${field}\n---\nBody`

const TOP = (field: string): string => `Write "${field}" at the top of the frontmatter, without blanks before it.`

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
    ['allowed.tools', 'allowed-tools'],
    ['tools-permitted', 'allowed-tools'],
    ['allowed-tools-list', 'allowed-tools'],
    ['tools_denied', 'disallowed-tools'],
    ['scope.agents', 'scope'],
    ['scope-tenants', 'scope'],
    ['scope_environment', 'scope'],
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

  it.each([
    'tool: Read',
    'tool: [Bash(git:*)]',
    'tools: Read, Grep, Bash(git:*)',
    'tools: [Read, WebFetch]',
    'tools:\n  - mcp__github__*',
  ])('is an error as %j, the field of a sub-agent', async (field) => {
    const { manifest, diagnostics } = await parseSkill(skill(field))
    expect(manifest).toBeUndefined()
    expect(diagnostics).toMatchObject([{ code: 'FIELD_MISSPELLED', hint: 'Write "allowed-tools".' }])
  })

  it.each([
    ['stauts: disabled', 'status'],
    ['disabled: true', 'status'],
    ['enabled: false', 'status'],
    ['tenants: [a]', 'scope'],
    ['Scop: { agents: [a], environments: [b] }', 'scope'],
  ])('is an error as %j, by its value, and names %s', async (field, known) => {
    for (const profile of PROFILES) {
      const { manifest, diagnostics } = await parseSkill(skill(field), { profile })
      expect(manifest).toBeUndefined()
      expect(diagnostics).toMatchObject([{ code: 'FIELD_MISSPELLED', severity: 'error', hint: `Write "${known}".` }])
    }
  })

  it.each([
    ['scpoe: production', 'scope'],
    ['socpe: [a]', 'scope'],
    ['scop:\n  agent: [a]', 'scope'],
    ['sattus: active', 'status'],
    ['scop: production', 'scope'],
    ['tatus: old', 'status'],
    ['scopee: x', 'scope'],
  ])('[ABUSE-133] is an error as %j, which is no other word', async (field, known) => {
    for (const profile of PROFILES) {
      const { manifest, diagnostics } = await parseSkill(skill(field), { profile })
      expect(manifest).toBeUndefined()
      expect(diagnostics).toMatchObject([{ code: 'FIELD_MISSPELLED', severity: 'error', hint: `Write "${known}".` }])
    }
  })

  it.each(['scope: production', 'scope: tenant-a', 'scope: private', 'scope: true', 'scope: 1'])(
    '[ABUSE-133] is not hidden from nobody by %j, which is an error that shows the right form',
    async (field) => {
      const { manifest, diagnostics } = await parseSkill(skill(field))
      expect(manifest).toBeUndefined()
      expect(diagnostics).toMatchObject([
        {
          code: 'FIELD_VALUE',
          severity: 'error',
          line: 4,
          hint: expect.stringContaining('environments: [production]'),
        },
      ])
    },
  )

  it.each(['scope: implementation', 'scope: Project', 'scope: review'])(
    '[MAN-9] loads with a warning as %j, the word of another client',
    async (field) => {
      const { manifest, diagnostics } = await parseSkill(skill(field))
      expect(manifest).toBeDefined()
      expect(diagnostics).toMatchObject([{ code: 'FIELD_VALUE', severity: 'warning' }])
    },
  )

  const SCOPES = 'Scope by agents, tenants, environments.'
  it.each([
    ['scope:\n  agent: [a]', 'FIELD_VALUE', SCOPES, 5],
    ['scope:\n  tenents: [a]', 'FIELD_VALUE', SCOPES, 5],
    ['hooks:\n  pree: ./check.sh', 'FIELD_MISSPELLED', 'Write "pre".', 5],
    ['hooks:\n  pre: ./a.sh\n  Post: ./b.sh', 'FIELD_MISSPELLED', 'Write "post".', 6],
    ['metadata:\n  allowed-tools: Read', 'FIELD_MISSPELLED', TOP('allowed-tools'), 5],
    ['metadata:\n  allowedTools: Read', 'FIELD_MISSPELLED', TOP('allowed-tools'), 5],
    ['metadata:\n  deny-tools: Read', 'FIELD_MISSPELLED', TOP('disallowed-tools'), 5],
    ['metadata:\n  more:\n    disable_model_invocation: true', 'FIELD_MISSPELLED', TOP('disable-model-invocation'), 6],
    ['metadata:\n  scope:\n    tenants: [a]', 'FIELD_MISSPELLED', TOP('scope'), 5],
    ['metadata:\n  tenants: acme', 'FIELD_MISSPELLED', TOP('scope'), 5],
    ['metadata:\n  scope: [production]', 'FIELD_MISSPELLED', TOP('scope'), 5],
    ['metadata:\n  status: draft', 'FIELD_MISSPELLED', TOP('status'), 5],
  ])('[ABUSE-133] is looked for at any depth: %j', async (field, code, hint, line) => {
    const { manifest, diagnostics } = await parseSkill(skill(field))
    const errors = diagnostics.filter(({ severity }) => severity === 'error')
    expect(manifest).toBeUndefined()
    expect(errors).toMatchObject([{ code, hint, line }])
  })

  it('[MAN-9] is not meant by "tools" under metadata, nor by a word as "scope"', async () => {
    expect((await parseSkill(skill('metadata:\n  tools: Read'))).manifest).toBeDefined()
    expect((await parseSkill(skill('metadata:\n  scope: answer-engines'))).manifest).toBeDefined()
  })

  it('[MAN-3] is only warned of in lenient as "tools", which then approves nothing', async () => {
    const { manifest, diagnostics } = await parseSkill(skill('tools: Read, Bash'), { profile: 'lenient' })
    expect(manifest).toBeDefined()
    expect(manifest!.allowedTools).toBeUndefined()
    expect(diagnostics).toMatchObject([
      { code: 'FIELD_MISSPELLED', severity: 'warning', hint: 'Write "allowed-tools".' },
    ])
  })

  it('[ABUSE-133] is said where it stands under a field of another client, and the skill loads', async () => {
    const { manifest, diagnostics } = await parseSkill(skill('client:\n  settings:\n    - allowed-tools: Read'))
    expect(manifest).toBeDefined()
    expect(diagnostics).toMatchObject([
      { code: 'FIELD_MISSPELLED', severity: 'warning', line: 6, hint: TOP('allowed-tools') },
      { code: 'FIELD_UNKNOWN', severity: 'info' },
    ])
  })

  it.each([
    'tools: [claude, cursor]',
    'state: draft',
    'agents: [a]',
    'disabled: false',
    'enabled: true',
    'disabled: windows',
    'tool: hammer',
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

  it('is not meant by "tools" beside it', async () => {
    const { manifest } = await parseSkill(skill('tools: Read, Bash\nallowed-tools: Read'))
    expect(manifest?.allowedTools).toEqual([{ tool: 'Read' }])
  })
})
