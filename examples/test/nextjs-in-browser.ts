import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { chromium, type Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { userEnvironment } from './example.ts'

/** Starts the example about Next.js by a line of a shell. Returns its address once it answers. */
async function startNext(line: string, cwd: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const port = await freePort()
  const env = {
    ...userEnvironment(),
    ...environment,
    PORT: String(port),
    HOSTNAME: '127.0.0.1',
    NEXT_TELEMETRY_DISABLED: '1',
  }
  // Its own process group, so that the server ends with the shell.
  const child = spawn('sh', ['-c', line], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(async () => {
    if (child.exitCode !== null) return
    const closed = once(child, 'close')
    process.kill(-child.pid!, 'SIGTERM')
    await closed
  })
  let output = ''
  await new Promise<void>((resolve, reject) => {
    const read = (text: string): void => {
      output += text
      if (output.includes('Ready in')) resolve()
    }
    child.stdout.setEncoding('utf8').on('data', read)
    child.stderr.setEncoding('utf8').on('data', read)
    child.once('exit', () => reject(new Error(`Next.js did not start:\n${output}`)))
  })
  return `http://127.0.0.1:${port}`
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { readonly port: number }
  server.close()
  await once(server, 'close')
  return port
}

const send = async (page: Page, text: string): Promise<void> => {
  await page.getByLabel('Message').fill(text)
  await page.getByRole('button', { name: 'Send' }).click()
}
const shows = (page: Page, text: string): Promise<void> => page.getByText(text).last().waitFor()

/** Starts the example and uses it as a person does. */
export async function useNextExample(line: string, folder: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const url = await startNext(line, folder, environment)
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  page.setDefaultTimeout(30_000)

  // The model asks for a skill; a person approves it in a card.
  await page.goto(url)
  await send(page, 'I want my money back')
  await shows(page, 'Activate the skill "refunds"?')
  const question = await page.locator('section').textContent()
  expect(question).not.toMatch(/folder:|\/skills\//)
  await page.getByRole('button', { name: 'Approve' }).click()
  await shows(page, 'You get 40 euros back.')

  // A run that is stopped loses neither the messages nor the restriction of the skill.
  await send(page, 'Tell me a story')
  await shows(page, 'a long story about tea')
  await page.getByRole('button', { name: 'Stop' }).click()
  const isSaved = async (): Promise<boolean> => {
    await page.reload()
    return (await page.getByText('a long story about tea').count()) > 0
  }
  await expect.poll(isSaved).toBe(true)
  await send(page, 'Pay it now')
  await shows(page, 'I may not pay it out myself. A colleague will.')
  expect(await page.locator('pre', { hasText: 'TOOL_NOT_ALLOWED' }).textContent()).toMatch(/^Pay output-error: /)

  // A person names the skill, and denies it.
  await page.goto(url)
  await send(page, '/refunds 7')
  await page.getByRole('button', { name: 'Deny' }).click()
  await shows(page, 'Then I cannot help with that.')
  await shows(page, 'activate_skill output-denied')

  // The model asks for it, and the person denies that.
  await page.goto(url)
  await send(page, 'I want my money back')
  await page.getByRole('button', { name: 'Deny' }).click()
  await shows(page, 'activate_skill output-denied')
  await shows(page, 'Then I cannot help with that.')

  // The page of a first program keeps nothing.
  await page.goto(`${url}/first`)
  await send(page, 'I want my money back')
  await shows(page, 'Activate the skill "refunds"?')
  await page.getByRole('button', { name: 'Approve' }).click()
  await shows(page, 'You get 40 euros back.')

  // The server does not answer.
  await page.goto(url)
  await page.route('**/api/chat', (route) => route.abort())
  await send(page, 'I want my money back')
  await shows(page, 'The log of the server says why.')
  await page.unroute('**/api/chat')

  // A person names the skill, and approves it.
  await page.goto(url)
  await send(page, '/refunds 7')
  await page.getByRole('button', { name: 'Approve' }).click()
  await shows(page, 'You get 40 euros back.')
  await shows(page, 'activate_skill output-available')
}
