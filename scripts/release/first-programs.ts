import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { openModelEndpoint, type ProtocolName } from '@repertoire/conformance'
import { ROOT } from '../packed-packages.ts'

/** The adapters that run in the process of their agent, and the protocol that each one's first program speaks. */
export const FIRST_PROGRAMS: Readonly<Record<string, ProtocolName>> = {
  'ai-sdk': 'openai-responses',
  langchain: 'openai-responses',
  mastra: 'openai-responses',
  'openai-agents': 'openai-responses',
  'react-loop': 'openai',
}

/** Copies each adapter's first program into a project, with the skill that it uses. */
export function copyFirstPrograms(project: string): void {
  mkdirSync(join(project, '.agents/skills/commit-message'), { recursive: true })
  const skill = '---\nname: commit-message\ndescription: Writes commit messages.\n---\nWrite it in the imperative.\n'
  writeFileSync(join(project, '.agents/skills/commit-message/SKILL.md'), skill)
  for (const name of Object.keys(FIRST_PROGRAMS))
    cpSync(join(ROOT, `packages/${name}/test/docs/first-example.ts`), join(project, `first-${name}.ts`))
}

/**
 * Runs an adapter's first program, answers its question with yes, and plays the model. Returns what is wrong; undefined
 * if the skill was asked for, activated and used.
 */
export async function runFirstProgram(
  adapter: string,
  project: string,
  [program, ...args]: readonly [string, ...string[]],
): Promise<string | undefined> {
  const endpoint = await openModelEndpoint()
  const answer = 'parser: rename colour to color'
  const steps = [{ calls: [{ tool: 'activate_skill', input: { name: 'commit-message' } }] }, { text: answer }]
  const play = endpoint.play(steps, { protocol: FIRST_PROGRAMS[adapter]! })
  const { PATH, HOME } = process.env
  const child = spawn(program, [...args, `first-${adapter}.ts`], {
    cwd: project,
    // The OpenAI Agents SDK would send what it does to its vendor.
    env: { PATH, HOME, OPENAI_API_KEY: play.apiKey, OPENAI_BASE_URL: play.baseURL, OPENAI_AGENTS_DISABLE_TRACING: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: 60_000,
    killSignal: 'SIGKILL',
  })
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
    await endpoint.close()
  }
}
