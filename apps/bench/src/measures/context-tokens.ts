import { withSkills } from '@repertoire/ai-sdk'
import { estimateTokens, memorySource, openRepertoire } from '@repertoire/core'
import { generateText, isStepCount, jsonSchema, tool } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { answerOf } from '../adapters/ai-sdk.ts'
import { INSTRUCTIONS, TASK } from '../adapters/agent.ts'
import type { Pair } from '../statistics.ts'

/**
 * What is counted: ten skills before an activation, a further skill, the activation of one in the conversation, or the
 * tools that are offered once it is active.
 */
export type ContextFigure = 'ten' | 'further' | 'activation' | 'tools'

/** Descriptions as published skills have them: what the skill does, and when to use it. */
const DESCRIPTIONS: readonly (readonly [name: string, description: string])[] = [
  [
    'pdf-forms',
    'Extracts text and tables from PDF files, fills forms, and merges or splits documents. Use when the user mentions PDFs, forms, or "document extraction", or when a file ends in .pdf.',
  ],
  [
    'release-notes',
    'Writes release notes from the git history of a project, grouped by what users notice. Use when a version is about to be tagged, or when the user asks what has changed since the last release.',
  ],
  [
    'code-review',
    "Reviews a change for correctness, security and readability, and reports findings by severity. Use before a pull request is opened, or when the user asks for a second pair of eyes on someone's code.",
  ],
  [
    'sql-queries',
    'Writes and explains SQL queries for PostgreSQL, MySQL and SQLite, and finds out why a query is slow. Use for questions about data in a database, about indexes, or about the plan of a query.',
  ],
  [
    'brand-guidelines',
    'Applies the official colors, fonts and logos of the company to documents, slides and web pages. Use when anything is made that customers see, or when the user asks for the "house style".',
  ],
  [
    'spreadsheet-models',
    'Creates and edits spreadsheets with formulas, formatting and charts, and checks that totals add up. Use when a file ends in .xlsx or .csv, or when the user wants a budget, a forecast or a table.',
  ],
  [
    'incident-report',
    'Writes the report of an outage: a timeline, its causes, who was affected, and what is done about it. Use after an incident is over, or when the user asks for a post-mortem or a root cause analysis.',
  ],
  [
    'api-design',
    'Designs REST and GraphQL interfaces with consistent names, errors, paging and versions. Use when an endpoint is added or changed, or when the user asks how a resource ought to be modelled.',
  ],
  [
    'meeting-minutes',
    'Turns transcripts and notes into minutes with decisions, open questions and tasks for each person. Use when the user pastes a transcript, or asks what was decided in a meeting or a call.',
  ],
  [
    'accessibility-audit',
    'Checks web pages against WCAG 2.2 at level AA and suggests how to mend what fails. Use when a page or a component is built or reviewed, or when the user mentions screen readers or contrast.',
  ],
]

const BODY = `# Instructions

1. Look at what the user has given you, and at what is missing.
2. Read references/guide.md for the cases that are not covered here.
3. Say what you have checked.
`

const HOST_TOOLS = Object.fromEntries(
  ['searchOrders', 'sendMail'].map((name) => [
    name,
    tool({
      description: 'Does what its name says.',
      inputSchema: jsonSchema({ type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }),
      execute: () => 'Done.',
    }),
  ]),
)

/**
 * Counts the tokens that skills add to the requests of an agent with two tools in the AI SDK, by core's estimate of their
 * JSON. Compared with what cannot be saved: names and descriptions, or the body of the activated skill.
 */
export async function countContext(figure: ContextFigure): Promise<Pair> {
  if (figure === 'activation' || figure === 'tools') {
    const [before, after] = await requestTokens(10)
    if (before === undefined || after === undefined) throw new Error('The skill was not activated.')
    if (figure === 'tools') return { own: after.tools - before.tools }
    return { own: after.prompt - before.prompt, base: tokensOf(BODY) }
  }
  const ten = await addedBy(10)
  if (figure === 'ten') return ten
  const forty = await addedBy(40)
  return { own: (forty.own - ten.own) / 30, base: (forty.base - ten.base) / 30 }
}

async function addedBy(count: number): Promise<Required<Pair>> {
  const [first] = await requestTokens(count)
  const [without] = await requestTokens(0)
  const texts = skillsOf(count).map(([name, description]) => tokensOf(`${name} ${description}`))
  return { own: sumOf(first) - sumOf(without), base: texts.reduce((sum, tokens) => sum + tokens, 0) }
}

interface RequestTokens {
  readonly prompt: number
  readonly tools: number
}

function sumOf(request: RequestTokens | undefined): number {
  return request === undefined ? Number.NaN : request.prompt + request.tools
}

/** Returns the tokens of each request of a run that activates the first skill. */
async function requestTokens(count: number): Promise<readonly RequestTokens[]> {
  const skills = Object.fromEntries(
    skillsOf(count).map(([name, description]) => [
      name,
      {
        'SKILL.md': `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n${BODY}`,
        'references/guide.md': 'All other cases are alike.\n',
      },
    ]),
  )
  const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills })] })
  const requests: RequestTokens[] = []
  const model = new MockLanguageModelV4({
    async doGenerate({ prompt, tools }) {
      requests.push({ prompt: tokensOf(prompt), tools: tokensOf(tools) })
      const [first] = Object.keys(skills)
      const isFirst = requests.length === 1 && first !== undefined
      return answerOf(isFirst ? { id: 'call-1', tool: 'activate_skill', input: { name: first } } : undefined)
    },
  })
  await repertoire.runTask({ consent: () => true }, (session) =>
    generateText({
      model,
      prompt: TASK,
      stopWhen: isStepCount(2),
      ...withSkills(session, { instructions: INSTRUCTIONS, tools: HOST_TOOLS }),
    }),
  )
  return requests
}

/** Returns the names and descriptions of some skills: the published ones, and then the same under other names. */
function skillsOf(count: number): readonly (readonly [name: string, description: string])[] {
  return Array.from({ length: count }, (_, index) => {
    const [name, description] = DESCRIPTIONS[index % DESCRIPTIONS.length]!
    const version = Math.floor(index / DESCRIPTIONS.length)
    return [version === 0 ? name : `${name}-${version}`, description]
  })
}

function tokensOf(value: unknown): number {
  return estimateTokens(JSON.stringify(value))
}
