// An algorithm without its own entry point, tested beside its source.
import { expect, it } from 'vitest'
import { withoutSection } from '../../../src/session/window/fit.ts'

const own = 'Never mind.\n\n## Skill: pdf\n\n## Skill: pdf-tools'
const system = `${own}\n\nGuidance.\n\n## Skill: pdf\n\n## Skill: pdf-tools`

it('[WIN-3] removes exactly one section, where another begins alike or the host has written the same', () => {
  expect(withoutSection(system, '## Skill: pdf')).toBe(`${own}\n\nGuidance.\n\n## Skill: pdf-tools`)
  expect(withoutSection(system, '## Skill: pdf-tools')).toBe(`${own}\n\nGuidance.\n\n## Skill: pdf`)
  const none = ['## Skill: pdf', '## Skill: pdf-tools'].reduce(withoutSection, system)
  expect(none).toBe(`${own}\n\nGuidance.`)
})

it('[WIN-3] leaves a text without the section unchanged', () => {
  expect(withoutSection(system, '## Skill: other')).toBe(system)
  expect(withoutSection('## Skill: pdf-tools', '## Skill: pdf')).toBe('## Skill: pdf-tools')
  expect(withoutSection('## Skill: pdf', '## Skill: pdf')).toBe('')
})
