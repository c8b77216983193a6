import { expect, it } from 'vitest'
import { memorySource, openRepertoire, type SavedSession } from '../../src/index.ts'
import { answerMessage } from './sessions-example.ts'
import { systemWithLost } from './sessions-lost-example.ts'

const SKILLS = { tidy: { 'SKILL.md': '---\nname: tidy\ndescription: Tidies.\n---\nTidy up.\n' } }
const source = () => memorySource({ layer: 'project', skills: SKILLS })
const activate = { id: 'a', tool: 'activate_skill', input: { name: 'tidy' } }

it('[ADPT-4, ACT-15] shows on the page of sessions a chat that goes on in another process', async () => {
  const store = new Map<string, SavedSession>()
  const options = { chat: 'c', stateKey: 'secret', consent: () => true }
  expect(await answerMessage(source(), store, options, activate)).toEqual(['tidy'])
  store.set('c', JSON.parse(JSON.stringify(store.get('c'))) as SavedSession)
  expect(await answerMessage(source(), store, options, { id: 'b', tool: 'Read', input: {} })).toEqual(['tidy'])
  await expect(answerMessage(source(), store, { ...options, stateKey: 'another' }, activate)).rejects.toMatchObject({
    code: 'STATE_TAMPERED',
  })
})

it('[ADPT-4, ACT-14] shows on the page of sessions a reminder that gives back what was lost', async () => {
  const session = (await openRepertoire({ sources: [source()] })).openSession({ consent: () => true })
  const { text = '' } = await session.call(activate, () => undefined)
  expect(await systemWithLost(session, 'Be kind.', [text])).toBe('Be kind.')
  expect(await systemWithLost(session, 'Be kind.', [])).toBe(`Be kind.\n\n${text}`)
})
