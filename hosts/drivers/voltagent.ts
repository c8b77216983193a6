import { posix } from 'node:path'
import type { HostDriver } from '@repertoire/conformance/host'
import { Agent, createTool, NodeFilesystemBackend, Workspace } from '@voltagent/core'
import { z } from 'zod'
import { aiSdkModel } from '../ai-sdk.ts'
import { versionOf } from '../version.ts'

const FRONTMATTER = '"`SKILL.md` uses YAML frontmatter plus Markdown instructions" (the linked page).'
const TAGS = '"The injected prompt is wrapped in `<workspace_skills>` tags" (the linked page).'

/** Skills of a VoltAgent workspace. The model reads their files with the general tool `read_file`. */
export const voltagent: HostDriver = {
  name: 'VoltAgent',
  version: versionOf('@voltagent/core'),
  documentation: 'https://voltagent.dev/docs/workspaces/skills/',
  async start({ endpoint, workspace, tools, instructions }) {
    const agent = new Agent({
      name: 'host',
      model: aiSdkModel(endpoint),
      instructions,
      workspace: new Workspace({
        filesystem: { backend: new NodeFilesystemBackend({ rootDir: workspace, virtualMode: true, contained: true }) },
        skills: { rootPaths: ['/skills'] },
      }),
      tools: tools.map(({ name, description, inputSchema, ...own }) =>
        createTool({
          name,
          description,
          parameters: z.fromJSONSchema(inputSchema as never),
          execute: async (input, options) => own.execute(input, { callId: options?.toolContext?.callId ?? '' }),
        }),
      ),
    })
    const conversation = { userId: 'user', conversationId: 'conversation', maxSteps: 40, maxRetries: 0 }
    return { send: (text) => agent.generateText(text, conversation) }
  },
  activate: (skill) => ({ tool: 'workspace_read_skill', input: { skill_id: skill } }),
  reads: 'file tool',
  read: (skill, path) => ({ tool: 'read_file', input: { file_path: posix.join('/skills', skill, path) } }),
  documented: {
    'listing-unquoted-colon': FRONTMATTER,
    'listing-nothing-to-list': '"defaults add filesystem + sandbox + search + skills" (docs/workspaces/overview.md).',
    'listing-markup-escaped': TAGS,
    'listing-name-escaped': TAGS,
    'broken-no-code-runs': FRONTMATTER,
    'broken-no-description-left-out': '"It includes skill metadata (name, id, description)" (the linked page).',
    'resources-large': '"Prefer targeted reads for large files", says the tool.',
  },
}
