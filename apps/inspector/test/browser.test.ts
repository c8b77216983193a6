import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import process from 'node:process'
import type { AuditEvent } from '@repertoire/core'
import { inspectorSink } from '@repertoire/core/node'
import { isMissing } from '@repertoire/test-servers'
import type { AxeResults } from 'axe-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildPage } from '../build.ts'
import { folderWith, inspect, openPage, quit, writePage } from './inspected.ts'
import { eventOf, logOf, SAFE_EDIT, SAMPLE, shown, type Written } from './log.ts'

beforeAll(() => buildPage())
afterAll(quit)

it.skipIf(isMissing('chromium'))(
  '[SEE-1] [SEE-2] opens a log, and says in one click why each skill was not used (needs chromium)',
  async () => {
    const page = await openPage(await inspect(await folderWith({ 'audit.jsonl': logOf(SAMPLE) }), 'audit.jsonl'))
    await page.getByRole('treeitem', { name: 'Step 1' }).waitFor()
    expect(page.url()).not.toContain('key')
    await page.getByRole('tab', { name: 'Skills' }).click()
    const rows = page.locator('table.skills tbody tr')
    await rows.first().waitFor()
    const cells = await rows.evaluateAll((all) =>
      all.map((row) => [...row.children].slice(0, 3).map((cell) => (cell as HTMLElement).innerText.trim())),
    )
    expect(cells).toEqual([
      [
        'commit-message',
        expect.stringContaining('Refused by consent'),
        expect.stringMatching(/^The person refused: not now\s+Answer/),
      ],
      ['payroll', expect.stringContaining('Refused by admission'), expect.stringContaining('the host admits none')],
      ['old-notes', expect.stringContaining('Broken'), expect.stringContaining('Add one.')],
      ['pdf', expect.stringContaining('Shadowed'), expect.stringContaining('its layer has precedence')],
      ['deploy', expect.stringContaining('Hidden'), expect.stringContaining('scope.agents')],
      ['translate', expect.stringContaining('Cut by the budget'), expect.stringContaining('no room')],
      ['release-notes', expect.stringContaining('Not matched'), expect.stringContaining('does not fit the task')],
      [
        'safe-edit',
        expect.stringContaining('No longer active'),
        expect.stringMatching(/^The model deactivated it in step 2\.\s+Ask the model/),
      ],
      ['glossary', expect.stringContaining('Never chosen'), expect.stringContaining('the model never activated it')],
      ['review', expect.stringContaining('Used'), 'It ran in a sub-agent in step 3.'],
    ])
    // The second click leads to the step that tells it, and the page can be loaded again without its key.
    await rows.first().getByRole('button', { name: 'since step 2' }).click()
    await page.getByRole('complementary').getByRole('heading', { name: 'Step 2' }).waitFor()
    await page.reload()
    await page.getByRole('complementary').getByRole('heading', { name: 'Step 2' }).waitFor()
    expect(page.url()).toMatch(/\/#task-7f3a\/2\?view=skills$/)
  },
)

it.skipIf(isMissing('chromium'))('[SEE-1] follows a running agent (needs chromium)', async () => {
  const url = await inspect(await folderWith({}), '--live')
  const page = await openPage(url)
  await page.getByText('● live').waitFor()
  const sink = inspectorSink({ url })
  const send = (event: Written): void | Promise<void> => sink.write(eventOf(event) as AuditEvent)
  await send(shown(1))
  await page.getByRole('treeitem', { name: 'Step 1' }).waitFor()
  await send({ type: 'tool.started', callId: 'c', tool: 'Read', outcome: 'started' })
  await page.getByRole('treeitem', { name: 'running Call Read' }).waitFor()
  await send({ type: 'tool.finished', callId: 'c', tool: 'Read', outcome: 'failed' })
  await page.getByRole('treeitem', { name: 'failed Call Read' }).waitFor()
})

it.skipIf(isMissing('chromium'))(
  '[SEE-3] judges a log again, and marks the calls that cannot be (needs chromium)',
  async () => {
    const unrecorded = { type: 'tool.started', callId: 'call_x', tool: 'Bash', outcome: 'started', skills: [SAFE_EDIT] }
    const page = await openPage(await writePage({ 'audit.jsonl': logOf([...SAMPLE, unrecorded]) }))
    await page.getByRole('tab', { name: 'What if' }).click()
    const judged = page.getByRole('listbox', { name: 'Calls, judged again' })
    await judged.getByRole('option', { name: /refused would be refused.*git push/ }).waitFor()
    await judged.getByRole('option', { name: /allowed would be cannot be judged again.*Bash/ }).waitFor()
    await page.getByText("audit: { sink, inputs: 'redacted' }").waitFor()
    await page.getByLabel('Mode').selectOption('advisory')
    await judged.getByRole('option', { name: /refused would be against the rules.*git push/ }).waitFor()
    await page.getByRole('checkbox', { name: 'safe-edit' }).uncheck()
    await judged.getByRole('option', { name: /refused would be allowed.*git push/ }).waitFor()
    await page.getByLabel('deny').fill('Bash(git push:*)')
    await judged.getByRole('option', { name: /refused would be refused.*git push/ }).waitFor()
    await page.getByLabel('deny').fill('Bash(git')
    await page.getByRole('alert').getByText('"Bash(git"').waitFor()
  },
)

const HOSTILE = `</script><script>alert(1)</script><img src=x onerror=alert(2)><svg/onload=alert(3)>"'\`\u202Etxt\u200B\u0007{{7*7}}`

it.skipIf(isMissing('chromium'))(
  '[SEE-4] [ABUSE-135] shows hostile content in every field as text, and runs none of it (needs chromium)',
  async () => {
    const poisoned = SAMPLE.map((event) => poison(event) as Written)
    const page = await openPage(
      await writePage({ [`a<img src=x onerror=alert(4)>'".jsonl`.replaceAll('/', '')]: logOf(poisoned) }),
    )
    await page.locator('main [data-list]').waitFor()
    for (const view of ['Run', 'Skills', 'Window', 'Compare', 'What if']) {
      await page.getByRole('tab', { name: view }).click()
      await page.getByRole('tab', { name: view, selected: true }).waitFor()
      expect(await page.locator('#app img, #app svg, #app script, #app iframe').count()).toBe(0)
    }
    await page.getByRole('tab', { name: 'Run' }).click()
    await page.locator('main [data-kind="call"]').first().click()
    const detail = page.getByRole('complementary')
    await detail.getByText('<img src=x onerror=alert(2)>').first().waitFor()
    await detail
      .locator('.chip')
      .getByText(String.raw`\u{200B}`)
      .first()
      .waitFor()
    await detail
      .locator('.chip')
      .getByText(String.raw`\u{202E}`)
      .first()
      .waitFor()
    expect(await page.locator('#app img, #app svg, #app script, #app iframe').count()).toBe(0)
  },
)

/** Appends hostile text to every text of an event but those that say what it is. */
function poison(value: unknown, name = ''): unknown {
  if (typeof value === 'string')
    return ['type', 'outcome', 'callId', 'session'].includes(name) ? value : value + HOSTILE
  if (Array.isArray(value)) return value.map((item) => poison(item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, poison(item, key)]))
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

it.skipIf(isMissing('chromium')).each(['light', 'dark'] as const)(
  '[SEE-4] has no axe violation, %s (needs chromium)',
  async (colorScheme) => {
    const other = logOf(SAMPLE.map((event) => ({ agent: 'other', ...event })))
    const page = await openPage(await writePage({ 'one.jsonl': logOf(SAMPLE), 'two.jsonl': other }), { colorScheme })
    await page.getByRole('treeitem', { name: 'git push' }).click()
    await page.evaluate(AXE)
    const found: string[] = []
    // Without CI set, the two views that most people open.
    const views = ['Run', 'Skills', ...(process.env['CI'] === undefined ? [] : ['Window', 'Compare', 'What if'])]
    for (const view of views) {
      await page.setViewportSize({ width: 1_440, height: 900 })
      await page.getByRole('tab', { name: view }).click()
      await page.locator('#panel').getByText('Reading…').waitFor({ state: 'detached' })
      for (const width of process.env['CI'] === undefined ? [1_440] : [1_440, 380]) {
        await page.setViewportSize({ width, height: 900 })
        const { violations } = await page.evaluate(() =>
          (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
        )
        found.push(
          ...violations.map(
            ({ id, nodes }) => `${view}, ${width} px: ${id} ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`,
          ),
        )
      }
    }
    expect(found).toEqual([])
  },
)
