import { describe, expect, it } from 'vitest'
import { parseSkill, type Profile } from '../../src/internal.ts'

const read = (rest: string, profile: Profile = 'default') =>
  parseSkill(`---\nname: pdf\ndescription: x\n${rest}\n---\n`, { profile })

describe('fields that other clients are used to', () => {
  it.each([
    ['argument-hint: <file>', { argumentHint: '<file>' }],
    ['arguments: [ticket, branch]', { arguments: ['ticket', 'branch'] }],
    ['arguments: ticket branch', { arguments: ['ticket', 'branch'] }],
    ['argument-hint: "[file] [mode]"', { argumentHint: '[file] [mode]' }],
    ['argument-hint: [file]', { argumentHint: '[file]' }],
    ['argument-hint: [--all, 12]', { argumentHint: '[--all, 12]' }],
    ['when_to_use: The user names a PDF.', { whenToUse: 'The user names a PDF.' }],
    ['when_to_use: >\n  a\n  b', { whenToUse: 'a b' }],
    ['disable-model-invocation: true', { disableModelInvocation: true }],
    ['disable-model-invocation: False', { disableModelInvocation: false }],
    ['user-invocable: false', { userInvocable: false }],
    ['disallowed-tools: Write Bash(git push:*)', { disallowedTools: rules() }],
    ['disallowed-tools: Write, Bash(git push:*)', { disallowedTools: rules() }],
    ['disallowed-tools: [Write, "Bash(git push:*)"]', { disallowedTools: rules() }],
    ['disallowed-tools: []', { disallowedTools: [] }],
  ])('[MAN-7] reads %j', async (rest, manifest) => {
    expect(await read(rest)).toMatchObject({ manifest: { ...manifest, extra: {} }, diagnostics: [] })
  })

  it('[MAN-7] has the defaults that the contract names', async () => {
    const { manifest } = await read('license: MIT')
    expect(manifest).toMatchObject({ disableModelInvocation: false, userInvocable: true })
    for (const key of ['argumentHint', 'whenToUse', 'disallowedTools']) expect(manifest).not.toHaveProperty(key)
  })

  it('[MAN-7, MAN-9] reads the hint that is not YAML, and says so', async () => {
    const { manifest, diagnostics } = await read('argument-hint: [file] [mode]')
    expect(manifest).toMatchObject({ argumentHint: '[file] [mode]' })
    expect(diagnostics).toMatchObject([{ code: 'YAML_REPAIRED', severity: 'warning', line: 4 }])
  })

  it.each([
    'argument-hint:\n  - file',
    'argument-hint: [[file]]',
    'argument-hint: []',
    'argument-hint: {file: x}',
    'argument-hint: 12',
    'when_to_use: [a, b]',
    'when_to_use: " "',
    'user-invocable: no',
    'user-invocable: 1',
  ])('[MAN-7] keeps %j under extra, where no right hangs on it', async (rest) => {
    const { manifest, diagnostics } = await read(rest)
    expect(Object.keys(manifest?.extra ?? {})).toEqual([rest.split(':')[0]])
    expect(manifest).toMatchObject({ userInvocable: true })
    expect(diagnostics).toMatchObject([
      { code: /"|no$/.test(rest) ? 'FIELD_VALUE' : 'FIELD_TYPE', severity: 'warning' },
    ])
  })

  it('[MAN-7] reads a boolean in quotes, whose meaning is certain, and says so', async () => {
    for (const [rest, manifest] of [
      ['disable-model-invocation: "true"', { disableModelInvocation: true }],
      ["user-invocable: 'false'", { userInvocable: false }],
    ] as const) {
      const result = await read(rest)
      expect(result).toMatchObject({ manifest, diagnostics: [{ code: 'FIELD_TYPE', severity: 'warning', line: 4 }] })
    }
  })

  it.each(['yes', 'True!', '1', '', '~', '[true]', '{a: true}', '"True"'])(
    '[MAN-7] refuses the skill whose disable-model-invocation is %j: it might be shown to a model against its word',
    async (value) => {
      for (const profile of ['default', 'lenient'] as const) {
        const { manifest, diagnostics } = await read(`disable-model-invocation: ${value}`, profile)
        expect(manifest).toBeUndefined()
        expect(diagnostics).toMatchObject([{ code: 'FIELD_VALUE', severity: 'error', line: 4 }])
      }
    },
  )

  it.each([
    '"Bash("',
    'Bash git push)',
    '"Bash()"',
    '["Write", ""]',
    '[[Bash]]',
    '{Bash: x}',
    '12',
    '"*"',
    '"Re\\u200Bad"',
  ])('[MAN-7, ABUSE-33] refuses the skill whose disallowed-tools is %s', async (value) => {
    for (const profile of ['default', 'lenient'] as const) {
      const { manifest, diagnostics } = await read(`disallowed-tools: ${value}`, profile)
      expect(manifest).toBeUndefined()
      expect(diagnostics).toMatchObject([{ code: 'DISALLOWED_TOOLS_INVALID', severity: 'error', line: 4 }])
    }
  })

  it.each([
    'disallowed_tools: Bash',
    'disallowedTools: Bash',
    'disableModelInvocation: true',
    'Disallowed-Tools: Bash',
  ])('[MAN-7] does not let "%s" pass as an unknown field', async (rest) => {
    const { manifest, diagnostics } = await read(rest)
    expect(manifest).toBeUndefined()
    expect(diagnostics).toMatchObject([{ code: 'FIELD_MISSPELLED', severity: 'error', line: 4 }])
  })

  it.each(['when-to-use: a', 'argument_hint: a', 'userInvocable: false', 'created_by: a'])(
    '[MAN-7] names the spelling that "%s" stands for, and loads the skill',
    async (rest) => {
      const { manifest, diagnostics } = await read(rest)
      expect(Object.keys(manifest?.extra ?? {})).toEqual([rest.split(':')[0]])
      expect(diagnostics).toMatchObject([{ code: 'FIELD_MISSPELLED', severity: 'warning', line: 4 }])
    },
  )

  it.each(['effort: high', 'paths: [a]', 'background: true', 'shell: bash', 'version: 1'])(
    '[MAN-7] keeps "%s" under extra and reports it as ignored',
    async (rest) => {
      const { manifest, diagnostics } = await read(rest)
      expect(Object.keys(manifest?.extra ?? {})).toEqual([rest.split(':')[0]])
      expect(diagnostics).toMatchObject([{ code: 'FIELD_UNKNOWN', severity: 'info', line: 4 }])
    },
  )

  it.each([
    'argument-hint: a',
    'when_to_use: a',
    'disable-model-invocation: true',
    'user-invocable: true',
    'disallowed-tools: Bash',
    'toolsets: [a:B]',
    'triggers: [a]',
    'parameters: {}',
    'source: a',
    'created-by: a',
  ])('[MAN-3] does not know "%s" in strict', async (rest) => {
    const { manifest, diagnostics } = await read(rest, 'strict')
    expect(manifest).toBeUndefined()
    expect(diagnostics).toMatchObject([{ code: 'FIELD_UNKNOWN', severity: 'error', line: 4 }])
  })

  it('[ABUSE-13] reports characters that are not shown in what people and models read', async () => {
    for (const key of ['argument-hint', 'when_to_use']) {
      const { manifest, diagnostics } = await read(`${key}: "a\\u202Eb"`)
      expect(manifest).toBeDefined()
      expect(diagnostics).toMatchObject([{ code: 'HIDDEN_CHARACTERS', severity: 'warning', line: 4 }])
    }
  })

  it.each(['triggers: ["a\\u200Bb"]', 'toolsets: ["a\\u200Bb:C"]', 'source: "a\\u202Eb"', 'created-by: "a\\u{E0041}"'])(
    '[ABUSE-13] refuses characters that are not shown in what programs read: %s',
    async (rest) => {
      const { manifest, diagnostics } = await read(rest.replace('\\u{E0041}', '\\U000E0041'))
      expect(manifest).toBeUndefined()
      expect(diagnostics[0]).toMatchObject({ code: 'HIDDEN_CHARACTERS', severity: 'error', line: 4 })
    },
  )
})

function rules() {
  return [{ tool: 'Write' }, { tool: 'Bash', pattern: 'git push:*' }]
}
