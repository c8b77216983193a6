import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { openModelEndpoint } from '@repertoire/conformance'
import { ROOT } from '../packed-packages.ts'

/** The adapters, and the protocol that each one's first program speaks. */
export const FIRST_PROGRAMS = {
  'ai-sdk': 'openai-responses',
  langchain: 'openai-responses',
  mastra: 'openai-responses',
  'openai-agents': 'openai-responses',
  'react-loop': 'openai',
} as const

export type Adapter = keyof typeof FIRST_PROGRAMS

/** Version 6 of the AI SDK, which has other types. */
export const AI_SDK_6 = 'ai-sdk-6'

/** The Claude Agent SDK, which runs on Node alone, and with Claude Code. */
export const CLAUDE_AGENT = 'claude-agent'

/** The programs with a project of their own: where they are, what they import and what is installed. */
export const APART = {
  [AI_SDK_6]: {
    file: 'packages/ai-sdk/test/v6/first-example.ts',
    entry: '@repertoire/ai-sdk/v6',
    packages: ['@repertoire/ai-sdk', 'ai@6', '@ai-sdk/openai@3'],
  },
  [CLAUDE_AGENT]: {
    file: 'packages/claude-agent/test/docs/first-example.ts',
    entry: '@repertoire/claude-agent',
    packages: ['@repertoire/claude-agent', '@anthropic-ai/claude-agent-sdk'],
  },
} as const

export type ProgramApart = keyof typeof APART

/** Where Claude Code is, if `npm run claude-code` has installed it. */
const CLAUDE_CODE = join(ROOT, 'apps/claude-code/node_modules')

const SKILL =
  '---\nname: commit-message\ndescription: Writes commit messages.\n---\nWrite one line, in the imperative.\n'

function copySkill(project: string): void {
  mkdirSync(join(project, '.agents/skills/commit-message'), { recursive: true })
  writeFileSync(join(project, '.agents/skills/commit-message/SKILL.md'), SKILL)
}

/** Copies each adapter's first program into a project, with the skill that it uses. */
export function copyFirstPrograms(project: string): void {
  copySkill(project)
  for (const name of Object.keys(FIRST_PROGRAMS))
    cpSync(join(ROOT, `packages/${name}/test/docs/first-example.ts`), join(project, `first-${name}.ts`))
}

/** Copies a first program that has a project of its own, with the skill that it uses. */
export function copyProgramApart(program: ProgramApart, project: string): void {
  copySkill(project)
  cpSync(join(ROOT, APART[program].file), join(project, `first-${program}.ts`))
}

/**
 * Runs an adapter's first program, answers its question with yes, and plays the model. Returns what is wrong; undefined if
 * the skill was asked for, activated and used.
 */
export async function runFirstProgram(
  adapter: Adapter | ProgramApart,
  project: string,
  [program, ...args]: readonly [string, ...string[]],
): Promise<string | undefined> {
  const endpoint = await openModelEndpoint()
  const answer = 'parser: rename colour to color'
  const steps = [{ calls: [{ tool: 'activate_skill', input: { name: 'commit-message' } }] }, { text: answer }]
  const protocols = { ...FIRST_PROGRAMS, [AI_SDK_6]: FIRST_PROGRAMS['ai-sdk'], [CLAUDE_AGENT]: 'anthropic' } as const
  const play = endpoint.play(steps, { protocol: protocols[adapter] })
  const { PATH, HOME } = process.env
  const child = spawn(program, [...args, `first-${adapter}.ts`], {
    cwd: project,
    env: {
      PATH,
      HOME,
      OPENAI_API_KEY: play.apiKey,
      OPENAI_BASE_URL: play.baseURL,
      // The OpenAI Agents SDK would send what it does to its vendor.
      OPENAI_AGENTS_DISABLE_TRACING: '1',
      ANTHROPIC_API_KEY: play.apiKey,
      ANTHROPIC_BASE_URL: play.baseURL,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS: '1',
      CLAUDE_CONFIG_DIR: join(project, '.claude'),
      // The SDK looks for its program as Node looks for packages.
      NODE_PATH: CLAUDE_CODE,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const limit = setTimeout(() => child.kill('SIGKILL'), 60_000)
  try {
    const written = text(child.stdout)
    let asked = ''
    for await (const part of child.stderr.setEncoding('utf8') as AsyncIterable<string>) {
      asked += part
      if (asked.endsWith('[y/N] ')) child.stdin.write('y\n')
    }
    const printed = await written
    const isUsed = JSON.stringify(play.requests[1]?.raw ?? '').includes('in the imperative')
    return printed.includes(answer) && isUsed ? undefined : `${printed}\n${asked}`
  } finally {
    clearTimeout(limit)
    await endpoint.close()
  }
}
