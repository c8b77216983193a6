import { Command } from '@langchain/langgraph'
import { type ScriptStep, together } from '@repertoire/conformance'
import type { HostPolicy } from '@repertoire/core'
import { createAgent, humanInTheLoopMiddleware } from 'langchain'
import { expect, test } from 'vitest'
import { activeSkills, needsApproval, skillsMiddleware, type SkillsSession } from '../src/index.ts'
import { useEndpoint } from './endpoint.ts'
import {
  activate,
  call,
  hostOf,
  openSkills,
  questionsOf,
  refusalOf,
  resultOf,
  type Run,
  say,
  thread,
  user,
} from './setup.ts'

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
  const answer = (result: object, of: (id: string) => object) =>
    agent.invoke(
      new Command({ resume: Object.fromEntries(questionsOf(result).map(({ id, value }) => [id, of(value.id)])) }),
      one,
    )
  const decide = (type: string) => (result: object) => answer(result, () => ({ decisions: [{ type }] }))
  const consent = (result: object, approved: boolean) => answer(result, (requestId) => ({ requestId, approved }))
  return { play, runs, agent, approve: decide('approve'), reject: decide('reject'), consent }
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

test.each([
  [true, true],
  [true, false],
  [false, false],
])(
  '[ADPT-2, ASK-3] where a person approves calls of a skill tool too, both questions are asked, and one answers nothing of the other (%s, %s)',
  async (approved, consented) => {
    const { agent, approve, reject, consent, play } = await setUp(
      [activate('editing'), say],
      ['activate_skill'],
      () => ({}),
    )
    const first = await agent.invoke(user('Go'), one)
    expect(questionsOf(first).map(({ value }) => value)).toMatchObject([
      { actionRequests: [{ name: 'activate_skill' }] },
    ])
    const second = await (approved ? approve : reject)(first)
    expect(questionsOf(second).map(({ value }) => value.skill)).toEqual(approved ? ['editing'] : [])
    if (approved) await consent(second, consented)
    expect(await activeSkills(agent, one)).toEqual(consented ? ['editing'] : [])
    expect(resultOf(play, 'call_1_1').includes('Edit with care.')).toBe(consented)
    if (approved && !consented) expect(refusalOf(play, 'call_1_1').code).toBe('CONSENT_DENIED')
  },
)
