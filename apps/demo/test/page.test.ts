import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { buildPage } from '@repertoire/inspector/build'
import { bundled, isMissing } from '@repertoire/test-servers'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { demo, temporaryFolder } from './demo.ts'

beforeAll(() => buildPage())

/** Where people wait for the tests: the broken adapter between two others. The command's tests play all of it. */
const ADAPTERS =
  process.env['CI'] === undefined
    ? ['ai-sdk', 'langchain', 'react-loop']
    : ['ai-sdk', 'langchain', 'mastra', 'openai-agents', 'react-loop']
const NAMED = ADAPTERS.flatMap((name) => ['--adapter', name])

interface Written {
  readonly code: number | null
  readonly stdout: string
  readonly address: string
  readonly text: string
  readonly logs: ReadonlyMap<string, readonly { readonly session: string; readonly type: string }[]>
  /** What was left in the folder for temporary files. */
  readonly left: readonly string[]
}

let held: Promise<Written> | undefined
const folders: string[] = []
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

/** The page of a demo in which langchain is broken. It is made once. */
function brokenPage(): Promise<Written> {
  return (held ??= writeBrokenPage())
}

async function writeBrokenPage(): Promise<Written> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'demo-page-')))
  const temporary = await mkdtemp(join(tmpdir(), 'demo-page-'))
  folders.push(folder, temporary)
  const file = join(folder, 'demo.html')
  const { code, stdout } = await demo([...NAMED, '--break', 'langchain', '--out', file], { env: { TMPDIR: temporary } })
  const text = await readFile(file, 'utf8')
  const logs = [...text.matchAll(/ data-log="([\w.-]+)">([\w+/=]+)</g)].map(([, name = '', data = '']) => {
    const lines = gunzipSync(Buffer.from(data, 'base64')).toString('utf8').trim().split('\n')
    return [name, lines.map((line) => JSON.parse(line) as { session: string; type: string })] as const
  })
  return { code, stdout, address: pathToFileURL(file).href, text, logs: new Map(logs), left: await readdir(temporary) }
}

function introductionIn(page: string): { readonly notice: string } {
  const [, text = ''] = / data-introduction="([\w%.~!*()-]+)"/.exec(page) ?? []
  return JSON.parse(decodeURIComponent(text)) as { readonly notice: string }
}

describe('npm run demo -- --out FILE', () => {
  it(`[DEMO-1] writes a page with the runs of ${ADAPTERS.join(', ')}, and says how it was made`, async () => {
    const { code, stdout, text, logs, left } = await brokenPage()
    expect(code).toBe(1)
    expect(stdout).toMatch(/\nThe page is in .*demo\.html\n$/)
    expect(left).toEqual([])
    expect([...logs.keys()]).toEqual(ADAPTERS.map((name) => `${name}.jsonl`))
    for (const [log, events] of logs) {
      const adapter = log.replace('.jsonl', '')
      expect(new Set(events.map(({ session }) => session))).toEqual(new Set([adapter]))
    }
    const { notice } = introductionIn(text)
    expect(notice).toMatch(/^A scripted model gives \w+ agent frameworks the same task .* No key, no network\./)
    expect(notice).toContain('langchain is broken on purpose')
    const recorded = JSON.stringify([...logs.values()])
    for (const secret of ['key=', 'Bearer ', `${homedir()}/`]) expect(recorded.includes(secret)).toBe(false)
  })

  it.skipIf(isMissing('chromium'))(
    '[DEMO-1] [DEMO-3] the page has one column, which splits at the rows of the broken adapter (needs chromium)',
    async () => {
      const { address } = await brokenPage()
      // Chromium has no sandbox if it runs as root. It opens only our page.
      const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
      onTestFinished(() => browser.close())
      const page = await browser.newPage()
      await page.goto(address)
      await page.getByText('A scripted model gives').waitFor()
      const rows = page.getByRole('listbox', { name: 'Rows of the comparison' })
      await page.getByRole('checkbox', { name: 'Only these' }).check()
      await expect.poll(() => rows.getByRole('option').count()).toBe(4)
      const differing = await rows.locator('[data-differs="true"]').allInnerTexts()
      expect(differing).toHaveLength(4)
      for (const row of differing) expect(row).toMatch(/ai-sdk, [^]*refused[^]*langchain[^]*ran/)
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Export' }).click()
      const copy = await readFile(await (await download).path(), 'utf8')
      expect(introductionIn(copy).notice).toContain('A scripted model gives')
    },
  )
})

describe('npm run demo -- --web', () => {
  it.skipIf(process.env['CI'] === undefined)(
    '[DEMO-1] serves the page until it is stopped, and leaves nothing behind (only with CI set)',
    async () => {
      const temporary = await temporaryFolder()
      const { NODE_COMPILE_CACHE = '', PATH = '' } = process.env
      const main = bundled(join(import.meta.dirname, '../src/main.ts'))
      const child = spawn(
        process.execPath,
        ['--conditions=@repertoire/source', main, '--web', '--adapter', 'react-loop'],
        {
          env: { NODE_COMPILE_CACHE, PATH, HOME: temporary, TMPDIR: temporary },
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      )
      onTestFinished(() => void child.kill('SIGKILL'))
      const closed = new Promise((resolve) => void child.once('close', resolve))
      let printed = ''
      for await (const part of child.stdout as AsyncIterable<Buffer>) {
        printed += part.toString()
        if (printed.endsWith('End with Ctrl+C.\n')) break
      }
      const [, origin = '', key = ''] = /^Open (http:\/\/127\.0\.0\.1:\d+)\/#key=(\S+)$/m.exec(printed) ?? []
      const answer = await fetch(`${origin}/logs`, { headers: { authorization: `Bearer ${key}` } })
      expect(await answer.json()).toMatchObject({
        logs: ['react-loop.jsonl'],
        introduction: { notice: expect.stringContaining('In 16 steps, 16 calls ran and 8 were refused.') },
      })
      child.kill('SIGINT')
      expect(await closed).toBe(0)
      expect(await readdir(temporary)).toEqual([])
    },
  )
})
