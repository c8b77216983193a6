import { memorySource } from '@repertoire/core'
import { MemorySaver } from '@langchain/langgraph'
import { createMiddleware } from 'langchain'
import { describe, expect, test } from 'vitest'
import { fromJson, toJson } from '../src/conformance/saver-json.ts'
import { activeSkills, consentRequests, resumeWith } from '../src/index.ts'
import { activate, call, resultOf, say, user } from './setup.ts'
import { one, useSkilledAgent, yes } from './skilled-agent.ts'

const { setUp } = useSkilledAgent()

const read = call('Read', { file_path: 'a' })
const list = call('Bash', { command: 'ls' })

describe('a thread in memory', () => {
  test('[ACT-16, ADPT-2] a step finds its model once, for its call too', async () => {
    const asked: string[] = []
    const resolveModel = (name: string): undefined => void asked.push(name)
    const model = { 'SKILL.md': '---\nname: big\ndescription: Big.\nmodel: large\n---\nTHINK.\n' }
    const sources = [memorySource({ layer: 'project', id: 'big', skills: { big: model } })]
    const options = { ...yes, resolveModel, onProblem: () => undefined }
    const { agent, runs } = await setUp([activate('big'), read, read, say], options, {}, { sources })
    await agent.invoke(user('Go'), one)
    expect(runs).toHaveLength(2)
    expect(asked).toEqual(['large', 'large', 'large'])
  })

  test('[ACT-8, ACT-15] two branches of one checkpoint share neither a grant nor a skill', async () => {
    const checkpointer = new MemorySaver()
    const { agent, runs, play } = await setUp([activate('greeter'), list, say, list, say], {}, { checkpointer })
    await agent.invoke(user('Go'), one)
    const branch = toJson({ storage: checkpointer.storage, writes: checkpointer.writes })
    const answer = async (approved: boolean) => {
      const [asked] = await consentRequests(agent, one)
      return agent.invoke(resumeWith([asked!], [{ requestId: asked!.request.id, approved }]), one)
    }
    await answer(true)
    expect(runs).toEqual([])
    expect(await activeSkills(agent, one)).toEqual(['greeter'])
    Object.assign(checkpointer, fromJson(branch))
    await answer(false)
    expect(runs).toEqual([['Bash', { command: 'ls' }]])
    expect(await activeSkills(agent, one)).toEqual([])
    expect(resultOf(play, 'call_1_1')).not.toContain('FIRST.')
  })

  test('[GATE-1] a model call that another middleware makes again is judged by what is in the thread', async () => {
    const twice = createMiddleware({
      name: 'twice',
      async wrapModelCall(request, handler) {
        await handler(request)
        return handler(request)
      },
    })
    const script = [say, activate('greeter'), say, list, say, say]
    const world = await setUp(script, yes, { middleware: [twice] })
    const { agent, runs } = world
    await agent.invoke(user('Go'), one)
    expect(runs).toEqual([])
    expect(await activeSkills(agent, one)).toEqual(['greeter'])
  })
})
