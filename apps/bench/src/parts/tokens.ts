import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ToolSet } from 'ai'
import { FRAMEWORKS } from '../frameworks.ts'
import { sentences } from '../generator.ts'
import { INSTRUCTIONS, languageModel, type Plan, type PlannedCall, type Request, TASK } from '../models.ts'
import type { Figures } from '../rows.ts'
import { createRandom } from '../random.ts'
import type { Jobs } from '../run.ts'

/**
 * Makes an agent as the documentation of a system says, and returns what its model is shown.
 * @param skills the agent's skills, or none
 * @param folder a folder that holds them
 */
type Show = (skills: ReturnType<typeof makeSkills>, folder: string) => Promise<Request>

/** Systems that a user would take in place of Repertoire. */
const PEERS: Readonly<Record<string, Show>> = {
  /** It reads the files of skills with a tool that comes with the skills. Scripts are not run. */
  async 'Cloudflare agents'(skills) {
    const { loadSkillCatalog, manifest } = await import('agents/skills')
    const { createSkillTools } = await import('agents/skills/tools/ai-sdk')
    const resources = [{ path: GUIDE, content: GUIDE_TEXT }]
    const listed = skills.map(({ name, description }) => ({ name, description, body: BODY, resources }))
    const catalog = await loadSkillCatalog([manifest({ id: 'bench', skills: listed })])
    const instructions = [INSTRUCTIONS, catalog.prompt()].filter((each) => each !== null).join('\n\n')
    return firstRequest({ instructions, tools: createSkillTools(catalog) })
  },
  /** It reads skills with the shell that its sandbox always has. */
  async 'OpenAI Agents'(skills) {
    const { Manifest, skills: capabilityOf } = await import('@openai/agents-core/sandbox')
    if (skills.length === 0) return { prompt: null, tools: [] }
    const listed = skills.map(({ name, description, text: content }) => ({ name, description, content }))
    const capability = capabilityOf({ skills: listed })
    return { prompt: await capability.instructions(new Manifest()), tools: capability.tools() }
  },
  /** It reads skills with the shell that it also has without skills. */
  async 'bash-tool'(skills, folder) {
    const { createBashTool, experimental_createSkillTool } = await import('bash-tool')
    if (skills.length === 0) return firstRequest({ tools: (await createBashTool()).tools })
    const { skill, files, instructions } = await experimental_createSkillTool({ skillsDirectory: folder })
    const { tools } = await createBashTool({ files, extraInstructions: instructions })
    return firstRequest({ tools: { skill, ...tools } })
  },
}

export const jobs: Jobs = {
  repertoire: (folder) => countAdded(folder, showOurs('searchOrders')),
  ...Object.fromEntries(
    Object.entries(PEERS).map(([name, show]) => [
      name,
      async (folder: string) => ({ ...(await countAdded(folder, show)), peer: 1 }),
    ]),
  ),
  /** What the activation of a skill adds to texts, calls and tools, as the host profile counts it, and its body. */
  async activation(folder) {
    const skills = makeSkills(10)
    const call = { id: 'call-1', tool: 'activate_skill', input: { name: skills[0]!.name } }
    const [before, after] = await requestsOfOurs('searchOrders', writeInto(folder, skills), call)
    const { estimateTokens } = await import('@repertoire/core')
    const shown = ({ prompt, tools }: Request): number =>
      estimateTokens([...textsOf(prompt), JSON.stringify(tools)].join('\n'))
    return { all: shown(after!) - shown(before!), body: estimateTokens(BODY) }
  },
}

/** Counts what ten skills add to a request, and what each further one adds. */
async function countAdded(folder: string, show: Show): Promise<Figures> {
  const [none = 0, ten = 0, forty = 0] = await Promise.all(
    [0, 10, 40].map(async (count) => {
      const skills = makeSkills(count)
      const { prompt, tools } = await show(skills, writeInto(folder, skills))
      return tokensOf(prompt, tools)
    }),
  )
  return { ten: ten - none, further: (forty - ten) / 30 }
}

function showOurs(hostTool: string): Show {
  return async (_, folder) => (await requestsOfOurs(hostTool, folder))[0]!
}

/** Returns the requests of our AI SDK adapter, whose model makes a call or answers at once. */
async function requestsOfOurs(name: string, folder: string, call?: PlannedCall): Promise<readonly Request[]> {
  const { openSkills } = await import('@repertoire/core/node')
  const requests: Request[] = []
  const run = await FRAMEWORKS['ai-sdk']!(name, async () => 'Done.', await openSkills(folder))
  await run((request) => (requests.push(request) === 1 ? call : undefined), 2)
  return requests
}

/** Returns what the AI SDK passes to a model in the first step of an agent. */
async function firstRequest(settings: { readonly instructions?: string; readonly tools: ToolSet }): Promise<Request> {
  const { generateText } = await import('ai')
  let shown: Request | undefined
  const plan: Plan = (request) => void (shown ??= request)
  await generateText({ instructions: INSTRUCTIONS, ...settings, model: languageModel(plan), prompt: TASK })
  return shown!
}

/** Returns the texts of a prompt, and the calls in it: how a request frames them is each provider's own. */
function textsOf(prompt: unknown): readonly string[] {
  const messages = prompt as readonly { readonly content: string | readonly Part[] }[]
  return messages.flatMap(({ content }) =>
    typeof content === 'string'
      ? content
      : content.map(
          ({ text, output, toolName, input }) => text ?? output?.value ?? `${toolName}${JSON.stringify(input)}`,
        ),
  )
}

interface Part {
  readonly text?: string
  readonly output?: { readonly value: string }
  readonly toolName?: string
  readonly input?: unknown
}

/** Counts by core's estimate of the JSON. */
async function tokensOf(...values: readonly unknown[]): Promise<number> {
  const { estimateTokens } = await import('@repertoire/core')
  return values.reduce((sum: number, value) => sum + estimateTokens(JSON.stringify(value)), 0)
}

const GUIDE = 'references/guide.md'
const GUIDE_TEXT = 'All other cases are alike.\n'
const BODY = `# Instructions

1. Look at what the user has given you, and at what is missing.
2. Read ${GUIDE} for the cases that are not covered here.
3. Say what you have checked.
`

/** Makes skills with a file beside their SKILL.md. Descriptions are as long as published ones, and quote words. */
function makeSkills(count: number) {
  return Array.from({ length: count }, (_, index) => {
    const name = `quarterly-report-${index}`
    const what = sentences(createRandom(index), 120)
    const description = `${what} Use when the user asks for "reports" or "figures", or when a file ends in .csv.`
    const text = `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n${BODY}`
    return { name, description, text }
  })
}

function writeInto(folder: string, skills: ReturnType<typeof makeSkills>): string {
  const root = mkdtempSync(join(folder, 'skills-'))
  for (const { name, text } of skills) {
    mkdirSync(join(root, name, dirname(GUIDE)), { recursive: true })
    writeFileSync(join(root, name, 'SKILL.md'), text)
    writeFileSync(join(root, name, GUIDE), GUIDE_TEXT)
  }
  return root
}
