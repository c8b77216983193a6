// Makes the pictures of the documents from the demo's page: npm run pictures
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { AnsiUp } from 'ansi_up'
import { type Browser, chromium } from 'playwright-core'
import { INPUTS_FILE, inputDigests, PICTURES_FOLDER, ROOT } from './picture-inputs.ts'

/** What each picture shows: options of the demo, a part of the page's address, and what is there when it is drawn. */
const PICTURES = [
  { name: 'run', args: [], at: '#ai-sdk/4/call_4_3', shows: 'aside.detail :text("TOOL_NOT_ALLOWED")' },
  { name: 'compare', args: ['--break', 'langchain'], at: '', shows: '[data-differs="true"]' },
] as const

const SIZE = { width: 1280, height: 660 }

async function makePictures(): Promise<void> {
  mkdirSync(PICTURES_FOLDER, { recursive: true })
  const folder = mkdtempSync(join(tmpdir(), 'repertoire-pictures-'))
  // Chromium has no sandbox if it runs as root. It opens only our page.
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  try {
    for (const { name, args, at, shows } of PICTURES) {
      const page = join(folder, `${name}.html`)
      await play([...args, '--out', page])
      for (const theme of ['light', 'dark'] as const)
        await draw(browser, { address: pathToFileURL(page).href + at, theme, shows, name })
    }
    const page = join(folder, 'terminal.html')
    writeFileSync(page, terminalPage(await play([])))
    for (const theme of ['light', 'dark'] as const)
      await draw(browser, { address: pathToFileURL(page).href, theme, shows: 'pre', name: 'terminal' })
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
  // The runs of a page are read one after the other.
  if (name !== 'terminal') await page.locator('nav :text("react-loop")').first().waitFor({ state: 'attached' })
  await page.locator(shows).first().waitFor()
  const path = join(PICTURES_FOLDER, `${name}-${theme}.png`)
  await page.screenshot({ path })
  await page.close()
  process.stdout.write(`${path}\n`)
}

/** Plays the demo, and returns what it prints. With a fault it ends with 1. */
async function play(args: readonly string[]): Promise<string> {
  const main = join(import.meta.dirname, 'main.ts')
  const child = spawn(process.execPath, ['--conditions=@repertoire/source', main, ...args], {
    env: { ...process.env, FORCE_COLOR: '1', COLUMNS: '100' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  if (code !== 0 && !args.includes('--break')) throw new Error(`The demo ended with ${String(code)}.`)
  return printed
}

/** The part of the terminal's output that the picture shows: the first steps, until the refusals. */
const TERMINAL_LINES = { first: 7, last: 34 }

/** A page with the beginning of what the demo printed. The folder of this machine is not shown. */
function terminalPage(printed: string): string {
  const converter = new AnsiUp()
  converter.use_classes = true
  const lines = printed.replaceAll(`${ROOT}${sep}`, '').split('\n').slice(TERMINAL_LINES.first, TERMINAL_LINES.last)
  return `<!doctype html><meta charset="utf-8"><style>${TERMINAL_STYLE}</style><pre>${converter.ansi_to_html(lines.join('\n'))}</pre>`
}

const TERMINAL_STYLE = `
  :root { color-scheme: light dark }
  body { margin: 0; background: light-dark(#fbfbfd, #17181c); color: light-dark(#1c1d21, #e6e6ea) }
  pre { margin: 20px 24px; font: 16px/1.3 'DejaVu Sans Mono', monospace }
  .ansi-green-fg { color: light-dark(#137333, #7ecb8f) }
  .ansi-yellow-fg { color: light-dark(#945100, #f0b35e) }
  .ansi-cyan-fg { color: light-dark(#0b6a75, #6fc7d1) }
`

await makePictures()
