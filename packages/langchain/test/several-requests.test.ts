import type { ScriptStep } from '@repertoire/conformance'
import { Command } from '@langchain/langgraph'
import { expect, test } from 'vitest'
import { activeSkills, consentRequests, resumeWith } from '../src/index.ts'
import { activate, resultOf, say, user } from './setup.ts'
import { one, useSkilledAgent } from './skilled-agent.ts'

const { setUp } = useSkilledAgent()

/** A message with two activations and a call of the host's own. */
const together: ScriptStep = {
  calls: [
    { tool: 'activate_skill', input: { name: 'greeter' } },
    { tool: 'Read', input: { file_path: 'a' } },
    { tool: 'activate_skill', input: { name: 'leaving' } },
  ],
}

type Agent = Awaited<ReturnType<typeof setUp>>['agent']
type Input = Parameters<Agent['invoke']>[0]

const stream = (streamMode: 'values' | 'updates' | 'messages') => async (agent: Agent, input: Input) => {
  for await (const _ of await agent.stream(input, { ...one, streamMode }));
}

test.each([
  ['invoke', (agent: Agent, input: Input) => agent.invoke(input, one)],
  ['stream, values', stream('values')],
  ['stream, updates', stream('updates')],
  ['stream, messages', stream('messages')],
])('[ASK-5, ADPT-2] %s: every request is found, and answers to all of them resume the run', async (_, run) => {
  const { agent, play } = await setUp([together, say], {})
  await run(agent, user('Go'))
  const pending = await consentRequests(agent, one)
  expect(pending.map(({ request }) => ('skill' in request ? request.skill : undefined))).toEqual(['greeter', 'leaving'])
  expect(await activeSkills(agent, one)).toEqual([])
  // The order of the answers does not matter.
  const answers = pending.map(({ request }) => ({ requestId: request.id, approved: true })).toReversed()
  await run(agent, resumeWith(pending, answers))
  expect((await activeSkills(agent, one)).toSorted()).toEqual(['greeter', 'leaving'])
  expect(await consentRequests(agent, one)).toEqual([])
  expect(resultOf(play, 'call_1_1')).toContain('FIRST.')
  expect(resultOf(play, 'call_1_3')).toContain('STAY A WHILE.')
})

test.each([[{ decisions: [{ type: 'approve' }] }], [true], [{ approved: true }]])(
  '[ASK-3] an answer by hand that cannot be read is a no, and its reason shows the right shape: %j',
  async (answer) => {
    const { agent, play } = await setUp([activate('greeter'), say], {})
    await agent.invoke(user('Go'), one)
    await agent.invoke(new Command({ resume: answer }), one)
    expect(resultOf(play, 'call_1_1')).toContain('the answer could not be read. Go on without it.')
  },
)

test.each([
  ['the first', 0],
  ['the last', 1],
])(
  '[ASK-5, ACT-8] an answer to %s request alone loses no other, and nothing counts as active before',
  async (_, at) => {
    const { agent, play } = await setUp([together, say], {})
    await agent.invoke(user('Go'), one)
    const pending = await consentRequests(agent, one)
    const answer = ({ request }: (typeof pending)[number]) => ({ requestId: request.id, approved: true })
    await agent.invoke(resumeWith(pending, [answer(pending[at]!)]), one)
    const left = await consentRequests(agent, one)
    expect(left.map(({ request }) => request.id)).toEqual([pending[1 - at]!.request.id])
    expect(await activeSkills(agent, one)).toEqual([])
    await agent.invoke(resumeWith(left, left.map(answer)), one)
    expect((await activeSkills(agent, one)).toSorted()).toEqual(['greeter', 'leaving'])
    expect(resultOf(play, 'call_1_1')).toContain('FIRST.')
    expect(resultOf(play, 'call_1_3')).toContain('STAY A WHILE.')
  },
)

test('[ASK-5] what was agreed to beside an open request is not active once the person writes on, and never was reported', async () => {
  const { agent } = await setUp([together, say], {})
  await agent.invoke(user('Go'), one)
  const pending = await consentRequests(agent, one)
  await agent.invoke(resumeWith(pending, [{ requestId: pending[0]!.request.id, approved: true }]), one)
  expect(await activeSkills(agent, one)).toEqual([])
  await agent.invoke(user('Never mind.'), one)
  expect(await activeSkills(agent, one)).toEqual([])
})

test('[ASK-3] an answer to none of the requests is a mistake of the program', async () => {
  const { agent } = await setUp([together, say], {})
  await agent.invoke(user('Go'), one)
  const pending = await consentRequests(agent, one)
  expect(() => resumeWith(pending, [{ requestId: 'other', approved: true }])).toThrow(
    /no pending request has the id "other"/,
  )
  expect(resumeWith(pending, [])).toBeInstanceOf(Command)
})
