import { describe, expect, it } from 'vitest'
import { parseSkill, type Profile } from '../../src/internal.ts'

const read = (rest: string, profile: Profile = 'default') =>
  parseSkill(
    `---\nname: pdf\ndescription: x\n${rest}\n---\n\`\`\`yaml\nsteps: [{ tool: a, parameters: {} }]\n\`\`\`\n`,
    { profile },
  )

describe('extension fields', () => {
  it.each([
    ['type: instruction', { type: 'instruction' }],
    ['type: composite', { type: 'composite' }],
    ['type: script', { type: 'script' }],
    ['type: template', { type: 'template' }],
    ['status: active', { status: 'active' }],
    ['status: draft', { status: 'draft' }],
    ['status: disabled', { status: 'disabled' }],
    ['type:', { type: 'instruction' }],
    ['license: MIT', { type: 'instruction', status: 'active' }],
  ])('[MAN-4] reads "%s"', async (rest, manifest) => {
    const result = await read(rest)
    expect(result).toMatchObject({ manifest })
    expect(result.diagnostics.every(({ code }) => code === 'FIELD_EMPTY')).toBe(true)
  })

  it.each(['disabld', 'Disabled', 'stable', 'true', '[draft]'])(
    '[MAN-4] refuses the status %s, which may be a misspelt "disabled"',
    async (status) => {
      for (const profile of ['default', 'lenient'] as const) {
        const { manifest, diagnostics } = await read(`status: ${status}`, profile)
        expect(manifest).toBeUndefined()
        expect(diagnostics).toMatchObject([
          { code: 'FIELD_VALUE', severity: 'error', line: 4, hint: 'Write one of active, draft, disabled.' },
        ])
      }
    },
  )

  it('[MAN-4] runs nothing of an unknown type', async () => {
    const { manifest, diagnostics } = await read('type: Script')
    expect(manifest).toMatchObject({ type: 'instruction', extra: { type: 'Script' } })
    expect(diagnostics).toMatchObject([{ code: 'FIELD_VALUE', severity: 'warning', line: 4 }])
  })

  it('[MAN-4] does not let another spelling of status pass as an unknown field', async () => {
    const { manifest, diagnostics } = await read('Status: disabled')
    expect(manifest).toBeUndefined()
    expect(diagnostics).toMatchObject([{ code: 'FIELD_MISSPELLED', severity: 'error', line: 4 }])
  })

  it.each([
    ['model: haiku', { model: 'haiku' }],
    ['context: fork', { context: 'fork' }],
    ['context: inherit', { context: 'inherit' }],
    ['context: fork\nagent: Plan', { context: 'fork', agent: 'Plan' }],
    ['agent: Plan\ncontext: fork', { context: 'fork', agent: 'Plan' }],
    ['hooks: {pre: make check, post: [a, "b: c"]}', { hooks: { pre: ['make check'], post: ['a', 'b: c'] } }],
    ['hooks: {pre: }', { hooks: { pre: [], post: [] } }],
    ['priority: -3', { priority: -3 }],
    ['tags: [pdf, 2024, "a b"]', { tags: ['pdf', '2024', 'a b'] }],
    ['tags: pdf, a b', { tags: ['pdf', 'a b'] }],
    ['tags: []', { tags: [] }],
    [
      'scope:\n  agents: [coder]\n  tenants: acme\n  environments: []',
      { scope: { agents: ['coder'], tenants: ['acme'], environments: [] } },
    ],
  ])('[MAN-5] reads %j', async (rest, manifest) => {
    const result = await read(rest)
    expect(result).toMatchObject({ manifest, diagnostics: [] })
    if ('scope' in manifest) expect(result.manifest?.scope).toEqual(manifest.scope)
  })

  it('[MAN-5] has the defaults that the contract names', async () => {
    const { manifest } = await read('license: MIT')
    expect(manifest).toMatchObject({
      context: 'inherit',
      hooks: { pre: [], post: [] },
      priority: 0,
      tags: [],
      scope: {},
    })
    expect(Object.keys(manifest!.scope)).toEqual([])
  })

  it('[MAN-5] leaves out an agent without fork, and says so', async () => {
    for (const rest of ['agent: Plan', 'agent: Plan\ncontext: inherit']) {
      const { manifest, diagnostics } = await read(rest)
      expect(manifest).not.toHaveProperty('agent')
      expect(diagnostics).toMatchObject([{ code: 'FIELD_WITHOUT_EFFECT', severity: 'warning', line: 4 }])
    }
  })

  it.each([
    ['model: [haiku]', 'model', ['haiku']],
    ['context: isolated', 'context', 'isolated'],
    ['agent: 5', 'agent', 5],
    ['priority: CRITICAL', 'priority', 'CRITICAL'],
    ['priority: 1.5', 'priority', 1.5],
    ['priority: "1"', 'priority', '1'],
    ['tags: [[a]]', 'tags', [['a']]],
    ['scope: implementation', 'scope', 'implementation'],
    ['hooks: {}', 'hooks', {}],
  ])('[MAN-5] keeps what another client may mean by "%s", without effect', async (rest, key, value) => {
    const plain = (await read('license: MIT')).manifest!
    const { manifest, diagnostics } = await read(rest)
    const { license: _, ...defaults } = plain
    expect(manifest).toEqual({ ...defaults, extra: { [key]: value } })
    expect(diagnostics).toMatchObject([{ severity: 'warning', line: 4, hint: expect.stringContaining('extra') }])
  })

  it.each([
    ['scope: {agents: 5}', 'FIELD_TYPE'],
    ['scope: {agents: [coder, true]}', 'FIELD_TYPE'],
    ['scope: {agents: [""]}', 'FIELD_TYPE'],
    ['scope: [coder]', 'FIELD_TYPE'],
    ['scope: {agent: coder}', 'FIELD_VALUE'],
    ['scope: {agents: coder, enviroments: prod}', 'FIELD_VALUE'],
    ['hooks: {pre: true}', 'FIELD_TYPE'],
    ['hooks: {pre: [{run: x}]}', 'FIELD_TYPE'],
    ['hooks: {post: [" "]}', 'FIELD_TYPE'],
  ])('[MAN-5] refuses what cannot be read and may restrict: "%s"', async (rest, code) => {
    for (const profile of ['default', 'lenient'] as const) {
      const { manifest, diagnostics } = await read(rest, profile)
      expect(manifest).toBeUndefined()
      expect(diagnostics).toMatchObject([{ code, severity: 'error', line: 4 }])
    }
  })

  it.each(['hooks: guard.sh', 'hooks: [guard.sh]'])(
    '[MAN-5, MAN-18] refuses %j, which does not say when it runs',
    async (field) => {
      const { manifest, diagnostics } = await read(field)
      expect(manifest).toBeUndefined()
      expect(diagnostics).toMatchObject([{ code: 'FIELD_TYPE', severity: 'error', line: 4 }])
    },
  )

  it('[MAN-5, MAN-18] says that the hooks of another client never run, and refuses a near miss of our own', async () => {
    const text = `---\nname: pdf\ndescription: x\nhooks:\n  pre: a\n  PreToolUse: b\n---\n`
    const refused = await parseSkill(text.replace('PreToolUse', 'pots'), { profile: 'lenient' })
    expect(refused.manifest).toBeUndefined()
    expect(refused.diagnostics).toMatchObject([{ code: 'FIELD_MISSPELLED', severity: 'error', line: 6 }])
    const { manifest, diagnostics } = await parseSkill(text)
    expect(manifest?.hooks).toEqual({ pre: ['a'], post: [] })
    expect(diagnostics).toMatchObject([{ code: 'FIELD_UNKNOWN', severity: 'warning', line: 6 }])
  })

  it.each([
    'model: hai\u200Bku',
    'agent: "Plan\u202E"',
    'hooks: {pre: ["ls \u{E0041}"]}',
    'tags: [a, "b\u200B"]',
    'scope: {agents: ["a\u2066"]}',
  ])('[ABUSE-13] refuses hidden characters in %j', async (rest) => {
    const { manifest, diagnostics } = await read(rest)
    expect(manifest).toBeUndefined()
    expect(diagnostics).toContainEqual(
      expect.objectContaining({ code: 'HIDDEN_CHARACTERS', severity: 'error', line: 4 }),
    )
  })

  it.each(['type: script', 'status: draft', 'model: a', 'context: fork', 'priority: 1', 'tags: [a]', 'version: 1'])(
    '[MAN-3] refuses "%s" in strict',
    async (rest) => {
      const { manifest, diagnostics } = await read(rest, 'strict')
      expect(manifest).toBeUndefined()
      expect(diagnostics).toMatchObject([{ code: 'FIELD_UNKNOWN', severity: 'error', line: 4 }])
    },
  )

  it.each([
    ['status: draft', 'Remove it, or read'],
    ['type: script', 'Move it under "metadata", or read'],
    ['version: 1', 'Move it under "metadata", or read'],
  ])('[MAN-3] advises what helps with "%s" in strict', async (rest, hint) => {
    const { diagnostics } = await read(rest, 'strict')
    expect(diagnostics[0]!.hint).toContain(hint)
    const moved = await read(`metadata:\n  ${rest.replace('1', '"1"')}`, 'strict')
    expect(moved.manifest === undefined).toBe(hint.startsWith('Remove'))
  })

  it('[MAN-3] keeps every unknown field as parsed, each with one note and its line', async () => {
    const { manifest, diagnostics } = await read('version: 1.10\nauthor:\n  name: me\nrequires: [a, 2, null]\nx: true')
    expect(manifest?.extra).toEqual({ version: 1.1, author: { name: 'me' }, requires: ['a', 2, null], x: true })
    expect(diagnostics).toMatchObject([4, 5, 7, 8].map((line) => ({ code: 'FIELD_UNKNOWN', severity: 'info', line })))
  })
})
