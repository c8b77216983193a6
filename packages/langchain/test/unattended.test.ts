import { Command, interrupt, MemorySaver } from '@langchain/langgraph'
import type { ScriptStep } from '@repertoire/conformance'
import { type AuditEvent, memorySource } from '@repertoire/core'
import { type AgentMiddleware, createAgent, createMiddleware, humanInTheLoopMiddleware, tool } from 'langchain'
import { describe, expect, test } from 'vitest'
import { skillsMiddleware, type SkillsSession } from '../src/index.ts'
import { useEndpoint } from './endpoint.ts'
import {
  activate,
  call,
  hostTools,
  modelOf,
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

const forked = (name: string, fields = '') => ({
  'SKILL.md': `---\nname: ${name}\ndescription: The skill ${name}.\ncontext: fork\n${fields}---\nDo it.\n`,
})
const sources = [
  memorySource({
    layer: 'project',
    skills: { scout: forked('scout'), expert: forked('expert', 'agent: reviewer\n') },
  }),
]

const asking = tool(() => `They said ${String(interrupt('Really?'))}.`, {
  name: 'Ask',
  description: 'Asks.',
  schema: { type: 'object', properties: {} },
})

const one = thread('one')
const yes: SkillsSession = { consent: () => true }

async function setUp(
  script: readonly ScriptStep[],
  {
    stored = true,
    session = yes,
    middleware,
  }: { stored?: boolean; session?: SkillsSession; middleware?: AgentMiddleware },
) {
  const play = endpoint.play(script)
  const runs: Run[] = []
  const events: AuditEvent[] = []
  const repertoire = await openSkills({ sources, audit: { write: (event) => void events.push(event) } })
  const tools = [...hostTools(runs), asking]
  const model = modelOf(play)
  const reviewer = { model, tools, ...(middleware && { middleware: [middleware] }) }
  const agent = createAgent({
    model,
    tools,
    middleware: [skillsMiddleware(repertoire, { ...session, subagents: { reviewer } })],
    ...(stored && { checkpointer: new MemorySaver() }),
  } as never)
  return { play, runs, events, agent: agent as ReturnType<typeof createAgent> }
}

const UNATTENDED_REASON =
  'The call of "Ask" waits for a person, but a sub-agent runs unattended and cannot ask. ' +
  'Go on without it, and say in your result what is left to be asked.'

describe('a tool that waits for a person in a sub-agent', () => {
  test.each([true, false])(
    '[ACT-10, OBS-1] fails in clear words, and the sub-agent goes on (checkpointer: %s)',
    async (stored) => {
      const script = [activate('scout'), call('Ask', {}), call('Read', { file_path: 'a' }), { text: 'Half done.' }, say]
      const { play, runs, events, agent } = await setUp(script, { stored })
      expect(questionsOf(await agent.invoke(user('Go'), one))).toEqual([])
      expect(resultOf({ ...play, requests: play.requests.slice(0, 3) }, 'call_2_1')).toBe(UNATTENDED_REASON)
      expect(runs).toEqual([['Read', { file_path: 'a' }]])
      expect(resultOf(play, 'call_1_1')).toBe('<skill_result name="scout">\nHalf done.\n</skill_result>')
      expect(events.find(({ type, tool: name }) => type === 'tool.finished' && name === 'Ask')).toMatchObject({
        outcome: 'failed',
        error: UNATTENDED_REASON,
      })
    },
  )

  test('[ACT-10, ASK-3] is given no answer that was meant for the agent above', async () => {
    const { play, agent } = await setUp([activate('scout'), call('Ask', {}), say, say], { session: {} })
    const [question] = questionsOf(await agent.invoke(user('Go'), one))
    const resume = { requestId: question!.value.id, approved: true }
    expect(questionsOf(await agent.invoke(new Command({ resume }), one))).toEqual([])
    expect(resultOf({ ...play, requests: play.requests.slice(0, 3) }, 'call_2_1')).toBe(UNATTENDED_REASON)
  })

  test('[ADPT-2] waits as ever in the agent itself', async () => {
    const { play, agent } = await setUp([call('Ask', {}), say], {})
    expect(questionsOf(await agent.invoke(user('Go'), one)).map(({ value }) => value)).toEqual(['Really?'])
    await agent.invoke(new Command({ resume: 'yes' }), one)
    expect(resultOf(play, 'call_1_1')).toBe('They said yes.')
  })
})

describe('a middleware that waits for a person in a sub-agent', () => {
  const approvals = humanInTheLoopMiddleware({ interruptOn: { Read: { allowedDecisions: ['approve', 'reject'] } } })
  const before = createMiddleware({ name: 'before', beforeModel: () => interrupt('Go on?') })
  const around = createMiddleware({ name: 'around', wrapModelCall: () => interrupt('Go on?') })

  test.each([
    ['about a call', approvals as AgentMiddleware, true],
    ['about a call', approvals as AgentMiddleware, false],
    ['before the model', before as AgentMiddleware, true],
    ['before the model', before as AgentMiddleware, false],
    ['around the model', around as AgentMiddleware, true],
    ['around the model', around as AgentMiddleware, false],
  ])('[ACT-10] %s ends it, in words that say why', async (_, middleware, stored) => {
    const asked = middleware === (approvals as AgentMiddleware) ? [call('Read', { file_path: 'a' })] : []
    const { play, runs, agent } = await setUp([activate('expert'), ...asked, say], { stored, middleware })
    expect(questionsOf(await agent.invoke(user('Go'), one))).toEqual([])
    expect(refusalOf(play, 'call_1_1')).toMatchObject({ code: 'FORK_FAILED' })
    expect(refusalOf(play, 'call_1_1').reason).toBe(
      'The skill "expert" ran without a result: its sub-agent waited for a person, and sub-agents run unattended: ' +
        'nobody can be asked in one. Go on without the skill, and do yourself what needs a person.',
    )
    expect(runs).toEqual([])
  })

  test('[ACT-10, ACT-12] ends what a person invoked, too', async () => {
    const { play, agent } = await setUp([say], { middleware: before as AgentMiddleware })
    expect(questionsOf(await agent.invoke(user('/expert now'), one))).toEqual([])
    expect(play.requests[0]?.messages[1]?.text).toContain('FORK_FAILED')
    expect(play.requests[0]?.messages[1]?.text).toContain('sub-agents run unattended')
  })
})
