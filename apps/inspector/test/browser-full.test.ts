import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import type { AuditEvent } from '@repertoire/core'
import { inspectorSink } from '@repertoire/core/node'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildPage } from '../build.ts'
import { folderWith, inspect, openPage, quit, writePage } from './inspected.ts'
import { eventOf, logOf, longLog, SAMPLE } from './log.ts'

beforeAll(() => buildPage())
afterAll(quit)

const isFull = process.env['CI'] !== undefined

const selectedRow = (page: Page) => page.locator('main [aria-selected="true"].row')

it.skipIf(!isFull)('[SEE-3] compares runs in one column that splits where they differ (only with CI set)', async () => {
  const faulty = SAMPLE.map((event) =>
    event.callId === 'call_3'
      ? { ...event, type: 'tool.finished', outcome: 'succeeded', code: undefined, refusedBy: undefined }
      : event,
  ).map((event) => ({ agent: 'faulty', ...event }))
  const page = await openPage(await writePage({ 'one.jsonl': logOf(SAMPLE), 'two.jsonl': logOf(faulty) }))
  await page.getByRole('tab', { name: 'Compare' }).click()
  await page.getByText('1 of 11 rows differs.').waitFor()
  const rows = page.getByRole('listbox', { name: 'Rows of the comparison' }).getByRole('option')
  expect(await rows.count()).toBe(11)
  await page.getByRole('checkbox', { name: 'Only these' }).check()
  await expect.poll(() => rows.count()).toBe(1)
  expect(await rows.innerText()).toMatch(/one[^]*refused[^]*git push[^]*two[^]*ran[^]*git push/)
  // A click on a half of the row opens the call in its run.
  await rows.getByText('ran', { exact: true }).click()
  await page.getByRole('complementary').getByText('git push').first().waitFor()
  expect(page.url()).toContain('#task-7f3a~2/2/call_3?view=compare')
  // A run that is no longer compared can be chosen again, and the address holds the choice.
  const button = page.getByRole('button', { name: 'two', exact: true })
  await button.click()
  await page.getByText('Choose at least two runs above.').waitFor()
  await button.click()
  await page.getByText('1 of 11 rows differs.').waitFor()
  const again = await openPage(page.url())
  await again.getByText('1 of 11 rows differs.').waitFor()
})

it.skipIf(!isFull)('[SEE-3] searches every run, from every view (only with CI set)', async () => {
  const page = await openPage(await writePage({ 'audit.jsonl': logOf(SAMPLE) }))
  await page.getByRole('treeitem', { name: 'Step 3' }).waitFor()
  await page.getByRole('tab', { name: 'What if' }).click()
  await page.getByRole('searchbox').fill('docs/b.md')
  await page.getByText('1 row in 1 run').waitFor()
  await page.getByText('Nothing in this run matches the search.').waitFor()
  await page.getByRole('button', { name: 'Show call_8, which matches' }).click()
  await page.getByRole('treeitem', { name: 'docs/b.md' }).waitFor()
  await page.getByRole('searchbox').fill('payroll')
  await page.getByRole('button', { name: 'Show task-7f3a, which matches' }).click()
  await page.getByRole('treeitem', { name: 'Step 1' }).waitFor()
})

