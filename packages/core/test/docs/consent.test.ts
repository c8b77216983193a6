import { PassThrough } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openAdapterSession } from '../../src/adapter.ts'
import { askInTerminal } from '../../src/node/index.ts'
import { memorySource, openRepertoire } from '../../src/index.ts'
import { runAtTerminal } from './consent-handler-example.ts'
import { decide, dialogOf } from './consent-client-example.ts'
import { call, goOn, type Waiting } from './consent-later-example.ts'

const SKILLS = { tidy: { 'SKILL.md': '---\nname: tidy\ndescription: Tidies.\n---\nTidy up.\n' } }
const activate = { id: 'c', tool: 'activate_skill', input: { name: 'tidy' } }

const open = () => openRepertoire({ sources: [memorySource({ layer: 'project', skills: SKILLS })] })

/** A terminal whose person types a line below each question. */
function terminal(...lines: readonly string[]) {
  const input = new PassThrough()
  const output = new PassThrough({ encoding: 'utf8' })
  const typed = [...lines]
  let shown = ''
  output.on('data', (text: string) => {
    shown += text
    if (!text.includes('[y/N]')) return
    const line = typed.shift()
    if (line === undefined) input.end()
    else input.write(line)
  })
  return { input, output, shown: () => shown }
}

it('[ADPT-4, ASK-3] shows on the page of consent a handler that is compiled and asks', async () => {
  const repertoire = await open()
  for (const [line, approved] of [
    ['y\n', true],
    ['yes please\n', false],
    [undefined, false],
  ] as const) {
    const { input, output, shown } = terminal(...(line === undefined ? [] : [line]))
    const outcome = await runAtTerminal(repertoire, (session) => session.activate('tidy'), { input, output })
    expect(outcome.ok).toBe(approved)
    expect(shown()).toContain('Activate the skill "tidy"?')
  }
})

it('[ASK-8, ABUSE-123] shows a handler for which one typed line answers one of three calls', async () => {
  const { input, output, shown } = terminal('y\n', 'n\n', 'n\n')
  const session = openAdapterSession(await open(), {
    consent: askInTerminal({ input, output }),
    policy: { ask: ['Delete'] },
  })
  await session.step({ tools: ['Delete'] })
  const deleted: string[] = []
  const calls = ['a', 'b', 'c'].map((id) =>
    session.call({ id, tool: 'Delete', input: { path: id } }, () => deleted.push(id)),
  )
  expect((await Promise.all(calls)).map(({ ok }) => ok)).toEqual([true, false, false])
  expect(deleted).toEqual(['a'])
  expect(shown().split('[y/N]')).toHaveLength(4)
})

it('[ASK-8] shows a handler that no line answers which was typed before its question', async () => {
  const { input, output } = terminal('n\n', 'n\n')
  const handler = askInTerminal({ input, output })
  const session = openAdapterSession(await open(), { consent: handler, policy: { ask: ['Delete'] } })
  await session.step({ tools: ['Delete'] })
  input.write('y\ny\n')
  await setImmediate()
  input.write('y\n')
  for (const id of ['a', 'b']) {
    expect((await session.call({ id, tool: 'Delete', input: {} }, () => 'ran')).ok).toBe(false)
  }
})

it('[ADPT-4, ASK-4] shows on the page of consent what a web client is sent, and how its answer is recorded', async () => {
  const session = openAdapterSession(await open())
  const request = (await session.preview(activate, { asks: true })).waits
  const shown = JSON.parse(JSON.stringify(dialogOf(request!))) as { readonly id: string; readonly kind: string }
  expect(shown).toMatchObject({ kind: 'activation', skill: 'tidy' })
  decide(session, { id: shown.id, approved: true })
  expect((await session.call(activate, () => undefined)).ok).toBe(true)
})

it('[ADPT-4, ASK-5] shows on the page of consent two phases that are compiled and run', async () => {
  const waiting = (await call((await open()).openSession(), activate)) as Waiting
  expect(waiting.request.skill).toBe('tidy')
  const stored = JSON.parse(JSON.stringify(waiting)) as Waiting
  const other = await goOn(await open(), stored, { requestId: 'another', approved: true })
  expect(other).toMatchObject({ request: { id: stored.request.id } })
  const denied = await goOn(await open(), stored, { requestId: stored.request.id, approved: false })
  expect(denied).toMatchObject({ ok: false, refusal: { code: 'CONSENT_DENIED' } })
  const agreed = await goOn(await open(), stored, { requestId: stored.request.id, approved: true })
  expect(agreed).toMatchObject({ ok: true, text: expect.stringContaining('Tidy up.') })
})

it('[ASK-3] tells the model why nobody agreed in the words that the page of consent lists', async () => {
  const repertoire = await open()
  const silent = openAdapterSession(repertoire, { consent: { ask: () => new Promise<boolean>(() => {}), timeout: 1 } })
  const outcomes = [
    await openAdapterSession(repertoire).call(activate, () => undefined),
    await silent.call(activate, () => undefined),
  ]
  expect(outcomes.map(({ text }) => text)).toEqual([
    expect.stringContaining('nobody could be asked'),
    expect.stringContaining('nobody answered in time'),
  ])
})
