import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { openModelEndpoint, type ProtocolName } from '@repertoire/conformance'
import { lacksClaudeCode } from '@repertoire/test-servers'
import { expect, it, onTestFinished } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

/** The skill that the README shows. */
const [, SKILL = ''] = /^```md\n([^]*?)^```$/m.exec(readFileSync(join(ROOT, 'README.md'), 'utf8')) ?? []

it.each([
  ['ai-sdk', 'openai-responses'],
  ['langchain', 'openai-responses'],
  ['mastra', 'openai-responses'],
  ['openai-agents', 'openai-responses'],
  ['react-loop', 'openai'],
] as const)(
  "[FRONT-5] [ADPT-1] the README's first program for %s asks before it activates a skill, and prints the answer",
  runFirstProgram,
)

it.skipIf(lacksClaudeCode())(
  '[FRONT-5] [ADPT-8] the first program for claude-agent asks before it activates a skill, and prints the answer (needs Claude Code)',
  () => runFirstProgram('claude-agent', 'anthropic'),
)

async function runFirstProgram(name: string, protocol: ProtocolName): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'repertoire-first-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, '.agents/skills/commit-message'), { recursive: true })
  await writeFile(join(folder, '.agents/skills/commit-message/SKILL.md'), SKILL)
  const endpoint = await openModelEndpoint()
  onTestFinished(() => endpoint.close())
  const play = endpoint.play(
    [
      { calls: [{ tool: 'activate_skill', input: { name: 'commit-message' } }] },
      { text: 'parser: rename colour to color' },
    ],
    { protocol },
  )
  const { NODE_COMPILE_CACHE = '', PATH = '' } = process.env
  const child = spawn(
    process.execPath,
    ['--conditions=@repertoire/source', join(ROOT, `packages/${name}/test/docs/first-example.ts`)],
    {
      cwd: folder,
      env: {
        NODE_COMPILE_CACHE,
        PATH,
        OPENAI_API_KEY: play.apiKey,
        OPENAI_BASE_URL: play.baseURL,
        // The OpenAI Agents SDK would send what it does to its vendor.
        OPENAI_AGENTS_DISABLE_TRACING: '1',
        ANTHROPIC_API_KEY: play.apiKey,
        ANTHROPIC_BASE_URL: play.baseURL,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS: '1',
        CLAUDE_CONFIG_DIR: join(folder, '.claude'),
        // The SDK looks for its program as Node looks for packages.
        NODE_PATH: join(ROOT, 'apps/claude-code/node_modules'),
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  const printed = text(child.stdout)
  let asked = ''
  for await (const part of child.stderr.setEncoding('utf8') as AsyncIterable<string>) {
    asked += part
    if (asked.endsWith('[y/N] ')) child.stdin.write('y\n')
  }
  expect(asked).toMatch(/^Activate the skill "commit-message"\?[^]*\[y\/N\] $/)
  expect(await printed).toBe('parser: rename colour to color\n')
  expect(JSON.stringify(play.requests[1]?.raw)).toContain('say in the imperative what the commit does')
  expect(play.failures).toEqual([])
}
