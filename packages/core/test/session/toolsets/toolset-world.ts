import { type AdapterSessionOptions, openAdapterSession, type AdapterSession } from '../../../src/adapter.ts'
import {
  DEFAULT_TOOL_NAMES,
  type FunctionTool,
  type Layer,
  type RepertoireOptions,
  type SessionProblem,
  type ToolsetRequest,
  memorySource,
  openRepertoire,
} from '../../../src/index.ts'

export const HOST = ['Bash', 'Read']

/** A tool that says what it was given. */
export const tool = (name: string, execute: FunctionTool['execute'] = () => `${name} ran`): FunctionTool => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: {} },
  execute,
})

export const bringing = (name: string, fields = '', toolsets = 'toolsets/index:tools'): Record<string, string> => ({
  'SKILL.md': `---\nname: ${name}\ndescription: The skill ${name}.\ntoolsets: ["${toolsets}"]\n${fields}---\nUse them.\n`,
  'toolsets/index.mjs': 'export const tools = []\n',
})

interface World {
  readonly exported: unknown
  readonly skills?: Record<string, Record<string, string>>
  readonly layer?: Layer
  readonly layers?: readonly Layer[]
  readonly callTimeout?: number
  readonly session?: AdapterSessionOptions
  readonly repertoire?: Partial<RepertoireOptions>
}

/** Opens a session whose skills bring what a loader of the test's own returns, or throws. */
export async function openBringing({
  exported,
  skills = { kit: bringing('kit') },
  layer = 'personal',
  ...world
}: World) {
  const requests: ToolsetRequest[] = []
  const problems: SessionProblem[] = []
  const loader = {
    async load(request: ToolsetRequest) {
      requests.push(request)
      if (exported instanceof Error) throw exported
      return exported
    },
  }
  const limits = world.callTimeout !== undefined && { callTimeout: world.callTimeout }
  const repertoire = await openRepertoire({
    sources: [memorySource({ layer, skills })],
    toolsets: { loader, layers: world.layers ?? ['personal'], ...limits },
    ...world.repertoire,
    catalog: { loadTimeout: 3_000, ...world.repertoire?.catalog },
  })
  const options: AdapterSessionOptions = {
    consent: () => true,
    hostTools: HOST,
    onProblem: (problem) => problems.push(problem),
    ...world.session,
  }
  return { repertoire, session: openAdapterSession(repertoire, options), options, requests, problems }
}

const SKILL_TOOLS: readonly string[] = Object.values(DEFAULT_TOOL_NAMES)

/** The names of the tools of a step beside the skill tools. */
export const shown = async (session: AdapterSession, hostTools = HOST): Promise<readonly string[]> =>
  (await session.step({ tools: hostTools })).tools.map(({ name }) => name).filter((name) => !SKILL_TOOLS.includes(name))

let counter = 0

export const call = (session: AdapterSession, name: string, input: unknown = {}, signal?: AbortSignal) =>
  session.call({ id: `t${counter++}`, tool: name, input }, () => 'the host ran it', { signal })

export const activate = (session: AdapterSession, name: string) => call(session, 'activate_skill', { name })
