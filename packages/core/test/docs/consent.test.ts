import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { memorySource, openRepertoire } from '../../src/index.ts'
import { askAt } from './consent-handler-example.ts'
import { askLater, goOn } from './consent-later-example.ts'

const SKILLS = { tidy: { 'SKILL.md': '---\nname: tidy\ndescription: Tidies.\n---\nTidy up.\n' } }
const activate = { id: 'c', tool: 'activate_skill', input: { name: 'tidy' } }

const open = () => openRepertoire({ sources: [memorySource({ layer: 'project', skills: SKILLS })] })

it('[ADPT-4, ASK-3] shows on the page of consent a handler that is compiled and asks', async () => {
  const repertoire = await open()
  for (const [line, approved] of [
    ['y\n', true],
    ['yes please\n', false],
  ] as const) {
    const input = new PassThrough()
    const output = new PassThrough({ encoding: 'utf8' })
    input.write(line)
    const session = repertoire.openSession({ consent: askAt(input, output) })
    expect((await session.call(activate, () => undefined)).ok).toBe(approved)
    expect(String(output.read())).toContain('Activate the skill "tidy"?')
  }
})

it('[ADPT-4, ASK-5] shows on the page of consent two phases that are compiled and run', async () => {
  const waiting = await askLater((await open()).openSession(), activate)
  expect(waiting?.request.skill).toBe('tidy')
  const stored = JSON.parse(JSON.stringify(waiting!)) as NonNullable<typeof waiting>
  const denied = await goOn(await open(), stored, { requestId: 'another', approved: true })
  expect(denied).toMatchObject({ ok: false, refusal: { code: 'CONSENT_DENIED' } })
  const agreed = await goOn(await open(), stored, { requestId: stored.request.id, approved: true })
  expect(agreed.text).toContain('Tidy up.')
})

it('[ASK-3] tells the model why nobody agreed in the words that the page of consent lists', async () => {
  const repertoire = await open()
  const silent = repertoire.openSession({ consent: () => new Promise<boolean>(() => {}), consentTimeout: 1 })
  const outcomes = [
    await repertoire.openSession().call(activate, () => undefined),
    await silent.call(activate, () => undefined),
  ]
  expect(outcomes.map(({ text }) => text)).toEqual([
    expect.stringContaining('nobody could be asked'),
    expect.stringContaining('nobody answered in time'),
  ])
})
