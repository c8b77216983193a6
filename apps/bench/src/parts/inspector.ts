import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'
import type { Jobs } from '../run.ts'
import { timed } from '../timing.ts'

const EVENTS = 100_000
const CHROMIUM = '/usr/bin/chromium'
const COMMAND = join(import.meta.dirname, '../../../../packages/cli/src/main.ts')

export const jobs: Jobs = {
  /** From the opening of a page with a log to its first steps. */
  async page(folder) {
    if (!existsSync(CHROMIUM)) throw new Error('chromium is not installed')
    writeFileSync(join(folder, 'log.jsonl'), longLog())
    const args = ['--conditions=@repertoire/source', COMMAND, 'inspect', 'log.jsonl', '--out', 'page.html']
    execFileSync(process.execPath, args, { cwd: folder, stdio: 'ignore' })
    // Chromium has no sandbox if it runs as root. It opens only our page.
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
    const page = await browser.newPage()
    const taken = await timed(async () => {
      await page.goto(pathToFileURL(join(folder, 'page.html')).href)
      await page.getByRole('treeitem', { name: 'Step 1' }).first().waitFor()
    })
    await browser.close()
    return { taken }
  },
}

/** Returns the log of a session: in each step, what was shown, and ten calls with their results. */
function longLog(): string {
  const skill = { name: 'safe-edit', digest: '3f9c'.repeat(16), layer: 'project', source: 'skills' }
  const tokens = { system: 310, list: 54, bodies: 0, tools: 820, messages: 120 }
  const lines: string[] = []
  const add = (event: object): void => {
    const time = new Date(Date.UTC(2026, 10, 27) + lines.length * 1_000).toISOString()
    const always = { version: 1, time, session: 'task-7f3a', skills: [skill], outcome: 'succeeded', enforced: true }
    lines.push(JSON.stringify({ ...always, ...event }))
  }
  for (let call = 0; lines.length < EVENTS; call++) {
    const step = Math.floor(call / 10) + 1
    const skills = [{ name: 'safe-edit', as: 'whole', tokens: 42 }]
    const shown = { step, skills, left: [], tools: ['Read', 'Bash'], tokens, digest: 'a'.repeat(64) }
    if (call % 10 === 0) add({ type: 'skills.shown', model: 'gpt-5', shown })
    const started = { callId: `call_${call}`, tool: 'Bash', input: { command: `git log -${call}` } }
    add({ ...started, type: 'tool.started' })
    add({ ...started, type: 'tool.finished' })
  }
  return `${lines.join('\n')}\n`
}
