// Makes the pictures of the documents from the demo's page: npm run pictures
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { type Browser, chromium } from 'playwright-core'
import { INPUTS_FILE, inputDigests, PICTURES_FOLDER } from './picture-inputs.ts'

/** What each picture shows: the options of the demo, a part of the page's address, and what is there when it is drawn. */
const PICTURES = [
  { name: 'run', args: [], at: '#ai-sdk/4/call_4_3', shows: 'aside.detail :text("TOOL_NOT_ALLOWED")' },
  { name: 'compare', args: ['--break', 'langchain'], at: '', shows: '[data-differs="true"]' },
  { name: 'window', args: [], at: '#ai-sdk-long?view=window', shows: 'canvas' },
] as const

const SIZE = { width: 1280, height: 660 }

async function makePictures(): Promise<void> {
  mkdirSync(PICTURES_FOLDER, { recursive: true })
  const folder = mkdtempSync(join(tmpdir(), 'repertoire-pictures-'))
  // As root, Chromium has no sandbox of its own. It opens no page but ours.
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  try {
    for (const { name, args, at, shows } of PICTURES) {
      const page = join(folder, `${args.join('') || 'sound'}.html`)
      if (!existsSync(page)) await play([...args, '--out', page])
      for (const theme of ['light', 'dark'] as const)
        await draw(browser, { address: pathToFileURL(page).href + at, theme, shows, name })
    }
  } finally {
    await browser.close()
    rmSync(folder, { recursive: true, force: true })
  }
  writeFileSync(INPUTS_FILE, `${JSON.stringify(inputDigests(), undefined, 2)}\n`)
}

interface Drawing {
  readonly name: string
  readonly address: string
  readonly theme: 'light' | 'dark'
  readonly shows: string
}

async function draw(browser: Browser, { name, address, theme, shows }: Drawing): Promise<void> {
  const page = await browser.newPage({ viewport: SIZE, colorScheme: theme, reducedMotion: 'reduce' })
  await page.goto(address)
  await page.locator(shows).first().waitFor()
  const path = join(PICTURES_FOLDER, `${name}-${theme}.png`)
  await page.screenshot({ path })
  await page.close()
  process.stdout.write(`${path}\n`)
}

/** Plays the demo. With a fault it ends with 1. */
async function play(args: readonly string[]): Promise<void> {
  const main = join(import.meta.dirname, 'main.ts')
  const child: ChildProcess = spawn(process.execPath, ['--conditions=@repertoire/source', main, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const code = await new Promise((resolve) => void child.once('exit', resolve))
  if (code !== 0 && !args.includes('--break')) throw new Error(`The demo ended with ${String(code)}.`)
}

await makePictures()
