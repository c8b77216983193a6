import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { navigationOf, pagesIn } from '../site/navigation.ts'
import { readSitePages, REPOSITORY, siteText } from '../site/pages.ts'

const ROOT = join(import.meta.dirname, '../..')
const pages = readSitePages()
const pageOf = (source: string) => pages.find((page) => page.source === source)!

it('[FRONT-3] the navigation has every page once in its group, in the order in which people ask', () => {
  const navigation = navigationOf(pages, [])
  expect(navigation.map(({ text }) => text)).toEqual(['Start', 'Use', 'Guides', 'Reference', 'For maintainers'])
  expect(new Set(navigation.flatMap(pagesIn))).toEqual(new Set(pages.map(({ path }) => path)))
  expect(pagesIn(navigation[0]!)[0]).toBe('index.md')
})

it('[FRONT-3] a page that docs/README.md does not link to, and a heading in no group, fail the build', () => {
  const more = { source: 'docs/lost.md', path: 'lost.md', title: 'Lost', text: '# Lost\n' }
  expect(() => navigationOf([...pages, more], [])).toThrow('docs/README.md links to no page docs/lost.md')
  const index = pageOf('docs/README.md')
  const changed = pages.map((page) => (page === index ? { ...page, text: `${page.text}\n## New heading\n` } : page))
  expect(() => navigationOf(changed, [])).toThrow('headings in no group of the site: New heading')
})

it('[FRONT-3] links lead to pages of the site, and to the repository for all else', () => {
  const text = [
    '[a](consent.md#hooks) [b](../packages/core) [c](../SECURITY.md) [d](../packages/core/src/index.ts) [e](https://x.org)',
    '[`f`](api/core.api.md) `[g](consent.md)`',
    '',
    '```sh',
    'echo "[h](consent.md)"',
    '```',
  ].join('\n')
  expect(siteText({ source: 'docs/turns.md', path: 'turns.md', title: '', text }, pages)).toBe(
    [
      `[a](./consent.md#hooks) [b](./packages/core.md) [c](./reporting.md) [d](${REPOSITORY}/blob/main/packages/core/src/index.ts) [e](https://x.org)`,
      '[`f`](./reference/core.md) `[g](./consent.md)`',
      '',
      '```sh',
      'echo "[h](consent.md)"',
      '```',
    ].join('\n'),
  )
})

it.skipIf(process.env['CI'] === undefined)(
  '[FRONT-3] the site builds without a broken link, fits into 380 px in both themes, shows programs whole and tables as lists, and finds pages and codes by its search (only with CI set)',
  { timeout: 900_000 },
  async () => {
    await promisify(execFile)('npm', ['run', '--silent', 'site:build'], { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 })
    const site = join(ROOT, 'apps/site/dist')
    const address = await serve(site)
    const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
    onTestFinished(() => browser.close())
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ viewport: { width: 380, height: 800 }, colorScheme })
      for (const path of ['', 'consent', 'reference/core']) {
        await page.goto(`${address}/${path}`)
        expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, 380])
      }
      expect(await page.evaluate('document.documentElement.classList.contains("dark")')).toBe(colorScheme === 'dark')
      await page.close()
    }
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.goto(address)
    await page.locator('.DocSearch-Button').click()
    await page.locator('#localsearch-input').fill('rules or sandbox')
    await page.locator('.results .result').first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/security/)
    await page.locator('h1', { hasText: 'Security' }).waitFor()
    await page.locator('.DocSearch-Button').click()
    await page.locator('#localsearch-input').fill('TOOL_NOT_ALLOWED')
    await page.locator('.results .result').first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/errors#tool_not_allowed/)
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto(address)
      const hidden = await page.evaluate(
        `[...document.querySelectorAll('pre')].filter((each) => each.scrollWidth > each.clientWidth).length`,
      )
      expect([width, hidden]).toEqual([width, 0])
    }
    await page.goto(`${address}/errors`)
    const cell = await page.evaluate(`getComputedStyle(document.querySelector('td:nth-child(2)'), '::before').content`)
    expect(cell).toContain('you get it')
  },
)

/** Serves a built site, with its addresses without `.html`. */
async function serve(site: string): Promise<string> {
  const types: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript', css: 'text/css' }
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://site').pathname
    const file = [path, `${path}.html`, `${path}index.html`]
      .map((each) => join(site, each))
      .find((each) => /\.[a-z\d]+$/.test(each) && existsSync(each))
    const type = types[file?.slice(file.lastIndexOf('.') + 1) ?? '']
    response.writeHead(file === undefined ? 404 : 200, type === undefined ? {} : { 'content-type': type })
    response.end(file === undefined ? '' : readFileSync(file))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}
