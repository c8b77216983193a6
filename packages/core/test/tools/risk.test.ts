import { expect, it } from 'vitest'
import { openAdapterSession } from '../../src/adapter.ts'
import { memorySource, openRepertoire } from '../../src/index.ts'

const skills = { pdf: { 'SKILL.md': '---\nname: pdf\ndescription: Works with PDF files.\n---\nBody.\n' } }

it('[ADPT-4] tells hosts that sort their tools what the skill tools are, in every style', async () => {
  const tools = async (style: 'xml' | 'tools') => {
    const sources = [memorySource({ layer: 'project', skills })]
    const repertoire = await openRepertoire({ sources, listing: { style } })
    const session = openAdapterSession(repertoire, { consent: () => true })
    const input = style === 'xml' ? { name: 'pdf' } : {}
    await session.call({ id: '1', tool: style === 'xml' ? 'activate_skill' : 'skill_pdf', input }, () => '')
    return (await session.step({ tools: [] })).tools.map(({ name, risk }) => [name, risk])
  }
  const others = [
    ['deactivate_skill', 'safe'],
    ['read_skill_resource', 'safe'],
  ]
  expect(await tools('xml')).toEqual([['activate_skill', 'risky'], ...others])
  expect(await tools('tools')).toEqual([['skill_pdf', 'risky'], ...others])
})
