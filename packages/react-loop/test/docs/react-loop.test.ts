import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lastResult, type ModelEndpoint, openModelEndpoint } from '@repertoire/conformance'
import { memorySessions, memorySource, openRepertoire } from '@repertoire/core'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { activate, call, endpointOf, manifest, tool } from '../agent.ts'
import { openAICompatible } from '../../src/index.ts'
import { loopThatAsks } from './approval-example.ts'
import { answer } from './readme-example.ts'
import { answerInLoop } from './session-stores-example.ts'

let endpoint: ModelEndpoint
beforeAll(async () => {
  endpoint = await openModelEndpoint()
})
afterAll(() => endpoint.close())

test('[ADPT-3] the example of the README asks, activates and answers', async () => {
  const project = await mkdtemp(join(tmpdir(), 'repertoire-docs-'))
  onTestFinished(() => rm(project, { recursive: true, force: true }))
  const cwd = vi.spyOn(process, 'cwd').mockReturnValue(project)
  onTestFinished(() => cwd.mockRestore())
  await mkdir(join(project, '.agents/skills/greeter'), { recursive: true })
  await writeFile(join(project, '.agents/skills/greeter/SKILL.md'), manifest('greeter', '', 'GREET.')['SKILL.md']!)
  const play = endpoint.play([activate('greeter'), call('Now'), { text: 'Hello.' }])
  const questions: string[] = []
  const text = await answer(endpointOf(play), 'Hello', (question) => {
    questions.push(question)
    return Promise.resolve('y')
  })
  expect(text).toBe('Hello.')
  expect(questions).toEqual([expect.stringMatching(/^Activate the skill "greeter"\?[^]*\[y\/N\] $/)])
  expect(lastResult(play, 'call_1_1')).toContain('GREET.')
  expect(lastResult(play, 'call_2_1')).toMatch(/^\d{4}-/)
})

test("[ASK-5] the example about approval asks about a host's tool that needs it, and about no other", async () => {
  const skills = { reading: manifest('reading', 'allowed-tools: Read Now\n', 'Read.') }
  const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills })] })
  const session = repertoire.openSession({ consent: () => true })
  const play = endpoint.play([
    activate('reading'),
    { calls: ['Read', 'Now', 'Bash'].flatMap((name) => call(name).calls) },
    { text: 'Done.' },
  ])
  const tools = [tool('Read'), tool('Now'), tool('Bash')]
  const asked: string[] = []
  const loop = loopThatAsks(openAICompatible(endpointOf(play)), session, tools, ({ tool: name }) => {
    asked.push(name)
    return true
  })
  await loop.run('Go')
  expect(asked).toEqual(['Read'])
  expect(tools.map(({ inputs }) => inputs.length)).toEqual([1, 1, 0])
})

test('[LIB-11] the example about session stores goes on with the skills of a chat in another process', async () => {
  const skills = { greeter: manifest('greeter', '', 'GREET.') }
  const open = () => openRepertoire({ sources: [memorySource({ layer: 'project', skills })], sessionSecret: 'secret' })
  const store = memorySessions()
  const questions: string[] = []
  const consent = ({ text }: { readonly text: string }) => questions.push(text) > 0
  const first = endpoint.play([activate('greeter'), { text: 'Hello.' }])
  const model = openAICompatible(endpointOf(first))
  const { messages } = await answerInLoop(await open(), store, model, {
    chat: 'c',
    messages: [{ role: 'user', content: 'Hello' }],
    consent,
  })
  const second = endpoint.play([activate('greeter'), { text: 'Hello again.' }])
  const { text } = await answerInLoop(await open(), store, openAICompatible(endpointOf(second)), {
    chat: 'c',
    messages: [...messages, { role: 'user', content: 'And again' }],
    consent,
  })
  expect(text).toBe('Hello again.')
  expect(questions).toHaveLength(1)
  expect(lastResult(second, 'call_1_1')).toContain('GREET.')
})
