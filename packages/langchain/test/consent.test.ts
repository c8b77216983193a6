import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Command, interrupt, MemorySaver } from '@langchain/langgraph'
import type { ScriptStep } from '@repertoire/conformance'
import { memorySource } from '@repertoire/core'
import { bundled } from '@repertoire/test-servers'
import { createAgent, tool } from 'langchain'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { useEndpoint } from './endpoint.ts'
import {
  activate,
  call,
  hostOf,
  modelOf,
  openSkills,
  questionsOf,
  refusalOf,
  resultOf,
  type Run,
  say,
  SKILLS,
  thread,
  user,
} from './setup.ts'
import { langchainDriver } from '../src/conformance.ts'
import { activeSkills, endSkills, skillsMiddleware } from '../src/index.ts'

const one = thread('one')

const endpoint = useEndpoint()

async function setUp(script: readonly ScriptStep[], version: 'v1' | 'v2' = 'v2') {
  const play = endpoint.play(script)
  const runs: Run[] = []
  const repertoire = await openSkills()
  const agent = createAgent({
    ...hostOf(play, runs),
    middleware: [skillsMiddleware(repertoire)],
    version,
  })
  return { play, runs, agent, repertoire }
}

test('[ASK-5, ASK-1] an activation suspends the run with the consent request, and goes on with the answer', async () => {
  const { play, runs, agent } = await setUp([
    {
      calls: [
        { tool: 'Read', input: { file_path: 'a' } },
        { tool: 'activate_skill', input: { name: 'editing' } },
      ],
    },
    call('Bash', { command: 'ls' }),
    activate('editing'),
    say,
  ])
  const [question, ...others] = questionsOf(await agent.invoke(user('Hello'), one))
  expect(others).toEqual([])
  expect(question!.value).toMatchObject({
    skill: 'editing',
    callId: 'call_1_2',
    allowedTools: ['Read', 'Write(docs/**)'],
  })
  expect(JSON.parse(JSON.stringify(question!.value))).toEqual(question!.value)
  expect(play.requests).toHaveLength(1)
  expect(await activeSkills(agent, one)).toEqual([])
  const result = await agent.invoke(new Command({ resume: { requestId: question!.value.id, approved: true } }), one)
  expect(questionsOf(result)).toEqual([])
  expect(runs).toEqual([['Read', { file_path: 'a' }]])
  expect(resultOf(play, 'call_1_2')).toContain('Edit with care.')
  expect(refusalOf(play, 'call_2_1').code).toBe('TOOL_NOT_ALLOWED')
  expect(resultOf(play, 'call_3_1')).toContain('already active')
})

test.each(['updates', 'messages', 'values'] as const)(
  '[ASK-5, ADPT-2] a streamed run suspends and goes on too (mode %s)',
  async (streamMode) => {
    const { play, agent } = await setUp([activate('editing'), say])
    for await (const _ of await agent.stream(user('Hello'), { ...one, streamMode }));
    const [task] = (await agent.graph.getState(one)).tasks
    const { id } = task!.interrupts[0]!.value
    for await (const _ of await agent.stream(new Command({ resume: { requestId: id, approved: true } }), {
      ...one,
      streamMode,
    }));
    expect(resultOf(play, 'call_1_1')).toContain('Edit with care.')
    expect(await activeSkills(agent, one)).toEqual(['editing'])
  },
)

test('[ASK-5, ABUSE-94] consent requests that are open at once are answered one by one, each by its own answer', async () => {
  const { play, runs, agent } = await setUp([
    {
      calls: [
        ...['editing', 'history', 'free'].map((name) => ({ tool: 'activate_skill', input: { name } })),
        { tool: 'Bash', input: { command: 'ls' } },
      ],
    },
    say,
  ])
  const asked = new Map(
    questionsOf(await agent.invoke(user('Hello'), one)).map((question) => [question.value.skill ?? '', question]),
  )
  const answer = async (of: string, approved: boolean, to = of) => {
    const resume = { requestId: asked.get(of)!.value.id, approved, reason: 'because' }
    const left = await agent.invoke(new Command({ resume: { [asked.get(to)!.id]: resume } }), one)
    return questionsOf(left)
      .map(({ value: { skill = '' } }) => skill)
      .toSorted()
  }
  expect([...asked.keys()].toSorted()).toEqual(['editing', 'free', 'history'])
  expect(await answer('history', false)).toEqual(['editing', 'free'])
  expect(await answer('free', true, 'editing')).toEqual(['free'])
  expect(await answer('free', true)).toEqual([])
  expect(refusalOf(play, 'call_1_1').code).toBe('CONSENT_DENIED')
  expect(refusalOf(play, 'call_1_2').reason).toContain('because')
  expect(resultOf(play, 'call_1_3')).toContain('Do as you like.')
  expect(await activeSkills(agent, one)).toEqual(['free'])
  expect(runs).toEqual([['Bash', { command: 'ls' }]])
})

