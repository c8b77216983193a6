import { expect, test } from 'vitest'
import { memorySource, openRepertoire, type RepertoireOptions } from '../../src/index.ts'

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `Tool${index}`)

const withRules = (rules: readonly string[], options: Partial<RepertoireOptions> = {}) =>
  open(`name: many\ndescription: d\nallowed-tools: ${rules.join(' ')}`, options)

function open(frontmatter: string, options: Partial<RepertoireOptions> = {}) {
  const skill = { 'SKILL.md': `---\n${frontmatter}\n---\nBody.\n` }
  return openRepertoire({ ...options, sources: [memorySource({ layer: 'project', skills: { many: skill } })] })
}

test('[DISC-14] why a skill is not admitted names five rules, and 200 characters of each', async () => {
  const admit = { tools: ['Read'], withoutAllowedTools: ['Read'] }
  const reasonFor = async (rules: readonly string[]) =>
    (await withRules(rules, { admit })).catalog.refused[0]!.reasons.join(' ')
  expect(await reasonFor(numbered(5))).toContain(`It asks for ${numbered(5).join(', ')}, and not`)
  expect(await reasonFor(numbered(6))).toContain(`It asks for ${numbered(5).join(', ')} and 1 more, and not`)
  const long = `T${'x'.repeat(199)}`
  const cutTo = (await reasonFor([long])).match(/It asks for (.*), and not/)![1]!
  expect(await reasonFor([`${long}y`])).toContain(`It asks for ${cutTo}, and not`)
  expect(await reasonFor([long.slice(1)])).not.toContain(`It asks for ${cutTo}, and not`)
})

test('[GATE-10] an explanation names twenty rules that mean no tool, and how many more there are', async () => {
  const textFor = async (count: number) => {
    const repertoire = await withRules(numbered(count))
    return repertoire.explain('many', { hostTools: ['Read'] }).text
  }
  expect(await textFor(20)).toContain('Tool18, Tool19')
  expect(await textFor(20)).not.toContain(' more')
  expect(await textFor(21)).toContain('Tool19 and 1 more')
})

test('[CAT-2] 200 characters of a broken name are kept to search by', async () => {
  const { explain } = await open(`name: ${'n'.repeat(201)}\ndescription: [`)
  expect(explain('n'.repeat(200)).verdict).toBe('broken')
  expect(explain('n'.repeat(201)).verdict).toBe('unknown')
})
