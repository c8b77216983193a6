import { describe, expect, it } from 'vitest'
import { parseSkill } from '../src/internal.ts'

const skill = (...fields: string[]) => `---\nname: pdf\ndescription: Reads PDF files.\n${fields.join('\n')}\n---\nBody`
const lenient = (text: string) => parseSkill(text, { profile: 'lenient' })

describe('a field that cannot be read', () => {
  it.each([
    ['a tab in metadata', 'metadata:\n\tauthor: me'],
    ['a list in metadata that is not closed', 'metadata:\n  tags: [a, b'],
    ['quotes that are not closed', 'license: "MIT'],
    ['an unknown field', 'keywords: [a, {b'],
  ])('[MAN-9] is left out in lenient with its line, and all others are read: %s', async (_, field) => {
    const { manifest, diagnostics, bodyLine } = await lenient(skill('tags: a', field, 'allowed-tools: Read'))
    expect(manifest).toMatchObject({ name: 'pdf', tags: ['a'], metadata: {}, extra: {} })
    expect(manifest?.license).toBeUndefined()
    expect(manifest?.allowedTools).toEqual([{ tool: 'Read' }])
    const key = field.slice(0, field.indexOf(':'))
    expect(diagnostics).toMatchObject([
      { code: 'FIELD_LEFT_OUT', severity: 'warning', line: 5, message: expect.stringContaining(`"${key}"`) },
    ])
    expect(bodyLine).toBe(7 + field.split('\n').length)
  })

  it.each(['strict', 'default'] as const)('[MAN-9] refuses the skill in %s', async (profile) => {
    const { manifest, diagnostics } = await parseSkill(skill('metadata:\n\tauthor: me'), { profile })
    expect(manifest).toBeUndefined()
    expect(diagnostics).toMatchObject([{ code: 'YAML_INVALID', severity: 'error', line: 5 }])
  })

  it.each([
    ['allowed-tools', 'allowed-tools:\n\t- Read'],
    ['a misspelling of it', 'allow-tools:\n\t- Read'],
    ['hooks', 'hooks:\n\tpre: a'],
    ['status', 'status: "disabled'],
    ['a field inside of it that restricts', 'metadata:\n\tauthor: me\n disallowed-tools: Bash'],
    ['where it ends', 'metadata:\n\tauthor: me\noops'],
  ])('[MAN-9, MAN-18] refuses the skill in lenient too where that could widen it: %s', async (_, field) => {
    const { manifest, diagnostics } = await lenient(skill(field))
    expect(manifest).toBeUndefined()
    expect(diagnostics).toMatchObject([{ code: 'YAML_INVALID', severity: 'error' }])
  })

  it('[MAN-9] refuses the skill where name or description cannot be read', async () => {
    for (const text of ['name: pdf\ndescription: "x', 'name: "pdf\ndescription: x', 'metadata:\n\ta: b\nname: pdf']) {
      const { manifest, diagnostics } = await lenient(`---\n${text}\n---\n`)
      expect(manifest).toBeUndefined()
      expect(diagnostics).toMatchObject([{ code: 'YAML_INVALID', severity: 'error' }])
    }
  })
})
