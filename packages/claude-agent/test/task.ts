import type { Options, SDKMessage, SDKResultMessage } from '@anthropic-ai/claude-agent-sdk'
import type { Play } from '@repertoire/conformance'
import { type AuditSink, memorySource, openRepertoire, type Repertoire } from '@repertoire/core'
import { join } from 'node:path'
import process from 'node:process'
import { wireName } from '../src/server.ts'

/** Calls of the scripted model, by the names that Claude Code offers. */
export const call = (tool: string, input: object = {}) => ({ calls: [{ tool: wireName(tool), input }] })
export const activate = (name: string) => call('activate_skill', { name })
export const bash = (command: string) => ({ calls: [{ tool: 'Bash', input: { command, description: 'Runs it' } }] })

/** Opens skills, each given as a SKILL.md without its name. */
export function open(skills: Readonly<Record<string, string>>, audit?: AuditSink): Promise<Repertoire> {
  const files = Object.entries(skills).map(([name, text]) => [name, { 'SKILL.md': `---\nname: ${name}\n${text}` }])
  return openRepertoire({ sources: [memorySource({ layer: 'project', skills: Object.fromEntries(files) })], audit })
}

/** The options of `query` that keep Claude Code to a model on loopback, and to a folder. */
export function optionsFor(
  { model, baseURL, apiKey }: Pick<Play, 'model' | 'baseURL' | 'apiKey'>,
  home: string,
): Options {
  return {
    model,
    cwd: home,
    systemPrompt: 'Be brief.',
    settingSources: [],
    tools: [],
    pathToClaudeCodeExecutable: process.env['CLAUDE_CODE_EXECUTABLE']!,
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      CLAUDE_CONFIG_DIR: join(home, '.claude'),
      ANTHROPIC_BASE_URL: baseURL,
      ANTHROPIC_API_KEY: apiKey,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS: '1',
      ENABLE_TOOL_SEARCH: 'false',
    },
  }
}

/** The last message of a query, its result. */
export async function last(messages: AsyncIterable<SDKMessage>): Promise<SDKResultMessage> {
  for await (const message of messages) if (message.type === 'result') return message
  throw new Error('There is no result.')
}
