import { memorySource, openRepertoire, type SkillSource } from '@repertoire/core'
import { openAdapterSession } from '@repertoire/core/adapter'
import type { ModelMessage } from 'ai'
import { describe, expect, it } from 'vitest'
import { approvalResponses, consentRequests, withSkills } from '../src/index.ts'
import { call, modelOf, notingTools, offered, openTask, refusalOf, resultOf, useEndpoint, WAYS } from './task.ts'

const endpoint = useEndpoint()
const say = { text: 'Done.' }

const skill = (name: string, body: string) => ({
  'SKILL.md': `---\nname: ${name}\ndescription: Does ${name}.\nallowed-tools: Read\n---\n${body}\n`,
})

/** A source whose skills can be changed while a session is open. */
function changingSource(skills: Record<string, Record<string, string>>): SkillSource {
  return {
    id: 'changing',
    layer: 'project',
    scan: () => memorySource({ id: 'changing', layer: 'project', skills }).scan(),
  }
}

describe.each(WAYS)('%s in the style `tools`', (_, run) => {
  it('[SHOW-4, ADPT-1] activates by the tool of a skill, and gates from then on', async () => {
    const script = [call('skill_careful', { args: 'all' }), call('Write', {}), say]
    const { play, model, session } = await openTask(endpoint(), script, {}, { listing: { style: 'tools' } })
    const { runs, tools } = notingTools()
    await run(model, withSkills(session, { tools }), 'Hello')
    expect(resultOf(play, 'call_1_1')).toContain('LOOK FIRST.')
    expect(resultOf(play, 'call_1_1')).toContain('Arguments: all')
    expect(refusalOf(play, 'call_2_1').code).toBe('TOOL_NOT_ALLOWED')
    expect(runs).toEqual([])
    expect(offered(play.requests[0])).toEqual(['Bash', 'Read', 'Write', 'skill_careful', 'skill_free'])
  })

  it('[SHOW-4, SHOW-7] activates by a tool that the list has no room for, with consent', async () => {
    const asked: string[] = []
    const script = [call('Skill_Careful', {}), call('skill_nobody', {}), say]
    const { play, model, session } = await openTask(
      endpoint(),
      script,
      { consent: ({ skill: name = '' }) => asked.push(name) > 0 },
      { listing: { style: 'tools', budget: { share: 10 / 200_000 } } },
    )
    await run(model, withSkills(session, { tools: notingTools().tools }), 'Hello')
    expect(resultOf(play, 'call_1_1')).toContain('LOOK FIRST.')
    expect(refusalOf(play, 'call_2_1').code).toBe('TOOL_UNKNOWN')
    expect(asked).toEqual(['careful'])
    for (const request of play.requests) expect(offered(request)).not.toContain('skill_careful')
  })

  it('[SHOW-4, SHOW-7] waits for approval where the tool was not listed, with `activeTools` of the host too', async () => {
    const settings = { listing: { style: 'tools', budget: { share: 10 / 200_000 } } } as const
    const { play, model, session } = await openTask(
      endpoint(),
      [call('skill_careful', {}), say],
      { consent: 'suspend' },
      settings,
    )
    const skills = () =>
      withSkills(session, { tools: notingTools().tools, prepareStep: () => ({ activeTools: ['Read'] }) })
    const messages: ModelMessage[] = [{ role: 'user', content: 'Hello' }]
    messages.push(...(await run(model, skills(), messages)).responseMessages)
    const pending = await consentRequests(session, messages)
    expect(pending.map(({ request }) => request.skill)).toEqual(['careful'])
    const [first] = pending
    messages.push(approvalResponses(pending, [{ requestId: first!.request.id, approved: true }]))
    await run(model, skills(), messages)
    expect(resultOf(play, 'call_1_1')).toContain('LOOK FIRST.')
  })

  it('[SHOW-4, ASK-5] answers a call whose skill is gone when its approval comes', async () => {
    const skills: Record<string, Record<string, string>> = { a: skill('a', 'BODY A.'), b: skill('b', 'BODY B.') }
    const repertoire = await openRepertoire({ sources: [changingSource(skills)], listing: { style: 'tools' } })
    const play = endpoint().play([call('skill_a', {}), say])
    const session = openAdapterSession(repertoire)
    const messages: ModelMessage[] = [{ role: 'user', content: 'Hello' }]
    messages.push(...(await run(modelOf(play), withSkills(session), messages)).responseMessages)
    const pending = await consentRequests(session, messages)
    messages.push(approvalResponses(pending, [{ requestId: pending[0]!.request.id, approved: true }]))
    delete skills['a']
    await repertoire.reload({ force: true })
    const resumed = openAdapterSession(repertoire, { saved: session.save() })
    await run(modelOf(play), withSkills(resumed), messages)
    expect(refusalOf(play, 'call_1_1').code).toBe('SKILL_NOT_FOUND')
    expect(resumed.state.active).toEqual([])
  })

  it('[SHOW-4, CAT-4] offers in the next step what a reload brought, and no more what it took', async () => {
    const skills: Record<string, Record<string, string>> = { a: skill('a', 'BODY A.'), m: skill('m', 'BODY M.') }
    const repertoire = await openRepertoire({ sources: [changingSource(skills)], listing: { style: 'tools' } })
    const { tools } = notingTools()
    const reloading = {
      ...tools,
      Bash: {
        ...tools.Bash,
        execute: async () => {
          delete skills['a']
          skills['b'] = skill('b', 'BODY B.')
          await repertoire.reload({ force: true })
          return 'reloaded'
        },
      },
    }
    const script = [call('Bash', {}), call('skill_a', {}), call('skill_b', {}), say]
    const play = endpoint().play(script)
    const session = openAdapterSession(repertoire, { consent: () => true })
    await run(modelOf(play), withSkills(session, { tools: reloading }), 'Hello')
    const own = play.requests.map((request) => offered(request).filter((name) => name.startsWith('skill_')))
    expect(own).toEqual([
      ['skill_a', 'skill_m'],
      ['skill_b', 'skill_m'],
      ['skill_b', 'skill_m'],
      ['skill_b', 'skill_m'],
    ])
    expect(refusalOf(play, 'call_2_1').code).toBe('TOOL_UNKNOWN')
    expect(resultOf(play, 'call_3_1')).toContain('BODY B.')
  })
})
