import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memorySessions, memorySource, openRepertoire } from '@repertoire/core'
import { generateText, isStepCount, jsonSchema, type ModelMessage, tool, type UIMessage } from 'ai'
import { expect, onTestFinished, test, vi } from 'vitest'
import { runOn, addAnswers } from './consent-example.ts'
import { openAgent } from './how-to-agent-example.ts'
import { openDeployer } from './how-to-approval-example.ts'
import { openTeam } from './how-to-sub-agents-example.ts'
import { openChat } from './readme-example.ts'
import { answerChat } from './session-stores-example.ts'
import { withReviewer } from './sub-agents-example.ts'
import { answer } from './with-skills-example.ts'
import { activate, call, CAREFUL, modelOf, notingTools, openTask, resultOf, useEndpoint } from '../task.ts'
import { withSkills } from '../../src/index.ts'

const endpoint = useEndpoint()

/** A working folder with a skill, for the examples that look for the project's. */
async function inProject(skills: Readonly<Record<string, { readonly 'SKILL.md': string }>> = CAREFUL): Promise<void> {
  const project = await mkdtemp(join(tmpdir(), 'repertoire-ai-sdk-'))
  onTestFinished(() => rm(project, { recursive: true, force: true }))
  const cwd = vi.spyOn(process, 'cwd').mockReturnValue(project)
  onTestFinished(() => cwd.mockRestore())
  for (const [name, files] of Object.entries(skills)) {
    await mkdir(join(project, '.agents/skills', name), { recursive: true })
    await writeFile(join(project, '.agents/skills', name, 'SKILL.md'), files['SKILL.md'])
  }
}

/** Says yes, and notes the first line of each question. */
function yes() {
  const questions: string[] = []
  const ask = async (question: string): Promise<boolean> => {
    questions.push(question.split('\n')[0]!)
    return true
  }
  return { questions, ask }
}

const script = [activate('careful'), call('Bash', { command: 'git log' }), { text: 'Done.' }]

test('[ADPT-1, ASK-5] the example of the README asks in one request and answers in the next', async () => {
  await inProject()
  const play = endpoint().play(script)
  const { runs, tools } = notingTools()
  const handle = await openChat(modelOf(play), tools)
  const messages: UIMessage[] = [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'Hello' }] }]
  const post = async (): Promise<string> => {
    const body = JSON.stringify({ id: 'chat-7', messages })
    return (await handle(new Request('http://localhost/chat', { method: 'POST', body }))).text()
  }
  const [, approvalId = ''] = /"approvalId":"([^"]+)"/.exec(await post()) ?? []
  const part = { type: 'dynamic-tool', toolName: 'activate_skill', toolCallId: 'call_1_1', input: { name: 'careful' } }
  const approved = { ...part, state: 'approval-responded', approval: { id: approvalId, approved: true } } as const
  messages.push({ id: '2', role: 'assistant', parts: [approved as UIMessage['parts'][number]] })
  expect(await post()).toContain('Bash ran')
  expect(runs).toEqual(['Bash {"command":"git log"}'])
  expect(resultOf(play, 'call_1_1')).toContain('LOOK FIRST.')
})

test('[ADPT-1] the example with a session of the host answers with a skill of the project', async () => {
  await inProject()
  const play = endpoint().play(script)
  const { runs, tools } = notingTools()
  expect(await answer(modelOf(play), tools, 'Hello', () => true)).toBe('Done.')
  expect(runs).toEqual(['Bash {"command":"git log"}'])
  expect(resultOf(play, 'call_1_1')).toContain('LOOK FIRST.')
})

test('[ADPT-1] the first agent of the how-to page asks, activates and answers', async () => {
  await inProject()
  const { runs, tools } = notingTools()
  const { questions, ask } = yes()
  const agent = await openAgent(modelOf(endpoint().play(script)), tools, ask)
  expect((await agent.generate({ prompt: 'Hello' })).text).toBe('Done.')
  expect(questions).toEqual(['Activate the skill "careful"?'])
  expect(runs).toEqual(['Bash {"command":"git log"}'])
})

test('[ADPT-1, ASK-6] the agent of the how-to page asks before a push, and never runs what is denied', async () => {
  await inProject()
  const commands = ['git push', 'rm a', 'ls'].map((command) => call('Bash', { command }))
  const play = endpoint().play([...commands, { text: 'Done.' }])
  const { runs, tools } = notingTools()
  const { questions, ask } = yes()
  const agent = await openDeployer(modelOf(play), tools, ask)
  expect((await agent.generate({ prompt: 'Hello' })).text).toBe('Done.')
  expect(questions).toEqual([expect.stringContaining('Bash')])
  expect(runs).toEqual(['Bash {"command":"git push"}', 'Bash {"command":"ls"}'])
  expect(resultOf(play, 'call_2_1')).toContain('TOOL_NOT_ALLOWED')
})

