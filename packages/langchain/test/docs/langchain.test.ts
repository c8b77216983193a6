import { MemorySaver } from '@langchain/langgraph'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openModelEndpoint } from '@repertoire/conformance'
import { memorySource, openRepertoire } from '@repertoire/core'
import { createAgent } from 'langchain'
import { expect, onTestFinished, test, vi } from 'vitest'
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
  SKILLS,
  thread,
  user,
} from '../setup.ts'
import { resumeWith, skillsMiddleware } from '../../src/index.ts'
import { answerAll } from './answers-example.ts'
import { askAboutBash } from './approval-example.ts'
import { supportGraph } from './graph-example.ts'
import { answer } from './how-to-interrupts-example.ts'
import { withReviewer } from './sub-agents-example.ts'

async function openEndpoint() {
  const endpoint = await openModelEndpoint()
  onTestFinished(() => endpoint.close())
  return endpoint
}

/** A working folder with a skill, for the examples that look for the project's. */
async function inProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'repertoire-docs-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, '.agents/skills/editing'), { recursive: true })
  await writeFile(join(folder, '.agents/skills/editing/SKILL.md'), SKILLS['editing']!['SKILL.md']!)
  const cwd = vi.spyOn(process, 'cwd').mockReturnValue(folder)
  onTestFinished(() => cwd.mockRestore())
  return folder
}

test('[ADPT-2] the example of the README runs as it stands', async () => {
  const endpoint = await openEndpoint()
  const folder = await inProject()
  const play = endpoint.play([activate('editing'), say])
  const log = vi.spyOn(console, 'log').mockReturnValue()
  for (const [name, value] of [
    ['HOME', folder],
    ['OPENAI_API_KEY', play.apiKey],
    ['OPENAI_BASE_URL', play.baseURL],
  ] as const)
    vi.stubEnv(name, value)
  onTestFinished(() => {
    log.mockRestore()
    vi.unstubAllEnvs()
  })
  await import('./readme-example.ts')
  expect(log.mock.calls).toEqual([[expect.stringContaining('Activate the skill "editing"?')], ['Done.', ['editing']]])
  expect(resultOf(play, 'call_1_1')).toContain('Edit with care.')
})

test('[ADPT-2, ASK-5] the agent of the how-to page asks by interrupts until none is left', async () => {
  await inProject()
  const play = (await openEndpoint()).play([activate('editing'), say])
  const questions: string[] = []
  const ask = (question: string): boolean => questions.push(question) > 0
  expect(await answer({ model: modelOf(play), tools: hostTools() }, 'Go', ask)).toBe('Done.')
  expect(questions).toEqual([expect.stringContaining('Activate the skill "editing"?')])
  expect(resultOf(play, 'call_1_1')).toContain('Edit with care.')
})

test('[ASK-5] the example about answers asks about every activation of a message, and continues', async () => {
  const endpoint = await openEndpoint()
  const calls = ['editing', 'history'].map((name) => ({ tool: 'activate_skill', input: { name } }))
  const play = endpoint.play([{ calls }, say])
  const middleware = [skillsMiddleware(await openSkills())]
  const agent = createAgent({ model: modelOf(play), tools: [], checkpointer: new MemorySaver(), middleware })
  await agent.invoke(user('Go'), thread('one'))
  const asked: string[] = []
  await answerAll(agent, 'one', async ({ id, text }) => {
    asked.push(text)
    return { requestId: id, approved: true }
  })
  expect(asked).toHaveLength(2)
  expect(resultOf(play, 'call_1_1')).toContain('Edit with care.')
  expect(resultOf(play, 'call_1_2')).toContain('Quote the commit.')
})

test('[ACT-10] the example about sub-agents runs a skill by the agent of its kind and the model that it names', async () => {
  const endpoint = await openEndpoint()
  const fields = 'context: fork\nagent: reviewer\nmodel: big\n'
  const files = { 'SKILL.md': `---\nname: check\ndescription: Checks.\n${fields}---\nCHECK IT.\n` }
  const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills: { check: files } })] })
  const big = endpoint.play([{ text: 'All is well.' }])
  const play = endpoint.play([activate('check'), say])
  const middleware = [withReviewer(repertoire, new Map([['big', modelOf(big)]]), hostTools())]
  const agent = createAgent({ model: modelOf(play), tools: [], middleware })
  await agent.invoke(user('Go'))
  expect(big.requests[0]?.system).toMatch(/^You review code\./)
  expect(resultOf(play, 'call_1_1')).toContain('All is well.')
})

test('[ADPT-2, GATE-7] the example about approval asks about a call that is permitted, and never about one that is refused', async () => {
  const endpoint = await openEndpoint()
  const [log, list] = ['git log', 'ls'].map((command) => call('Bash', { command }))
  const play = endpoint.play([activate('history'), list!, log!, say])
  const runs: Run[] = []
  const skills = skillsMiddleware(await openSkills(), { consent: () => true })
  const agent = createAgent({
    model: modelOf(play),
    tools: hostTools(runs),
    checkpointer: new MemorySaver(),
    middleware: [skills, askAboutBash],
  })
  const asked = await agent.invoke(user('Go'), thread('one'))
  expect(questionsOf(asked).map(({ value }) => value)).toMatchObject([
    { actionRequests: [{ name: 'Bash', args: { command: 'git log' } }] },
  ])
  expect(refusalOf(play, 'call_2_1').code).toBe('TOOL_NOT_ALLOWED')
  expect(runs).toEqual([])
})

test('[ACT-15, ADPT-2] the graph of the page keeps the session of its agent', async () => {
  const play = (await openEndpoint()).play([activate('editing'), say])
  const host = { model: modelOf(play), tools: hostTools() }
  const { graph, questions, active } = supportGraph(host, await openSkills(), new MemorySaver())
  await graph.invoke(user('Go'), thread('one'))
  const pending = await questions('one')
  const answers = pending.map(({ request }) => ({ requestId: request.id, approved: true }))
  await graph.invoke(resumeWith(pending, answers), thread('one'))
  expect(await active('one')).toEqual(['editing'])
})
