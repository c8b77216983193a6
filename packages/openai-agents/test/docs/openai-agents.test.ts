import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MemorySession, setDefaultModelProvider } from '@openai/agents'
import { memorySessions } from '@repertoire/core'
import { expect, onTestFinished, test, vi } from 'vitest'
import { addAnswers, goOn } from './consent-example.ts'
import { openChat } from './readme-example.ts'
import { answer } from './session-example.ts'
import { withReviewer } from './sub-agents-example.ts'
import {
  activate,
  agentOf,
  call,
  CAREFUL,
  notingTools,
  openSkills,
  resultOf,
  runnerOf,
  skill,
  useEndpoint,
} from '../task.ts'
import { skillsRunner } from '../../src/index.ts'

const endpoint = useEndpoint()

/** A working folder with a skill, for the examples that look for the project's. */
async function inProject(): Promise<void> {
  const project = await mkdtemp(join(tmpdir(), 'repertoire-openai-agents-'))
  onTestFinished(() => rm(project, { recursive: true, force: true }))
  const cwd = vi.spyOn(process, 'cwd').mockReturnValue(project)
  onTestFinished(() => cwd.mockRestore())
  await mkdir(join(project, '.agents/skills/careful'), { recursive: true })
  await writeFile(join(project, '.agents/skills/careful/SKILL.md'), CAREFUL['careful']!['SKILL.md'])
}

test('[ADPT-5, ASK-5] the example of the README asks with an interruption and goes on after an approval', async () => {
  await inProject()
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  onTestFinished(() => written.mockRestore())
  const play = endpoint().play([activate('careful'), call('Bash', { command: 'git log' }), { text: 'Done.' }], {
    protocol: 'openai-responses',
  })
  setDefaultModelProvider(runnerOf(play, true).config.modelProvider)
  const { runs, tools } = notingTools()
  const agent = agentOf(play, { tools })
  const chat = await openChat(agent)
  const waiting = await chat(new MemorySession({ sessionId: 'chat-7' }), 'Hello')
  expect(waiting.interruptions.map(({ name }) => name)).toEqual(['activate_skill'])
  expect(runs).toEqual([])
})

test('[ADPT-5, ASK-5] the example of consent answers in a later call', async () => {
  const play = endpoint().play([activate('careful'), call('Bash', { command: 'git log' }), { text: 'Done.' }])
  const { runs, tools } = notingTools()
  const sessions = memorySessions()
  const repertoire = await openSkills()
  const open = () => skillsRunner({ repertoire, sessions, runner: runnerOf(play) })
  const session = new MemorySession()
  const asked = await goOn(open(), agentOf(play, { tools }), session, 'Hello')
  expect(asked.requests?.map(({ skill: name }) => name)).toEqual(['careful'])
  const answers = asked.requests!.map(({ id }) => ({ requestId: id, approved: true }))
  const done = await addAnswers(open(), agentOf(play, { tools }), session, { state: asked.state!, answers })
  expect(done).toEqual({ text: 'Done.' })
  expect(runs).toEqual(['Bash {"command":"git log"}'])
  expect(resultOf(play, 'call_1_1')).toContain('LOOK FIRST.')
})

test('[ADPT-5, GATE-6] the example with a session restricts an agent that is a tool, and one that takes over', async () => {
  await inProject()
  const script = [
    activate('careful'),
    call('Review', { input: 'Look.' }),
    call('Status', { branch: 'main' }),
    { text: 'Reviewed.' },
    call('transfer_to_Reviewer', {}),
    call('Status', { branch: 'main' }),
    { text: 'Done.' },
  ]
  const play = endpoint().play(script, { protocol: 'openai-responses' })
  setDefaultModelProvider(runnerOf(play, true).config.modelProvider)
  expect(await answer('Hello', () => true)).toBe('Done.')
  for (const id of ['call_3_1', 'call_6_1']) expect(JSON.stringify(play.requests.map(({ raw }) => raw))).toContain(id)
  expect(play.requests.filter(({ raw }) => JSON.stringify(raw).includes('TOOL_NOT_ALLOWED')).length).toBeGreaterThan(1)
})

test('[ADPT-5, ACT-10] the example of sub-agents runs a skill with the agent and the model that it names', async () => {
  const fields = 'context: fork\nagent: reviewer\nmodel: strong'
  const play = endpoint().play([activate('forked'), { text: 'Reviewed.' }, { text: 'Done.' }], {
    protocol: 'openai-responses',
  })
  setDefaultModelProvider(runnerOf(play, true).config.modelProvider)
  const { memorySource, openRepertoire } = await import('@repertoire/core')
  const sources = [memorySource({ layer: 'project', skills: skill('forked', fields, 'REVIEW.') })]
  const skills = withReviewer(await openRepertoire({ sources }), [], new Map([['strong', 'model-strong']]))
  const { interruptions, state } = await skills.run(agentOf(play), 'Hello')
  expect(interruptions).toHaveLength(1)
  expect(state.usage.requests).toBe(1)
})