test.each([true, 'yes', 1, {}, { approved: true }, { requestId: 'another', approved: true }, null, undefined])(
  '[ASK-3, ABUSE-95] %j is not a clear yes to the question',
  async (resume) => {
    const { play, agent } = await setUp([activate('editing'), say])
    const [question] = questionsOf(await agent.invoke(user('Hello'), one))
    await agent.invoke(new Command({ resume: { [question!.id]: resume } }), one)
    expect(refusalOf(play, 'call_1_1').code).toBe('CONSENT_DENIED')
    expect(await activeSkills(agent, one)).toEqual([])
  },
)

test('[ASK-5, ABUSE-94] a yes to an earlier consent request is a no', async () => {
  const { play, agent } = await setUp([activate('editing'), activate('editing'), say])
  const [first] = questionsOf(await agent.invoke(user('Hello'), one))
  const [second] = questionsOf(
    await agent.invoke(new Command({ resume: { requestId: first!.value.id, approved: false } }), one),
  )
  expect(second!.value.skill).toBe('editing')
  await agent.invoke(new Command({ resume: { requestId: first!.value.id, approved: true } }), one)
  expect(refusalOf(play, 'call_2_1').code).toBe('CONSENT_DENIED')
  expect(await activeSkills(agent, one)).toEqual([])
})

test('[ACT-8, ABUSE-94] a yes from one thread is a no on another, even to the same call', async () => {
  const same = call('activate_skill', { name: 'editing' }, 'the same call')
  const { play, agent } = await setUp([same, same, say])
  const [here] = questionsOf(await agent.invoke(user('Hello'), one))
  const [there] = questionsOf(await agent.invoke(user('Hello'), thread('two')))
  expect({ ...there!.value, id: '', session: '' }).toEqual({ ...here!.value, id: '', session: '' })
  await agent.invoke(new Command({ resume: { requestId: here!.value.id, approved: true } }), thread('two'))
  expect(refusalOf(play, 'the same call').code).toBe('CONSENT_DENIED')
  expect(await activeSkills(agent, thread('two'))).toEqual([])
})

test('[ACT-8, ABUSE-94] the same call in a later task of the thread opens another consent request', async () => {
  const repeated = call('activate_skill', { name: 'editing' }, 'the same call')
  const { agent, repertoire } = await setUp([repeated, say, repeated, say])
  const [first] = questionsOf(await agent.invoke(user('Hello'), one))
  await agent.invoke(new Command({ resume: { requestId: first!.value.id, approved: true } }), one)
  await endSkills(repertoire, agent, one)
  const [second] = questionsOf(await agent.invoke(user('Another task'), one))
  // An id that was used before in the thread is replaced.
  expect(second!.value).toMatchObject({ skill: 'editing', callId: expect.not.stringMatching(/^the same call$/) })
  expect(second!.value.id).not.toBe(first!.value.id)
})

test('[ASK-2, ABUSE-122] a run whose skill changes while it waits is suspended again, with a request about the folder as it is now', async () => {
  const skills = structuredClone(SKILLS) as Record<string, Record<string, string>>
  const play = endpoint.play([activate('editing'), say])
  const shared = { model: modelOf(play), checkpointer: new MemorySaver() }
  const open = async (body: string) => {
    skills['editing']!['SKILL.md'] = `---\nname: editing\ndescription: Edits texts.\n---\n${body}\n`
    const repertoire = await openSkills({ sources: [memorySource({ layer: 'project', id: 'tests', skills })] })
    return createAgent({ ...shared, middleware: [skillsMiddleware(repertoire)] })
  }
  const yes = (question: { readonly value: { readonly id: string } } | undefined) =>
    new Command({ resume: { requestId: question!.value.id, approved: true } })

  const [first] = questionsOf(await (await open('Old.')).invoke(user('Hello'), one))
  const [second, ...others] = questionsOf(await (await open('Newer.')).invoke(yes(first), one))
  expect(others).toEqual([])
  expect(second!.value).toMatchObject({ skill: 'editing', callId: first!.value.callId })
  const last = await open('Newest.')
  const [third] = questionsOf(await last.invoke(yes(second), one))
  expect(new Set([first, second, third].map((question) => question!.value.digest)).size).toBe(3)
  expect(await activeSkills(last, one)).toEqual([])
  expect(questionsOf(await last.invoke(yes(third), one))).toEqual([])
  expect(resultOf(play, 'call_1_1')).toContain('Newest.')
  expect(await activeSkills(last, one)).toEqual(['editing'])
})

