import { globSync } from 'node:fs'
import { join } from 'node:path'
import { createSdkMcpServer, type Options, query, tool } from '@anthropic-ai/claude-agent-sdk'
import type { HostDriver } from '@repertoire/conformance/host'
import { z } from 'zod'
import { versionOf } from '../version.ts'

// Without the program, every check would fail for a reason that is not the system's.
if (
  globSync('../node_modules/@anthropic-ai/claude-agent-sdk-*/claude{,.exe}', { cwd: import.meta.dirname }).length === 0
)
  throw new Error(
    'Claude Code for this platform is not in hosts/node_modules. Install it with: npm ci --include=optional',
  )

/** The Claude Agent SDK with a project's skills; those it comes with are off. The model reads files with `Read`. */
export const claudeAgent: HostDriver = {
  name: 'Claude Agent SDK',
  version: versionOf('@anthropic-ai/claude-agent-sdk'),
  documentation: 'https://code.claude.com/docs/en/agent-sdk/skills',
  protocol: 'anthropic',
  place: '.claude/skills',
  async start({ endpoint: { baseURL, apiKey, model }, workspace, home, tools, instructions }) {
    const host = createSdkMcpServer({
      name: 'host',
      alwaysLoad: true,
      tools: tools.map(({ name, description, inputSchema, ...own }) =>
        tool(name, description, (z.fromJSONSchema(inputSchema as never) as z.ZodObject).shape, async (input, extra) => {
          const { _meta } = extra as { readonly _meta: Readonly<Record<string, string>> }
          const text = String(await own.execute(input, { callId: _meta['claudecode/toolUseId']! }))
          return { content: [{ type: 'text', text }] }
        }),
      ),
    })
    const options: Options = {
      model,
      cwd: workspace,
      systemPrompt: instructions,
      settingSources: ['project'],
      skills: 'all',
      settings: { disableBundledSkills: true, enabledPlugins: { 'cc-plugin-plugin-authoring@builtin': false } },
      mcpServers: { host },
      allowedTools: tools.map(({ name }) => toolName(name)),
      env: {
        PATH: process.env['PATH'],
        HOME: home,
        CLAUDE_CONFIG_DIR: join(home, '.claude'),
        ANTHROPIC_BASE_URL: baseURL,
        ANTHROPIC_API_KEY: apiKey,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        CLAUDE_CODE_MAX_RETRIES: '0',
        ENABLE_TOOL_SEARCH: 'false',
      },
    }
    let resume: string | undefined
    return {
      async send(prompt) {
        for await (const message of query({ prompt, options: { ...options, ...(resume && { resume }) } })) {
          if (message.type === 'system' && message.subtype === 'init') resume = message.session_id
          if (message.type === 'result' && message.is_error) throw new Error(JSON.stringify(message))
        }
      },
    }
  },
  toolName,
  activate: (skill) => ({ tool: 'Skill', input: { skill } }),
  reads: 'file tool',
  read: (skill, path, { folder }) => ({ tool: 'Read', input: { file_path: join(folder, skill, path) } }),
  documented: {
    'broken-no-description-left-out':
      '`description` is "Recommended"; if it is left out, text of the instructions is used (https://code.claude.com/docs/en/skills).',
  },
}

function toolName(name: string): string {
  return `mcp__host__${name}`
}
