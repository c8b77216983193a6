import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { bundled } from '@repertoire/test-servers'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'

const CLI = bundled(join(import.meta.dirname, '../../../packages/cli/src/main.ts'))

let browser: Promise<Browser> | undefined

/** Starts Chromium once for the tests of a file. */
function launch(): Promise<Browser> {
  // Chromium has no sandbox if it runs as root. It opens only our page.
  return (browser ??= chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] }))
}

/** Ends it. */
export async function quit(): Promise<void> {
  await (await browser)?.close()
  browser = undefined
}

/** A page of the inspector. What it reports as an error, or loads from elsewhere, fails the test at its end. */
export async function openPage(address: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await (await launch()).newContext({ viewport: { width: 1440, height: 900 }, ...options })
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  page.on('dialog', (dialog) => {
    problems.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    const url = request.url()
    if (!/^(?:blob|file|data):/.test(url) && !url.startsWith('http://127.0.0.1:')) problems.push(`a request: ${url}`)
  })
  onTestFinished(async () => {
    await context.close()
    expect(problems).toEqual([])
  })
  await page.goto(address)
  return page
}

/** A folder with logs. */
export async function folderWith(logs: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'inspector-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(logs)) await writeFile(join(folder, name), text)
  return folder
}

/** Starts `repertoire inspect`, and returns the address that it prints. */
export async function inspect(cwd: string, ...args: readonly string[]): Promise<string> {
  const child = repertoire(cwd, args)
  onTestFinished(() => void child.kill())
  let printed = ''
  for await (const part of child.stdout!) {
    printed += String(part)
    const [, url] = /^Open (\S+)$/m.exec(printed) ?? []
    if (url !== undefined) return url
  }
  throw new Error(`The command ended: ${printed}`)
}

/** Writes the page with logs as one file, and returns its address. */
export async function writePage(logs: Readonly<Record<string, string>>): Promise<string> {
  const cwd = await folderWith(logs)
  const child = repertoire(cwd, [...Object.keys(logs), '--out', 'page.html'])
  const code = await new Promise((resolve) => void child.once('exit', resolve))
  expect(code).toBe(0)
  return pathToFileURL(join(cwd, 'page.html')).href
}

function repertoire(cwd: string, args: readonly string[]): ChildProcess {
  return spawn(process.execPath, ['--conditions=@repertoire/source', CLI, 'inspect', ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}
