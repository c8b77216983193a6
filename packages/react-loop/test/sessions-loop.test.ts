import { openModelEndpoint, type ScriptStep } from '@repertoire/conformance'
import { memorySessions, memorySource, openRepertoire, withStoredSession } from '@repertoire/core'
import { expect, onTestFinished, test } from 'vitest'
import { createReActLoop, type LoopEvent, type Message, openAICompatible } from '../src/index.ts'
import { activate, call, tool } from './agent.ts'

const SKILL = '---\nname: reading\ndescription: Reads.\nallowed-tools: Read\n---\nRead slowly.\n'
const chat = { session: 'chat' }

async function open(script: readonly ScriptStep[]) {
  const endpoint = await openModelEndpoint()
  onTestFinished(() => endpoint.close())
  const play = endpoint.play(script)
  const { baseURL, apiKey, model: id } = play
  const model = openAICompatible({ baseURL, apiKey, model: id, maxRetries: 0 })
  const sources = [memorySource({ layer: 'project', skills: { reading: { 'SKILL.md': SKILL } } })]
  const repertoire = await openRepertoire({ sources, sessionSecret: 'secret' })
  const settings = { model, repertoire, tools: [tool('Write')], session: { consent: () => true } }
  const sessions = memorySessions()
  const active = () =>
    withStoredSession(repertoire, { store: sessions, id: 'chat' }, async ({ activeSkills }) => activeSkills)
  return { play, settings, sessions, active, loop: createReActLoop({ ...settings, sessions }) }
}

test('[ACT-15, LIB-11] continues a session by its name, with the skills that it has', async () => {
  const { play, loop, active } = await open([activate('reading'), { text: 'Done.' }, { text: 'Still.' }])
  const { messages } = await loop.run('Go', chat)
  expect(await active()).toEqual(['reading'])
  const next: Message = { role: 'user', content: 'Go on' }
  expect((await loop.run([...messages, next], chat)).text).toBe('Still.')
  expect(play.requests.at(-1)!.tools.map(({ name }) => name)).not.toContain('Write')
})

test('[ACT-15] streams, and saves the session when its reader leaves or the model fails', async () => {
  for (const second of [{ text: 'Done.' }, { status: 500, message: 'Broken.' }]) {
    const { loop, active } = await open([activate('reading'), second])
    const read = async (): Promise<void> => {
      const seen: LoopEvent[] = []
      for await (const event of loop.stream('Go', chat)) {
        seen.push(event)
        if (event.type === 'tool-result' && 'text' in second) break
      }
      expect(seen.length).toBeGreaterThan(1)
    }
    await Promise.allSettled([read()])
    expect(await active()).toEqual(['reading'])
  }
})

test('[ASK-5, ACT-15, LIB-11] continues a stored session with the answers to what it asked', async () => {
  const { settings, sessions, active } = await open([activate('reading'), { text: 'Done.' }])
  const loop = createReActLoop({ ...settings, sessions, session: {} })
  const { consentRequests = [], messages, finishReason } = await loop.run('Go', chat)
  expect(finishReason).toBe('consent')
  expect(consentRequests.map(({ skill }) => skill)).toEqual(['reading'])
  const answers = consentRequests.map(({ id }) => ({ requestId: id, approved: true }))
  const other = createReActLoop({ ...settings, sessions, session: {} })
  const events: LoopEvent[] = []
  for await (const event of other.stream(messages, { ...chat, answers })) events.push(event)
  expect(events.at(-1)).toMatchObject({ type: 'finish', result: { text: 'Done.', finishReason: 'stop' } })
  expect(await active()).toEqual(['reading'])
})

test('[ASK-5, ABUSE-94] runs a call once whose answer comes twice at the same moment', async () => {
  const { play, settings, sessions } = await open([call('Write', {}), { text: 'Done.' }, { text: 'Again.' }])
  const sources = [memorySource({ layer: 'project', skills: { reading: { 'SKILL.md': SKILL } } })]
  const repertoire = await openRepertoire({ sources, sessionSecret: 'secret', policy: { ask: ['Write'] } })
  const write = tool('Write')
  const openLoop = () => createReActLoop({ ...settings, repertoire, tools: [write], sessions, session: {} })
  const { consentRequests = [], messages } = await openLoop().run('Go', chat)
  const answers = consentRequests.map(({ id }) => ({ requestId: id, approved: true }))
  const results = await Promise.all([1, 2].map(() => openLoop().run(messages, { ...chat, answers })))
  expect(results.map(({ text }) => text).toSorted()).toEqual(['Again.', 'Done.'])
  expect(write.inputs).toHaveLength(1)
  expect(play.failures).toEqual([])
})

test('[ACT-7] ends the session of a run that names none', async () => {
  const { play, settings } = await open([activate('reading'), { text: 'Done.' }, { text: 'Free.' }])
  const loop = createReActLoop(settings)
  await loop.run('Go')
  expect((await loop.run('Go on')).text).toBe('Free.')
  expect(play.requests.at(-1)!.tools.map(({ name }) => name)).toContain('Write')
})

test('[ACT-12] activates the skill of a /name, and runs of one session wait for each other', async () => {
  const { loop, active } = await open([{ text: 'One.' }, { text: 'Two.' }])
  const texts = await Promise.all([loop.run('/reading', chat), loop.run('/reading', chat)])
  expect(texts.map(({ text }) => text).toSorted()).toEqual(['One.', 'Two.'])
  expect(await active()).toEqual(['reading'])
})

test('[CFG-1] refuses the name of a session if there is no store, and what is misspelled', async () => {
  const { settings } = await open([])
  const loop = createReActLoop(settings)
  await expect(loop.run('Go', chat)).rejects.toThrow('Give `createReActLoop` the option `sessions`')
  await expect(loop.stream('Go', chat).next()).rejects.toThrow('names a session, and there is no store')
  await expect(loop.run('Go', { sesion: 'chat' } as never)).rejects.toThrow('Did you mean `session`?')
  expect(() => createReActLoop({ ...settings, sesions: memorySessions() } as never)).toThrow('Did you mean `sessions`?')
})
