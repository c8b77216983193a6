import { posix } from 'node:path'
import { MemorySession, OpenAIResponsesModel, Runner, tool } from '@openai/agents'
import { Capabilities, Manifest, SandboxAgent, skills } from '@openai/agents/sandbox'
import { localDirLazySkillSource, UnixLocalSandboxClient } from '@openai/agents/sandbox/local'
import type { HostDriver } from '@repertoire/conformance/host'
import OpenAI from 'openai'
import { versionOf } from '../version.ts'

/** A sandbox agent of OpenAI Agents with `skills()`. The model loads a skill, and reads it with a shell. */
export const openaiAgents: HostDriver = {
  name: 'OpenAI Agents',
  version: versionOf('@openai/agents'),
  documentation: 'https://openai.github.io/openai-agents-js/guides/sandbox-agents/concepts/',
  protocol: 'openai-responses',
  async start({ endpoint: { baseURL, apiKey, model }, folder, workspace, home, tools, instructions }) {
    const agent = new SandboxAgent({
      name: 'host',
      model: new OpenAIResponsesModel(new OpenAI({ baseURL, apiKey, maxRetries: 0 }), model),
      instructions,
      defaultManifest: new Manifest({ extraPathGrants: [{ path: folder, readOnly: true }] }),
      capabilities: [
        ...Capabilities.default(),
        skills({ lazyFrom: localDirLazySkillSource({ src: folder, baseDir: workspace }) }),
      ],
      tools: tools.map(({ name, description, inputSchema, ...own }) =>
        tool({
          name,
          description,
          parameters: inputSchema as never,
          strict: false,
          execute: (input, _, details) => own.execute(input, { callId: details?.toolCall?.callId ?? '' }),
        }),
      ),
    })
    const sandbox = { client: new UnixLocalSandboxClient({ workspaceBaseDir: home }) }
    const runner = new Runner({ tracingDisabled: true, sandbox })
    const session = new MemorySession()
    return { send: (text) => runner.run(agent, text, { session, maxTurns: 40 }) }
  },
  activates: 'shell',
  activate: (skill) => [[{ tool: 'load_skill', input: { skill_name: skill } }], [printing(skill, 'SKILL.md')]],
  reads: 'shell',
  read: printing,
  documented: {
    'listing-double-quoted':
      '"This is not a YAML loader: … quoted escapes are not interpreted" (`parseSkillFrontmatter`).',
    'listing-single-quoted': '"Single-line quotes … retain their existing behavior" (`parseSkillFrontmatter`).',
  },
}

function printing(skill: string, path: string) {
  return { tool: 'exec_command', input: { cmd: `cat '${posix.join('.agents', skill, path)}'` } }
}
