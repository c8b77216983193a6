import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { cleanEnv, inProcess, temporaryFolder, write } from '../command.ts'

const SKILL = '.agents/skills/release-notes/SKILL.md'
const PROGRAM = 'skills-agent.mjs'

const readIn = (folder: string, path: string): string => readFileSync(join(folder, path), 'utf8')

it('[FRONT-5] init writes a skill that loads and the program of the framework in package.json', async () => {
  for (const [dependencies, title, imported] of [
    [{ ai: '7' }, 'the AI SDK', '@repertoire/ai-sdk'],
    [{ '@anthropic-ai/claude-agent-sdk': '0.3' }, 'the Claude Agent SDK', '@repertoire/claude-agent'],
    [{ langchain: '1' }, 'LangChain', '@repertoire/langchain'],
    [{ '@langchain/langgraph': '1' }, 'LangChain', '@repertoire/langchain'],
    [{ ai: '7', '@mastra/core': '1' }, 'Mastra', '@repertoire/mastra'],
    [{ '@openai/agents': '0.20' }, 'the OpenAI Agents SDK', '@repertoire/openai-agents'],
    [{ hono: '4' }, 'no framework', '@repertoire/react-loop'],
  ] as const) {
    const cwd = await temporaryFolder()
    await write(cwd, { 'package.json': JSON.stringify({ dependencies }) })
    const { code, stdout } = await inProcess(['init', '--yes'], { cwd })
    expect(code).toBe(0)
    expect(stdout).toContain(`For ${title}`)
    expect(readIn(cwd, PROGRAM)).toContain(`from '${imported}'`)
    expect(await inProcess(['validate', '.agents/skills', '--profile', 'strict'], { cwd })).toMatchObject({ code: 0 })
  }
})

it('[FRONT-5] init shows what it would write, and writes it after a yes', async () => {
  const cwd = await temporaryFolder()
  await write(cwd, {
    'pnpm-lock.yaml': '',
    'package.json': '{ "dependencies": { "ai": "7", "@repertoire/core": "1" } }',
  })
  const refused = await inProcess(['init'], { cwd, terminal: { columns: 140 }, input: 'n\n' })
  expect(refused).toMatchObject({ code: 1, stderr: 'Write 2 files? [y/N] ' })
  expect(refused.stdout).toContain(`+ ${PROGRAM}\n    // An agent with the skills in .agents/skills`)
  expect(refused.stdout).not.toContain('pnpm add')
  expect(refused.stdout).toContain('Nothing was written.')
  expect(readdirSync(cwd).toSorted()).toEqual(['package.json', 'pnpm-lock.yaml'])
  const agreed = await inProcess(['init'], { cwd, terminal: { columns: 140 }, input: 'y\n' })
  expect(agreed.code).toBe(0)
  expect(agreed.stdout).toContain(`Written: ${SKILL}, ${PROGRAM}.`)
  expect(agreed.stdout).toContain(
    'Next, install the packages and start the program:\n  $ pnpm add @repertoire/ai-sdk @ai-sdk/openai\n  $ OPENAI_API_KEY=',
  )
  expect(agreed.stdout).toContain(readIn(cwd, SKILL).replaceAll(/^(?=.)/gm, '    '))
})

it('[FRONT-5] init without a terminal writes nothing, and says how to continue', async () => {
  const cwd = await temporaryFolder()
  const { code, stdout, stderr } = await inProcess(['init'], { cwd })
  expect(code).toBe(1)
  expect(stdout).not.toContain('npm install')
  expect(stderr).toContain('--yes agrees to what is shown')
  expect(readdirSync(cwd)).toEqual([])
})

it('[FRONT-5] init never changes a file that exists, and refuses a project that it cannot read', async () => {
  const cwd = await temporaryFolder()
  await write(cwd, { [PROGRAM]: 'mine' })
  const { code, stdout } = await inProcess(['init', '--yes', '--framework', 'langchain'], { cwd })
  expect(code).toBe(0)
  expect(stdout).toContain(`= ${PROGRAM}  exists, and stays as it is`)
  expect(readIn(cwd, PROGRAM)).toBe('mine')
  expect(existsSync(join(cwd, SKILL))).toBe(true)
  await write(cwd, { 'package.json': '{ "dependencies": ' })
  expect(await inProcess(['init', '--yes'], { cwd })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('package.json cannot be read'),
  })
})

/** An endpoint for chat completions whose model activates the example skill, and then answers. */
async function openModel(): Promise<{ readonly baseURL: string; readonly seen: string[] }> {
  const seen: string[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      seen.push(body)
      const { messages } = JSON.parse(body) as { messages: { role: string }[] }
      const isActive = messages.some(({ role }) => role === 'tool')
      const call = { name: 'activate_skill', arguments: '{"name":"release-notes"}' }
      const message = isActive
        ? { role: 'assistant', content: 'Better: search is twice as fast.' }
        : { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: call }] }
      response.setHeader('content-type', 'application/json')
      response.end(
        JSON.stringify({
          id: `r${seen.length}`,
          object: 'chat.completion',
          created: 1,
          model: 'scripted',
          choices: [{ index: 0, message, finish_reason: isActive ? 'stop' : 'tool_calls' }],
          usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
        }),
      )
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  return { baseURL: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`, seen }
}

/** Puts the packages of a framework's adapter where the program finds them, as an installation does. */
function installFrom(adapter: string, cwd: string): void {
  const packages = fileURLToPath(new URL('../../../', import.meta.url))
  const modules = join(packages, adapter, 'node_modules')
  const link = (target: string, name: string): void => {
    const path = join(cwd, 'node_modules', name)
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(target, path)
  }
  for (const name of readdirSync(modules).filter((each) => !each.startsWith('.'))) {
    if (name === '@repertoire') continue
    link(join(modules, name), name)
  }
  link(join(packages, 'core'), '@repertoire/core')
  link(join(packages, adapter), `@repertoire/${adapter}`)
}

// Where people wait for the tests, one is enough: scripts/test/first-programs.test.ts runs one of each framework.
it.each(
  (
    [
      ['none', 'react-loop'],
      ['ai-sdk', 'ai-sdk'],
      ['langchain', 'langchain'],
      ['mastra', 'mastra'],
      ['openai-agents', 'openai-agents'],
    ] as const
  ).slice(0, process.env['CI'] === undefined ? 1 : undefined),
)(
  '[FRONT-5] the first program of %s runs as it is written, and asks before the skill is used',
  async (framework, adapter) => {
    const cwd = await temporaryFolder()
    await inProcess(['init', '--yes', '--framework', framework], { cwd })
    installFrom(adapter, cwd)
    const { baseURL, seen } = await openModel()
    const env = cleanEnv({ OPENAI_API_KEY: 'none', OPENAI_BASE_URL: baseURL, OPENAI_MODEL: 'scripted' })
    const run = async (answer: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const child = execFile(
          process.execPath,
          ['--conditions=@repertoire/source', PROGRAM],
          { cwd, env },
          (error, stdout, stderr) => (error === null ? resolve(stderr + stdout) : reject(new Error(stderr))),
        )
        // As a person does, who reads the question first.
        child.stderr?.on('data', (shown: string) => {
          if (shown.includes('[y/N]')) child.stdin?.end(answer)
        })
      })
    const agreed = await run('y\n')
    expect(agreed).toContain('Activate the skill "release-notes"?')
    expect(agreed.trimEnd().endsWith('Better: search is twice as fast.')).toBe(true)
    expect(seen.at(-1)).toContain('Leave out what no user notices.')
    await run('n\n')
    expect(seen.at(-1)).toContain('CONSENT_DENIED')
  },
)
