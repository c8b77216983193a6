import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { openAdapterSession, type AdapterSession } from '../../src/adapter.ts'
import { memorySource, openRepertoire } from '../../src/index.ts'
import { directorySource, jsonLinesAudit } from '../../src/node/index.ts'
import {
  openLogged,
  whatIsActive,
  whatIsLost,
  whatIsWrong,
  whatWasCut,
  whatWasRefused,
  whyAskedAgain,
  whyNotActivated,
  whyNotShown,
  whyRefused,
} from './what-happened-example.ts'
import { hooksBy } from '../session/hook-runner.ts'

const manifest = (name: string, fields = '') => `---\nname: ${name}\ndescription: Is ${name}.\n${fields}---\nDo it.\n`
const activate = (name: string) => ({ id: name, tool: 'activate_skill', input: { name } })
const inMemory = (name: string, fields = '') => [
  memorySource({ layer: 'project', skills: { [name]: { 'SKILL.md': manifest(name, fields) } } }),
]

let lines: unknown[][]
const log = (...values: readonly unknown[]): void => void lines.push([...values])
beforeEach(() => {
  lines = []
})

it('[ADPT-4, CAT-9] shows on the page for debugging why a skill is not shown, or not whole', async () => {
  const hidden = await openRepertoire({ sources: inMemory('pdf-forms', 'scope: { agents: [writer] }\n') })
  whyNotShown(hidden, log)
  const broken = await openRepertoire({ sources: inMemory('pdf-forms', 'allowed-tools: Bash(git:*\n') })
  whatIsWrong(broken, log)
  await whatWasCut(
    openAdapterSession(await openRepertoire({ sources: inMemory('tidy'), listing: { budget: { share: 0.000_01 } } })),
    log,
  )
  expect(lines).toEqual([
    [expect.stringContaining('its `scope.agents` does not name the agent')],
    [expect.stringMatching(/SKILL\.md:4 ALLOWED_TOOLS_INVALID .* Add "\)"/)],
    [['tidy'], [], '23 of 2 tokens'],
  ])
})

it('[ADPT-4, GATE-7] shows on the page for debugging why a call is refused and what is in force', async () => {
  const root = mkdtempSync(join(tmpdir(), 'repertoire-docs-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const path = join(root, 'audit.jsonl')
  const repertoire = await openRepertoire({
    sources: inMemory('tidy', 'allowed-tools: Read\n'),
    audit: jsonLinesAudit({ path }),
  })
  const session = openAdapterSession(repertoire, { id: 'task', consent: () => true })
  await session.call(activate('tidy'), () => undefined)
  await session.step({ tools: ['Bash'] })
  await whyRefused(session, log)
  whatIsActive(session, log)
  await session.call({ id: 'c', tool: 'Bash', input: { command: 'ls' } }, () => undefined)
  await repertoire.close()
  await whatWasRefused(log, path)
  expect(lines).toEqual([
    ['TOOL_NOT_ALLOWED', expect.stringContaining('"tidy"'), ['Read']],
    [[expect.objectContaining({ name: 'tidy' })], [expect.objectContaining({ skill: 'tidy' })], []],
    ['task', 'Bash', 'TOOL_NOT_ALLOWED', expect.any(String)],
  ])
})

it('[ADPT-4, ACT-14] shows on the page for debugging why a skill is not activated, and what a conversation lost', async () => {
  const session = openAdapterSession(await openRepertoire({ sources: inMemory('pdf-forms') }))
  await whyNotActivated(session, log)
  const agreed = openAdapterSession(await openRepertoire({ sources: inMemory('tidy') }), { consent: () => true })
  const step = await agreed.step({ tools: [] })
  const { text = '' } = await step.call(activate('tidy'))
  await whatIsLost(step, `Be kind. ${text}`, log)
  await whatIsLost(step, 'Be kind.', log)
  expect(lines).toEqual([
    ['CONSENT_DENIED', expect.stringContaining('nobody could be asked')],
    ['everything is there'],
    [text],
  ])
})

it('[ADPT-4, ASK-2] shows on the page for debugging why consent is asked again', async () => {
  const root = mkdtempSync(join(tmpdir(), 'repertoire-docs-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  mkdirSync(join(root, 'tidy'))
  writeFileSync(join(root, 'tidy/SKILL.md'), manifest('tidy'))
  const repertoire = await openRepertoire({ sources: [directorySource({ root })] })
  const session: AdapterSession = openAdapterSession(repertoire, { consent: whyAskedAgain(() => session, log) })
  const again = async (): Promise<void> => {
    await session.call(activate('tidy'), () => undefined)
    await (await session.step({ tools: [] })).call({ id: 'd', tool: 'deactivate_skill', input: { name: 'tidy' } })
  }
  await again()
  await again()
  writeFileSync(join(root, 'tidy/.log'), 'a script was here')
  await again()
  const [first, second] = lines.map(([, digests]) => digests as { readonly now: string; readonly earlier: string[] })
  expect(lines).toHaveLength(2)
  expect(first).toEqual({ now: expect.any(String), earlier: [] })
  expect(second).toEqual({ now: expect.any(String), earlier: [first!.now] })
  expect(second!.now).not.toBe(first!.now)
})

it('[ADPT-4, ACT-13] shows on the page for debugging where a failed post hook is reported', async () => {
  const repertoire = await openRepertoire({
    sources: inMemory('tidy', 'hooks: { post: [done.sh] }\n'),
    scripts: hooksBy(() => ({ ok: false, output: 'no' })),
  })
  const session = openLogged(repertoire, log)
  await session.call(activate('tidy'), () => undefined)
  await session.end()
  expect(lines).toEqual([['POST_HOOK_FAILED', 'tidy', expect.any(String)]])
})