it.skipIf(!isFull)('[SEE-1] says what is missing, and how to connect it (only with CI set)', async () => {
  const texts = new Set<string>()
  const textOf = async (address: string): Promise<void> => {
    const page = await openPage(address)
    await page.locator('.empty h2').waitFor()
    texts.add(await page.locator('.empty h2').innerText())
  }
  const cwd = await folderWith({ 'audit.jsonl': logOf(SAMPLE), 'empty.jsonl': '', 'notes.txt': 'hello\nworld\n' })
  await textOf(await inspect(cwd, 'empty.jsonl'))
  await textOf(await inspect(cwd, 'notes.txt'))
  await textOf((await inspect(cwd, 'audit.jsonl')).replace(/#.*/, ''))
  await textOf(await inspect(cwd, '--live'))
  expect([...texts]).toEqual([
    'The log is empty',
    'This file is no audit log',
    'The key is missing',
    'Waiting for an agent',
  ])
})

it.skipIf(!isFull)('[SEE-1] says how many older events of running agents are gone (only with CI set)', async () => {
  const url = await inspect(await folderWith({}), '--live')
  const sink = inspectorSink({ url })
  const send = async (events: number): Promise<void> => {
    for (let index = 0; index < events; index++)
      await sink.write(eventOf({ type: 'tool.late', outcome: 'succeeded', error: 'x'.repeat(1_000_000) }) as AuditEvent)
  }
  await send(20)
  const page = await openPage(url)
  const note = page.getByRole('note')
  await note.getByText('4 events of running agents: only the newest are kept').waitFor()
  // A page that has read too much begins anew with what the command has.
  await send(20)
  await note.getByText(/^2\d events of running agents/).waitFor()
})

it.skipIf(!isFull)('[SEE-3] searches, filters, and follows a link to a call (only with CI set)', async () => {
  const page = await openPage(await writePage({ 'audit.jsonl': logOf(SAMPLE) }))
  const tree = page.getByRole('tree', { name: 'Steps of the run' })
  await page.getByRole('searchbox').fill('git push')
  await expect.poll(() => tree.getByRole('treeitem').count()).toBe(1)
  await tree.getByRole('treeitem').click()
  await page.getByRole('complementary').getByText('TOOL_NOT_ALLOWED').first().waitFor()
  expect(page.url()).toMatch(/#task-7f3a\/2\/call_3\?q=git\+push$/)
  await page.getByRole('searchbox').fill('')
  await page.getByRole('button', { name: 'refused', exact: true }).click()
  await expect.poll(() => tree.getByRole('treeitem').count()).toBe(3)
  const link = page.url()
  const again = await openPage(link)
  await again.getByRole('complementary').getByText('TOOL_NOT_ALLOWED').first().waitFor()
  expect(await again.getByRole('tree', { name: 'Steps of the run' }).getByRole('treeitem').count()).toBe(3)
  await again.getByRole('searchbox').fill('no such words')
  await again.getByRole('button', { name: 'Show everything' }).click()
  await again.getByRole('treeitem', { name: 'Step 3' }).waitFor()
})

it.skipIf(!isFull)('[SEE-3] [ABUSE-137] exports one file, masked, that opens again (only with CI set)', async () => {
  const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'
  const cwd = await folderWith({
    'audit.jsonl': logOf([
      ...SAMPLE,
      { type: 'tool.refused', callId: 'z', tool: 'Bash', outcome: 'refused', reason: `${secret} of /home/ada/.netrc` },
    ]),
  })
  const url = await inspect(cwd, 'audit.jsonl')
  const page = await openPage(url)
  await page.getByRole('treeitem', { name: 'Step 3' }).waitFor()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  const file = join(cwd, 'exported.html')
  await (await downloading).saveAs(file)
  const text = await readFile(file, 'utf8')
  expect(text).not.toContain(new URL(url).hash.slice('#key='.length))
  const again = await openPage(pathToFileURL(file).href)
  await again.getByRole('searchbox').fill('netrc')
  await again.getByRole('treeitem', { name: 'refused Call Bash' }).click()
  const detail = again.getByRole('complementary')
  await detail.getByText('~/.netrc').first().waitFor()
  expect(await detail.innerText()).not.toMatch(/ghp_|ada/)
  // An exported file exports itself.
  const exported = again.waitForEvent('download')
  await again.getByRole('button', { name: 'Export' }).click()
  await exported
})

it.skipIf(!isFull)('[SEE-4] works with the keyboard alone (only with CI set)', async () => {
  const page = await openPage(await writePage({ 'audit.jsonl': logOf(SAMPLE) }))
  await page.getByRole('treeitem', { name: 'Step 1' }).waitFor()
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key)
  }
  // The first press leads into the list, and the others through it.
  await press('ArrowDown', 'ArrowDown', 'ArrowDown')
  await expect.poll(() => selectedRow(page).innerText()).toMatch(/Activate|Step/)
  // Faster than the page draws.
  await page.getByRole('tree', { name: 'Steps of the run' }).evaluate((list) => {
    for (const key of ['Home', 'ArrowDown', 'Enter'])
      list.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
  })
  await page.getByRole('complementary').getByText('Activate safe-edit?').waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toContain('detail')
  await press('2')
  await page.getByRole('tab', { name: 'Skills', selected: true }).waitFor()
  await press('1', '/')
  await page.keyboard.type('git push')
  await page.getByRole('treeitem', { name: 'git push' }).waitFor()
  await press('Escape', '?')
  await page.getByRole('dialog').getByText('go from row to row').waitFor()
  await press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
})

it.skipIf(!isFull)(
  '[SEE-4] fits into 380 px in every view, with the runs and the detail as sheets (only with CI set)',
  async () => {
    const other = logOf(SAMPLE.map((event) => ({ agent: 'other', ...event })))
    const page = await openPage(await writePage({ 'one.jsonl': logOf(SAMPLE), 'two.jsonl': other }), {
      viewport: { width: 380, height: 800 },
    })
    for (const view of ['Run', 'Skills', 'Window', 'Compare', 'What if']) {
      await page.getByRole('tab', { name: view }).click()
      await page.getByRole('tab', { name: view, selected: true }).waitFor()
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(380)
    }
    await page.getByRole('tab', { name: 'Run' }).click()
    await page.getByRole('treeitem', { name: 'git push' }).click()
    await page.getByRole('complementary').getByText('TOOL_NOT_ALLOWED').first().waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('complementary').waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Runs', exact: true }).click()
    await page.getByRole('tree', { name: 'Runs' }).getByRole('treeitem', { name: 'call_8' }).first().click()
    await page.getByRole('treeitem', { name: 'docs/b.md' }).waitFor()
  },
)

it.skipIf(!isFull)('[SEE-4] [ABUSE-135] stays quick with 100,000 events and more (only with CI set)', async () => {
  const text = longLog(100_000)
  const page = await openPage(await writePage({ 'long.jsonl': `${text}{"torn` }))
  await page.getByRole('treeitem', { name: 'Step 1' }).waitFor()
  await page.getByText('4,762 steps').first().waitFor()
  expect(await page.getByRole('treeitem').count()).toBeLessThan(200)
  await page.getByRole('note').getByText('1 line of long.jsonl').waitFor()
  const tree = page.getByRole('tree', { name: 'Steps of the run' })
  await tree.getByRole('treeitem').first().and(page.locator('[aria-setsize="52381"]')).waitFor()
  await tree.focus()
  await page.keyboard.press('End')
  await page.getByRole('treeitem', { name: 'git log -47' }).first().waitFor()
  await page.getByRole('searchbox').fill('git log -31415')
  await page.getByRole('treeitem', { name: 'git log -31415' }).waitFor()
})
