import { Command } from '@langchain/langgraph'
import { type ScriptStep } from '@repertoire/conformance'
import { describe, expect, test } from 'vitest'
import { activeSkills, endSkills } from '../src/index.ts'
import { activate, questionsOf, resultOf, say, user } from './setup.ts'
import { one, useSkilledAgent } from './skilled-agent.ts'

const { setUp } = useSkilledAgent()

test('[ACT-7, ACT-13] endSkills runs the post hooks of what is active', async () => {
  const { agent, repertoire, hooks, events } = await setUp([activate('leaving'), say])
  await agent.invoke(user('Go'), one)
  expect(hooks).toEqual([])
  await endSkills(repertoire, agent, one)
  expect(hooks).toEqual(['goodbye.sh'])
  expect(events.map(({ type }) => type)).toContain('skill.deactivated')
})

describe('endSkills', () => {
  const answerTo = ({ value }: { readonly value: { readonly id: string } }) => ({
    requestId: value.id,
    approved: true,
  })

  test('[ACT-7, ACT-12, ABUSE-94] drops the consent request for what a person invokes: a late yes activates nothing', async () => {
    const { agent, repertoire } = await setUp([say], {})
    const [question] = questionsOf(await agent.invoke(user('/private now'), one))
    await endSkills(repertoire, agent, one)
    expect((await agent.graph.getState(one)).next).toEqual([])
    await agent.invoke(new Command({ resume: answerTo(question!) }), one).catch(() => undefined)
    expect(await activeSkills(agent, one)).toEqual([])
  })

  test('[ACT-7] drops waiting calls, so that the next message can follow, and keeps what others gave', async () => {
    const together: ScriptStep = {
      calls: [
        { tool: 'Read', input: { file_path: 'a' } },
        { tool: 'activate_skill', input: { name: 'greeter' } },
      ],
    }
    const { play, agent, repertoire } = await setUp([together, say], {})
    await agent.invoke(user('Go'), one)
    await endSkills(repertoire, agent, one)
    await agent.invoke(user('Another task'), one)
    expect(play.failures).toEqual([])
    expect(resultOf(play, 'call_1_1')).toContain('Read ran')
    expect(resultOf(play, 'call_1_2')).toContain('has no result')
  })

  test('[ACT-7, ACT-13] runs the post hooks of what was activated beside a call that waits', async () => {
    const both: ScriptStep = {
      calls: ['leaving', 'greeter'].map((name) => ({ tool: 'activate_skill', input: { name } })),
    }
    const { agent, repertoire, hooks } = await setUp([both], {})
    const questions = questionsOf(await agent.invoke(user('Go'), one))
    const leaving = questions.find(({ value }) => value.skill === 'leaving')!
    await agent.invoke(new Command({ resume: { [leaving.id]: answerTo(leaving) } }), one)
    await endSkills(repertoire, agent, one)
    expect(hooks).toEqual(['goodbye.sh'])
    expect(await activeSkills(agent, one)).toEqual([])
  })
})
