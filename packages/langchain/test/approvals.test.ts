import { Command } from '@langchain/langgraph'
import { type ScriptStep, together } from '@repertoire/conformance'
import type { HostPolicy } from '@repertoire/core'
import { createAgent, humanInTheLoopMiddleware } from 'langchain'
import { expect, test } from 'vitest'
import { needsApproval, skillsMiddleware, type SkillsSession } from '../src/index.ts'
import { useEndpoint } from './endpoint.ts'
import { activate, call, hostOf, openSkills, questionsOf, refusalOf, resultOf, type Run, say, thread, user } from './setup.ts' // prettier-ignore

const endpoint = useEndpoint()

const one = thread('one')

/** An agent that asks a person about some tools, by LangChain's own middleware. */
async function setUp(script: readonly ScriptStep[], tools: readonly string[], session: () => SkillsSession) {
  const play = endpoint.play(script)
  const runs: Run[] = []
  const ask = { allowedDecisions: ['approve' as const, 'reject' as const], when: needsApproval }
  const agent = createAgent({
    ...hostOf(play, runs),
    middleware: [
      skillsMiddleware(await openSkills(), session),
      humanInTheLoopMiddleware({ interruptOn: Object.fromEntries(tools.map((name) => [name, ask])) }),
    ],
  })
  const approve = (result: object) =>
    agent.invoke(
      new Command({
        resume: Object.fromEntries(questionsOf(result).map(({ id }) => [id, { decisions: [{ type: 'approve' }] }])),
      }),
      one,
    )
  return { play, runs, agent, approve }
}

const read = call('Read', { file_path: 'a' })
const write = call('write', { file_path: 'b' })

test('[GATE-8, ADPT-2] a call that was refused, so that nobody was asked about it, does not run under a policy that allows it later', async () => {
  let policy: HostPolicy = { deny: ['Write'] }
  const session = (): SkillsSession => ({ consent: () => true, policy })
  const { play, runs, agent, approve } = await setUp([together(read, write), say], ['Read', 'Write'], session)
  const asked = await agent.invoke(user('Go'), one)
  expect(questionsOf(asked).map(({ value }) => value)).toMatchObject([{ actionRequests: [{ name: 'Read' }] }])
  policy = {}
  await approve(asked)
  expect(runs).toEqual([['Read', { file_path: 'a' }]])
  expect(resultOf(play, 'call_1_2')).toBe(
    'The call of "Write" was refused when it was made. Make it again, if it is still needed.',
  )
})

test('[GATE-8, ADPT-2] a call that is refused stays so in the words of core', async () => {
  const session = (): SkillsSession => ({ consent: () => true, policy: { deny: ['Write'] } })
  const { play, runs, agent } = await setUp([write, say], ['Write'], session)
  expect(questionsOf(await agent.invoke(user('Go'), one))).toEqual([])
  expect(refusalOf(play, 'call_1_1').code).toBe('TOOL_NOT_ALLOWED')
  expect(runs).toEqual([])
})

test('[ADPT-2] a person who is to be asked about a skill tool is asked', async () => {
  const { agent, approve, play } = await setUp([activate('free'), say], ['activate_skill'], () => ({
    consent: () => true,
  }))
  const asked = await agent.invoke(user('Go'), one)
  expect(questionsOf(asked).map(({ value }) => value)).toMatchObject([{ actionRequests: [{ name: 'activate_skill' }] }])
  await approve(asked)
  expect(resultOf(play, 'call_1_1')).toContain('Do as you like.')
})
