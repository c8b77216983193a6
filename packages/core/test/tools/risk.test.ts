import { expect, it } from 'vitest'
import { memorySource, openRepertoire } from '../../src/index.ts'

const skills = { pdf: { 'SKILL.md': '---\nname: pdf\ndescription: Works with PDF files.\n---\nBody.\n' } }

it('[ADPT-4] tells hosts that sort their tools what the skill tools are, in every style', async () => {
  const tools = async (style: 'xml' | 'tools') => {
    const sources = [memorySource({ layer: 'project', skills })]
    const repertoire = await openRepertoire({ sources, style })
    return repertoire
      .openSession()
      .beginStep([])
      .tools.map(({ name, group, risk }) => [name, group, risk])
  }
  const others = [
    ['deactivate_skill', 'meta', 'safe'],
    ['read_skill_resource', 'meta', 'safe'],
  ]
  expect(await tools('xml')).toEqual([['activate_skill', 'meta', 'risky'], ...others])
  expect(await tools('tools')).toEqual([...others, ['skill_pdf', 'meta', 'risky']])
})