test('[ASK-3] without a checkpointer nobody can be asked, and the activation is denied', async () => {
  const play = endpoint.play([activate('editing'), say])
  const agent = createAgent({ model: modelOf(play), middleware: [skillsMiddleware(await openSkills())] })
  const { messages } = await agent.invoke(user('Hello'))
  expect(refusalOf(play, 'call_1_1')).toMatchObject({ code: 'CONSENT_DENIED' })
  expect(messages.at(-1)!.text).toBe('Done.')
})

test('[ASK-5] a handler of the session is asked instead of the graph, which does not stop', async () => {
  const play = endpoint.play([activate('editing'), say])
  const consent = ({ id }: { id: string }) => ({ requestId: id, approved: false, reason: 'not today' })
  const agent = createAgent({
    model: modelOf(play),
    checkpointer: new MemorySaver(),
    middleware: [skillsMiddleware(await openSkills(), { consent })],
  })
  expect(questionsOf(await agent.invoke(user('Hello'), one))).toEqual([])
  expect(refusalOf(play, 'call_1_1').reason).toContain('not today')
})

test('[ASK-5, GATE-5] in the tools node v1, where one consent request stops all calls of a message, each is still asked for itself', async () => {
  const { play, agent } = await setUp(
    [{ calls: ['editing', 'history'].map((name) => ({ tool: 'activate_skill', input: { name } })) }, say],
    'v1',
  )
  let questions = questionsOf(await agent.invoke(user('Hello'), one))
  for (let rounds = 0; questions.length > 0 && rounds < 4; rounds++) {
    const [{ id, value }] = questions as [(typeof questions)[0]]
    questions = questionsOf(
      await agent.invoke(
        new Command({ resume: { [id]: { requestId: value.id, approved: value.skill === 'history' } } }),
        one,
      ),
    )
  }
  expect(questions).toEqual([])
  expect(await activeSkills(agent, one)).not.toContain('editing')
  expect(refusalOf(play, 'call_1_1').code).toBe('CONSENT_DENIED')
})

test(
  '[ACT-15, ASK-5] a fresh process takes the answer from what was saved as JSON, and nothing if it was tampered with',
  { timeout: 60_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'repertoire-langchain-'))
    try {
      const play = endpoint.play([activate('editing'), say])
      const conversation = await langchainDriver.start({
        variant: 'invoke',
        endpoint: { baseURL: play.baseURL, apiKey: play.apiKey, model: play.model },
        repertoire: await openSkills({ sessionSecret: 'a key' }),
        session: {},
        instructions: 'Be careful.',
        tools: [],
        maxSteps: 5,
      })
      const turn = await conversation.send('Hello')
      if (turn.status !== 'asking') throw new Error('The turn did not ask.')
      const saved = await conversation.save()
      const file = join(folder, 'thread.json')
      await writeFile(file, JSON.stringify({ saved, requestId: turn.requests[0]!.id, skills: SKILLS }))
      const program = bundled(fileURLToPath(new URL('fresh-process.ts', import.meta.url)))
      const keys = ['another key', 'a key']
      const args = ['--conditions=@repertoire/source', program, file, play.baseURL, play.apiKey, ...keys]
      const { stdout } = await promisify(execFile)(process.execPath, args)
      expect(JSON.parse(stdout)).toEqual([
        { error: 'STATE_TAMPERED' },
        { turn: { status: 'done', text: 'Done.' }, active: ['editing'] },
      ])
      expect(resultOf(play, 'call_1_1')).toContain('Edit with care.')
    } finally {
      await rm(folder, { recursive: true })
    }
  },
)

test('[OBS-8, ASK-5] a question and its answer are on record once, also where a tool then asks a person itself and each run is another process', async () => {
  const play = endpoint.play([call('Ask', {}), say])
  const checkpointer = new MemorySaver()
  /** What each process has on record. */
  const recorded: unknown[][] = []
  const fresh = async () => {
    const events: unknown[] = []
    recorded.push(events)
    const repertoire = await openSkills({
      audit: { write: ({ type, consent }) => void (consent && events.push([type, consent.request, consent.answer])) },
    })
    const asking = tool(() => `The person says ${String(interrupt('How?'))}.`, {
      name: 'Ask',
      description: 'Asks.',
      schema: z.object({}),
    })
    const middleware = [skillsMiddleware(repertoire, { policy: { ask: ['Ask'] } })]
    return createAgent({ model: modelOf(play), tools: [asking], checkpointer, middleware })
  }
  const [question] = questionsOf(await (await fresh()).invoke(user('Hello'), one))
  const { id } = question!.value
  await (await fresh()).invoke(new Command({ resume: { requestId: id, approved: true } }), one)
  await (await fresh()).invoke(new Command({ resume: 'gently' }), one)
  expect(resultOf(play, 'call_1_1')).toBe('The person says gently.')
  expect(recorded).toEqual([[['consent.asked', id, undefined]], [['consent.answered', id, 'yes']], []])
})
