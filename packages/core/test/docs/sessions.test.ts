import { expect, it } from 'vitest'
import { adapterSession } from '../../src/adapter.ts'
import { memorySource, openRepertoire, type SavedSession, type Session } from '../../src/index.ts'
import { inChat } from './sessions-example.ts'
import { systemWithLost } from './sessions-lost-example.ts'

const SKILLS = { tidy: { 'SKILL.md': '---\nname: tidy\ndescription: Tidies.\n---\nTidy up.\n' } }
const source = () => memorySource({ layer: 'project', skills: SKILLS })
const activate = { id: 'a', tool: 'activate_skill', input: { name: 'tidy' } }

it('[ADPT-4, ACT-15] shows on the page of sessions a chat that goes on in another process', async () => {
  const store = new Map<string, SavedSession>()
  const chat = { chat: 'c', consent: () => true }
  const process = (sessionSecret: string) => openRepertoire({ sources: [source()], sessionSecret })
  const names = (session: Session) => session.activeSkills
  await inChat(await process('secret'), store, chat, (session) => session.call(activate, () => undefined))
  store.set('c', JSON.parse(JSON.stringify(store.get('c'))) as SavedSession)
  const later = await inChat(await process('secret'), store, chat, (session) => Promise.resolve(names(session)))
  expect(later).toEqual(['tidy'])
  await expect(inChat(await process('another'), store, chat, () => Promise.resolve())).rejects.toMatchObject({
    code: 'STATE_TAMPERED',
  })
})

it('[ADPT-4, ACT-14] shows on the page of sessions a reminder that gives back what was lost', async () => {
  const session = (await openRepertoire({ sources: [source()] })).openSession({ consent: () => true })
  const step = await adapterSession(session).step({ tools: [] })
  const { text = '' } = await step.call(activate)
  expect(await systemWithLost(step, 'Be kind.', [text])).toBe('Be kind.')
  expect(await systemWithLost(step, 'Be kind.', [])).toBe(`Be kind.\n\n${text}`)
})
