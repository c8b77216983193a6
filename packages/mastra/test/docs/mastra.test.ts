import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memorySource, openRepertoire } from '@repertoire/core'
import { expect, onTestFinished, test, vi } from 'vitest'
import { activate, call, CAREFUL, configOf, resultOf, useEndpoint } from '../task.ts'
import { answer, decide, openAgent } from './chat-example.ts'
import { withReviewer } from './sub-agents-example.ts'

const endpoint = useEndpoint()

test('[ADPT-7, ASK-5] the example of a chat asks in a thread, and goes on after a decision', async () => {
  const project = await mkdtemp(join(tmpdir(), 'repertoire-mastra-'))
  onTestFinished(() => rm(project, { recursive: true, force: true }))
  await mkdir(join(project, '.agents/skills/careful'), { recursive: true })
  await writeFile(join(project, '.agents/skills/careful/SKILL.md'), CAREFUL)
  const cwd = vi.spyOn(process, 'cwd').mockReturnValue(project)
  onTestFinished(() => cwd.mockRestore())
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  onTestFinished(() => written.mockRestore())
  const play = endpoint().play([activate('careful'), call('Write', {}), { text: 'Done.' }])
  const { runs, config } = configOf(play)
  const agent = await openAgent(config)
  const { runId, questions } = await answer(agent, 'a', 'Hello')
  expect(questions.map(({ text }) => text.split('\n')[0])).toEqual(['Activate the skill "careful"?'])
  await decide(agent, runId, questions[0]!.toolCallId, true)
  expect(written.mock.calls.map(([text]) => text).join('')).toContain('Done.')
  expect(runs).toEqual([])
  expect(resultOf(play, 'call_2_1')).toContain('TOOL_NOT_ALLOWED')
})

test('[ADPT-7, ACT-10] the example of sub-agents runs a forked skill with the default agent', async () => {
  const survey = '---\nname: survey\ndescription: Surveys.\ncontext: fork\n---\nCount the files.\n'
  const sources = [memorySource({ layer: 'project', skills: { survey: { 'SKILL.md': survey } } })]
  const play = endpoint().play([activate('survey'), { text: '42 files.' }, { text: 'There are 42.' }])
  const { config } = configOf(play)
  const { text } = await withReviewer(config, await openRepertoire({ sources })).generate('How many files?')
  expect(text).toBe('There are 42.')
  expect(play.requests[1]!.messages.map(({ text: shown }) => shown).join('\n')).toContain('Count the files.')
  expect(resultOf(play, 'call_1_1')).toContain('42 files.')
})