test('[ADPT-1, ACT-10] the agent of the how-to page runs a skill in a sub-agent with its own model', async () => {
  const review = '---\nname: check\ndescription: Checks.\ncontext: fork\nagent: reviewer\n---\nCHECK IT.\n'
  await inProject({ check: { 'SKILL.md': review } })
  const cheap = endpoint().play([{ text: 'All is well.' }])
  const play = endpoint().play([activate('check'), { text: 'Done.' }])
  const agent = await openTeam(modelOf(play), modelOf(cheap), notingTools().tools)
  expect((await agent.generate({ prompt: 'Hello' })).text).toBe('Done.')
  expect(cheap.requests[0]?.system).toMatch(/^You review code\./)
  expect(resultOf(play, 'call_1_1')).toContain('All is well.')
})

test('[ASK-5] the example of the page about AI SDK stops for a consent request and goes on with its answer', async () => {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  onTestFinished(() => written.mockRestore())
  const { play, model, session } = await openTask(endpoint(), [activate('careful'), { text: 'Done.' }], {
    consent: 'suspend',
  })
  const skills = withSkills(session)
  const messages: ModelMessage[] = [{ role: 'user', content: 'Hello' }]
  const [request, ...others] = await runOn(model, session, skills, messages)
  expect([request?.skill, others]).toEqual(['careful', []])
  await addAnswers(session, messages, [{ requestId: request!.id, approved: true }])
  expect(await runOn(model, session, skills, messages)).toEqual([])
  expect(resultOf(play, 'call_1_1')).toContain('LOOK FIRST.')
  expect(written.mock.calls.join('')).toBe('Done.')
})

test('[ACT-10] the example about sub-agents runs a skill by the agent of its kind and the model that it names', async () => {
  const files = {
    'SKILL.md': '---\nname: check\ndescription: Checks.\ncontext: fork\nagent: reviewer\nmodel: big\n---\nCHECK IT.\n',
  }
  const big = endpoint().play([{ text: 'All is well.' }])
  const { play, model, session } = await openTask(
    endpoint(),
    [activate('check'), { text: 'Done.' }],
    {},
    {
      sources: [memorySource({ layer: 'project', skills: { check: files } })],
    },
  )
  const skills = withReviewer(session, notingTools().tools, new Map([['big', modelOf(big)]]))
  await generateText({ model, stopWhen: isStepCount(5), ...skills, prompt: 'Go' })
  expect(big.requests[0]?.system).toMatch(/^You review code\./)
  expect(resultOf(play, 'call_1_1')).toContain('All is well.')
})

test('[LIB-11] the example about session stores asks on one machine, and goes on with the answer on another', async () => {
  const open = () =>
    openRepertoire({ sources: [memorySource({ layer: 'project', skills: CAREFUL })], sessionSecret: 'secret' })
  const store = memorySessions()
  const play = endpoint().play([activate('careful'), { text: 'Done.' }])
  const sent: string[] = []
  const send = (text: string): void => void sent.push(text)
  const first = { chat: 'c', messages: [{ role: 'user' as const, content: 'Hello' }] }
  const asked = await answerChat(await open(), store, modelOf(play), first, send)
  expect(asked.requests).toMatchObject([{ skill: 'careful', session: 'c' }])
  const answers = [{ requestId: asked.requests[0]!.id, approved: true }]
  const second = { chat: 'c', messages: asked.messages, answers }
  const answered = await answerChat(await open(), store, modelOf(play), second, send)
  expect(answered.requests).toEqual([])
  expect(sent.join('')).toBe('Done.')
  expect(resultOf(play, 'call_1_1')).toContain('LOOK FIRST.')
})

test('[LIB-11] the example about session stores carries out once what was approved, though the answer comes twice', async () => {
  const open = () => openRepertoire({ sources: [], sessionSecret: 'secret', policy: { ask: ['Deploy'] } })
  const store = memorySessions()
  const play = endpoint().play([call('Deploy', { to: 'production' }), { text: 'Done.' }, { text: 'Done before.' }])
  let deployed = 0
  const Deploy = tool({
    inputSchema: jsonSchema({ type: 'object' }),
    execute: () => `deployed ${++deployed}`,
  })
  const first = { chat: 'c', messages: [{ role: 'user' as const, content: 'Deploy it' }] }
  const asked = await answerChat(await open(), store, modelOf(play), first, () => {}, { Deploy })
  const answers = [{ requestId: asked.requests[0]!.id, approved: true }]
  const second = { chat: 'c', messages: asked.messages, answers }
  const machines = [await open(), await open()]
  await Promise.all(machines.map((machine) => answerChat(machine, store, modelOf(play), second, () => {}, { Deploy })))
  expect(deployed).toBe(1)
})
