import { expect, test } from 'vitest'
import { memorySource, openRepertoire } from '../../src/index.ts'
import { openAdmission } from '../../src/catalog/admission.ts'
import { declaredName } from '../../src/catalog/declared-name.ts'
import { applyArguments } from '../../src/disclosure/arguments.ts'
import { toolset } from '../gate/toolset.ts'

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `Tool${index}`)

/** The manifest of a skill with these rules, as the catalog reads it. */
async function withRules(rules: readonly string[], options: Parameters<typeof openRepertoire>[0] = { sources: [] }) {
  const skill = { 'SKILL.md': `---\nname: many\ndescription: d\nallowed-tools: ${rules.join(' ')}\n---\nBody.\n` }
  return openRepertoire({ ...options, sources: [memorySource({ layer: 'project', skills: { many: skill } })] })
}

test('[DISC-14] why a skill is not admitted names five rules, and 200 characters of each', async () => {
  const admission = await openAdmission({ tools: ['Read'], withoutAllowedTools: ['Read'] }, toolset())
  const reasonFor = async (rules: readonly string[]) => {
    const { catalog } = await withRules(rules)
    const { manifest } = catalog.list()[0]!
    return admission.refusals(manifest).join(' ')
  }
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
    return repertoire.explain('many', {}, { hostTools: ['Read'] }).text
  }
  expect(await textFor(20)).toContain('Tool18, Tool19')
  expect(await textFor(20)).not.toContain(' more')
  expect(await textFor(21)).toContain('Tool19 and 1 more')
})

test('[CAT-2] 200 characters of a broken name are kept to search by', () => {
  const declared = (length: number) => declaredName(new TextEncoder().encode(`name: ${'n'.repeat(length)}\n`))
  expect(declared(200)).toBe('n'.repeat(200))
  expect(declared(201)).toBe('n'.repeat(200))
})

test('[ACT-6] a million characters of arguments are filled in, and a placeholder that would exceed that stays', () => {
  const half = 'x'.repeat(500_000)
  expect(applyArguments('$ARGUMENTS $ARGUMENTS', half)).toBe(`${half} ${half}`)
  expect(applyArguments('$ARGUMENTS $ARGUMENTS', `${half}x`)).toBe(`${half}x $ARGUMENTS`)
  expect(applyArguments('$1 $2 $3', `${half} ${half} x`)).toBe(`${half} ${half} $3`)
})
