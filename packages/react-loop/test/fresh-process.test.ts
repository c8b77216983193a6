import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ModelEndpoint, openModelEndpoint, type Play, type ScriptStep } from '@repertoire/conformance'
import { freshProcesses } from '@repertoire/test-servers'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { activate, call, refusal } from './agent.ts'
import type { Job, Report, Stored } from './loop-process.ts'
import { textDialect } from '../src/conformance/dialect.ts'

// Every step is a process, which takes its time on a loaded machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

const processes = freshProcesses<Job, Report>(fileURLToPath(new URL('loop-process.ts', import.meta.url)))
const done = { text: 'Done.' }
const bash = call('Bash', { command: 'ls' })
const nothing = { active: [], runs: [] }

const SKILLS: Readonly<Record<string, string>> = {
  careful: 'allowed-tools: Read\n---\nLOOK FIRST.',
  free: '---\nDO AS YOU LIKE.',
  quiet: 'allowed-tools: Read\n---\nSAY LITTLE.',
}

/** The call that activates each skill. */
const CALLS = { careful: 'call_1_1', free: 'call_1_2', quiet: 'call_1_3' } as const

let endpoint: ModelEndpoint
let root: string
beforeAll(async () => {
  endpoint = await openModelEndpoint()
  root = await mkdtemp(join(tmpdir(), 'repertoire-loop-'))
})
afterAll(async () => {
  await processes.close()
  await endpoint.close()
  await rm(root, { recursive: true })
})

/** A conversation in a file over skills in a folder, and a model that plays a script. */
interface Conversation {
  readonly play: Play
  readonly skills: string
  /** Carries a job out in its own process. */
  inProcess(job: Partial<Job>): Promise<Report>
  /** Says yes or no, in its own process, to what was asked about a skill. */
  answer(skill: keyof typeof CALLS, approved: boolean): Promise<Report>
  stored(): Promise<Stored>
  store(text: string): Promise<void>
  resultOf(callId: string): string
}

let count = 0

async function open(way: Pick<Job, 'protocol' | 'streamed'>, script: readonly ScriptStep[]): Promise<Conversation> {
  const folder = join(root, String(++count))
  const skills = join(folder, 'skills')
  for (const [name, rest] of Object.entries(SKILLS)) {
    await mkdir(join(skills, name), { recursive: true })
    await writeFile(join(skills, name, 'SKILL.md'), `---\nname: ${name}\ndescription: Is ${name}.\n${rest}\n`)
  }
  const file = join(folder, 'conversation.json')
  const play = endpoint.play(script, way.protocol === 'text' ? { dialect: textDialect } : {})
  const { baseURL, apiKey, model } = play
  const stored = async () => JSON.parse(await readFile(file, 'utf8')) as Stored
  const inProcess = async (job: Partial<Job>): Promise<Report> => {
    const given: Job = { ...way, skills, file, model: { baseURL, apiKey, model }, sessionSecret: 'a key', ...job }
    return processes.run(file, given)
  }
  return {
    play,
    skills,
    inProcess,
    stored,
    store: (text) => writeFile(file, text),
    answer: async (skill, approved) => {
      const requestId = (await stored()).asked[CALLS[skill]]
      if (requestId === undefined) throw new Error(`Nothing was asked about ${skill}.`)
      return inProcess({ verdicts: [{ requestId, approved }] })
    },
    resultOf: (callId) => play.requests.at(-1)?.messages.find((message) => message.callId === callId)?.text ?? '',
  }
}

describe.concurrent.each([
  ['native', { protocol: 'native', streamed: false }],
  ['text, streamed', { protocol: 'text', streamed: true }],
] as const)('%s', (_, way) => {
  test('[ASK-5, ACT-15, GATE-5] a consent request that ends one process is answered in a fresh one, which goes on restricted, and so does a third', async () => {
    const conversation = await open(way, [activate('careful'), bash, done, bash, done])
    expect(await conversation.inProcess({ say: 'Hello' })).toEqual({ open: 1, ...nothing, text: '' })
    expect(conversation.play.requests).toHaveLength(1)
    const answered = await conversation.answer('careful', true)
    expect(answered).toEqual({ open: 0, active: ['careful'], runs: [], text: 'Done.' })
    expect(conversation.resultOf('call_1_1')).toContain('LOOK FIRST.')
    expect(refusal(conversation.resultOf('call_2_1')).code).toBe('TOOL_NOT_ALLOWED')
    const later = await conversation.inProcess({ say: 'And now?' })
    expect(later).toEqual({ open: 0, active: ['careful'], runs: [], text: 'Done.' })
    expect(conversation.play.requests).toHaveLength(5)
    expect(conversation.play.failures).toEqual([])
  })

  test('[ASK-5, ABUSE-94] consent requests that are open at once are answered one by one in different processes, each for its own call', async () => {
    const three = ['careful', 'free', 'quiet'].map((name) => ({ tool: 'activate_skill', input: { name } }))
    const conversation = await open(way, [{ calls: three }, done])
    expect(await conversation.inProcess({ say: 'Hello' })).toEqual({ open: 3, ...nothing, text: '' })
    expect(await conversation.answer('free', true)).toEqual({ open: 2, ...nothing, text: '' })
    expect(await conversation.answer('quiet', false)).toEqual({ open: 1, ...nothing, text: '' })
    // Said already, and once is enough.
    expect(await conversation.answer('quiet', true)).toEqual({ open: 1, ...nothing, text: '' })
    expect(conversation.play.requests).toHaveLength(1)
    const last = await conversation.answer('careful', true)
    expect(last).toMatchObject({ open: 0, text: 'Done.' })
    expect(last.active.toSorted()).toEqual(['careful', 'free'])
    expect(refusal(conversation.resultOf('call_1_3')).code).toBe('CONSENT_DENIED')
  })
})

test('[ACT-15, ABUSE-96] a stored session with one changed byte is refused, and the answer then serves nothing', async () => {
  const conversation = await open({ protocol: 'native', streamed: false }, [activate('careful'), done])
  await conversation.inProcess({ say: 'Hello' })
  const genuine = await conversation.stored()
  const text = JSON.stringify(genuine)
  await conversation.store(text.replace('"callId":"call_1_1"', '"callId":"call_1_2"'))
  expect(JSON.stringify(await conversation.stored())).not.toBe(text)
  expect(await conversation.answer('careful', true)).toMatchObject({ ...nothing, error: 'STATE_TAMPERED' })
  expect(conversation.play.requests).toHaveLength(1)
  await conversation.store(text)
  expect(await conversation.answer('careful', true)).toMatchObject({ active: ['careful'], text: 'Done.' })
})

test('[ASK-2, ASK-5] a folder that changed after the consent request is asked about again, and the earlier answer does not count for it', async () => {
  const conversation = await open({ protocol: 'native', streamed: false }, [activate('careful'), done])
  await conversation.inProcess({ say: 'Hello' })
  const { asked } = await conversation.stored()
  await writeFile(join(conversation.skills, 'careful', 'run.sh'), 'echo new\n')
  expect(await conversation.answer('careful', true)).toMatchObject({ open: 1, ...nothing, text: '' })
  expect((await conversation.stored()).asked['call_1_1']).not.toBe(asked['call_1_1'])
  expect(await conversation.answer('careful', true)).toMatchObject({ active: ['careful'], text: 'Done.' })
  expect(conversation.resultOf('call_1_1')).toContain('run.sh')
})
