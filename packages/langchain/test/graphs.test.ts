import {
  type BaseCheckpointSaver,
  Command,
  MemorySaver,
  MessagesAnnotation,
  ParentCommand,
  START,
  StateGraph,
} from '@langchain/langgraph'
import type { ScriptStep } from '@repertoire/conformance'
import { memorySource, type SessionProblem } from '@repertoire/core'
import { tool, ToolMessage, type ToolRuntime } from 'langchain'
import { describe, expect, test } from 'vitest'
import { activeSkills, consentRequests, endSkills, resumeWith } from '../src/index.ts'
import { activate, call, hostTools, offered, resultOf, say, user } from './setup.ts'
import { one, sources, useSkilledAgent, yes } from './skilled-agent.ts'

const { setUp } = useSkilledAgent()

type Agent = Awaited<ReturnType<typeof setUp>>['agent']

/** A graph with an agent as its only node. */
function graphOf(agent: Agent, checkpointer?: BaseCheckpointSaver) {
  const nodes = new StateGraph(MessagesAnnotation).addNode('support', agent.graph as never)
  return nodes.addEdge(START, 'support').compile({ checkpointer })
}

/** The place of an agent that keeps its own state. */
const place = { configurable: { ...one.configurable, checkpoint_ns: 'support' } }

const read = call('Read', { file_path: 'a' })
const list = call('Bash', { command: 'ls' })

describe('an agent that is a node of a graph', () => {
  test.each([
    ['with', new MemorySaver()],
    ['without', undefined],
  ])('[ACT-7, ACT-13] ends its task with each run in a graph %s a checkpointer', async (_, checkpointer) => {
    const problems: SessionProblem[] = []
    const options = { ...yes, onProblem: (problem: SessionProblem) => void problems.push(problem) }
    const script = [activate('leaving'), activate('greeter'), read, say, list, say]
    const { agent, hooks, runs, events, play } = await setUp(script, options, { checkpointer: undefined })
    const graph = graphOf(agent, checkpointer)
    const { messages } = await graph.invoke(user('Go'), one)
    expect(hooks).toEqual(['goodbye.sh'])
    expect(events.flatMap(({ type, skill }) => (type === 'skill.deactivated' ? [skill?.name] : []))).toEqual([
      'greeter',
      'leaving',
    ])
    // A graph with a checkpointer goes on with the conversation, where the skills seem to be active.
    const lost = { code: 'SKILL_DEACTIVATED', message: expect.stringContaining('checkpointer: true') }
    expect(problems).toEqual(checkpointer === undefined ? [] : [lost])
    await graph.invoke(
      checkpointer === undefined ? { messages: [...messages, ...user('On').messages] } : user('On'),
      one,
    )
    expect(runs.map(([name]) => name)).toEqual(['Read', 'Bash'])
    expect(offered(play.requests.at(-1))).not.toContain('deactivate_skill')
  })

  test('[ACT-15, ADPT-2] keeps its session by thread and place with `checkpointer: true`', async () => {
    const script = [activate('leaving'), activate('greeter'), say, list, say]
    const { agent, hooks, runs, repertoire, play } = await setUp(script, yes, { checkpointer: true })
    const graph = graphOf(agent, new MemorySaver())
    await graph.invoke(user('Go'), one)
    await graph.invoke(user('On'), one)
    expect(runs).toEqual([])
    expect(resultOf(play, 'call_4_1')).toContain('greeter')
    expect(await activeSkills(graph, place)).toEqual(['leaving', 'greeter'])
    await endSkills(repertoire, graph, place, yes)
    expect(hooks).toEqual(['goodbye.sh'])
    expect(await activeSkills(graph, place)).toEqual([])
  })

  test.each([undefined, true] as const)(
    '[ASK-5, ADPT-2] asks through the graph, one answer after the other (checkpointer: %s)',
    async (checkpointer) => {
      const both = { calls: ['leaving', 'greeter'].map((name) => ({ tool: 'activate_skill', input: { name } })) }
      const { agent, runs, play } = await setUp([both, read, say], {}, { checkpointer })
      const graph = graphOf(agent, new MemorySaver())
      await graph.invoke(user('Go'), one)
      const left = async () => (await consentRequests(graph, one)).map(({ request }) => request.skill)
      for (const skills of [['leaving', 'greeter'], ['greeter']]) {
        expect(await left()).toEqual(skills)
        const [first] = await consentRequests(graph, one)
        await graph.invoke(resumeWith([first!], [{ requestId: first!.request.id, approved: true }]), one)
      }
      expect(await left()).toEqual([])
      expect(runs).toEqual([['Read', { file_path: 'a' }]])
      expect(resultOf(play, 'call_1_2')).toContain('FIRST.')
    },
  )
})

describe('a handoff to another agent of the graph', () => {
  const handOver = (by: 'returns' | 'throws') =>
    tool(
      (_, { state, toolCallId: tool_call_id }: ToolRuntime) => {
        const { messages } = state as { messages: [] }
        const update = { messages: [...messages, new ToolMessage({ content: 'Yours.', tool_call_id })] }
        const command = new Command({ graph: Command.PARENT, goto: 'other', update })
        if (by === 'throws') throw new ParentCommand(command)
        return command
      },
      { name: 'Transfer', description: 'Hands over.', schema: { type: 'object', properties: {} } },
    )

  const guarded = {
    'SKILL.md': '---\nname: guarded\ndescription: Guarded.\nallowed-tools: Transfer Read\n---\nWITH CARE.\n',
  }

  /** Two agents, the first of which can hand over to the second. */
  async function setUpBoth(
    script: readonly ScriptStep[],
    by: 'returns' | 'throws',
    checkpointer?: BaseCheckpointSaver,
  ) {
    const tools = [...hostTools(), handOver(by)]
    const options = { ...yes, onProblem: () => undefined }
    const opening = { sources: [...sources, memorySource({ layer: 'project', id: 'guarded', skills: { guarded } })] }
    const first = await setUp(script, options, { checkpointer: undefined, tools }, opening)
    const other = await setUp([say], options, { checkpointer: undefined })
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('first', first.agent.graph as never, { ends: ['other'] })
      .addNode('other', other.agent.graph as never)
      .addEdge(START, 'first')
      .compile({ checkpointer })
    return { first, other, graph }
  }

  test.each([
    ['returns', new MemorySaver()],
    ['throws', new MemorySaver()],
    ['returns', undefined],
  ] as const)(
    '[ACT-7, ADPT-10] ends the task of the agent whose tool %s the command (checkpointer: %o)',
    async (by, checkpointer) => {
      const { first, graph } = await setUpBoth([activate('leaving'), call('Transfer', {})], by, checkpointer)
      const { messages } = await graph.invoke(user('Go'), one)
      expect(messages.map(({ text }) => text).slice(-2)).toEqual(['Yours.', 'Done.'])
      expect(first.hooks).toEqual(['goodbye.sh'])
    },
  )

  test.each(['returns', 'throws'] as const)(
    '[GATE-1, ABUSE-139] is refused while a skill restricts the agent whose tool %s the command',
    async (by) => {
      const script = [
        activate('guarded'),
        call('Transfer', {}),
        call('deactivate_skill', { name: 'guarded' }),
        call('Transfer', {}),
      ]
      const { first, other, graph } = await setUpBoth(script, by, new MemorySaver())
      await graph.invoke(user('Go'), one)
      expect(resultOf(first.play, 'call_2_1')).toContain('"guarded" would not bind')
      expect(other.play.requests).toHaveLength(1)
    },
  )
})
