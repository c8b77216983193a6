import { describe, expect, it } from 'vitest'
import { foreign } from '@repertoire/test-servers/properties'
import { type AdapterSessionOptions, openAdapterSession } from '../../../src/adapter.ts'
import { memorySource, openRepertoire } from '../../../src/index.ts'

describe('what the option `triggers` says', () => {
  const skill = (name: string, fields: string): string => `---\nname: ${name}\ndescription: d\n${fields}\n---\nBody.\n`
  const open = async (options: AdapterSessionOptions = {}) => {
    const skills = {
      pdf: { 'SKILL.md': skill('pdf', 'triggers: [pdf]') },
      hidden: { 'SKILL.md': skill('hidden', 'triggers: [pdf]\ndisable-model-invocation: true') },
      theirs: { 'SKILL.md': skill('theirs', 'triggers: [pdf]\nscope:\n  agents: [other]') },
      draft: { 'SKILL.md': skill('draft', 'triggers: [pdf]\nstatus: draft') },
    }
    const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills })] })
    return openAdapterSession(repertoire, options)
  }

  it('[ACT-11] suggests by default, and only what the model may see and has not activated', async () => {
    const session = await open({ consent: () => true })
    expect(await session.beginTurn('a pdf')).toEqual({
      activated: [],
      suggested: ['pdf'],
      text: 'Skills that may fit this message: "pdf". If one does, call `activate_skill` with its name before anything else.',
    })
    expect(session.state.active).toEqual([])
    await session.call({ id: 'c', tool: 'activate_skill', input: { name: 'pdf' } }, () => '')
    expect(await session.beginTurn('a pdf')).toEqual({ activated: [], suggested: [] })
  })

  it('[ACT-11] does nothing if it is off', async () => {
    const session = await open({ turns: { triggers: 'off' }, consent: () => true })
    expect(await session.beginTurn('a pdf')).toEqual({ activated: [], suggested: [] })
  })

  it('[ACT-11] refuses an unknown mode', async () => {
    const repertoire = await openRepertoire({ sources: [] })
    for (const triggers of ['on', '', null, true]) {
      expect(() => openAdapterSession(repertoire, foreign({ turns: { triggers } }))).toThrow(/Give "off", "suggest"/)
    }
  })

  it('[ACT-11, MAN-6] matches a plain list of triggers in a SKILL.md as keywords', async () => {
    const skills = { plain: { 'SKILL.md': skill('plain', 'triggers: [xls, pdf]') } }
    const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills })] })
    expect(await openAdapterSession(repertoire).beginTurn('a pdf')).toMatchObject({ suggested: ['plain'] })
  })
})
