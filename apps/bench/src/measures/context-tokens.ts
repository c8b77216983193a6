import { withSkills } from '@repertoire/ai-sdk'
import { memorySource, openRepertoire } from '@repertoire/core'
import { generateText, isStepCount, jsonSchema, tool } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { answerOf } from '../adapters/ai-sdk.ts'
import { INSTRUCTIONS, TASK } from '../adapters/agent.ts'
import type { Pair } from '../statistics.ts'
import { publishedSkills } from './published-skills.ts'
import { tokensOf } from './added-tokens.ts'

/**
 * What is counted: ten skills before an activation, a further skill, the activation of one in the conversation, or the
 * tools that are offered once it is active.
 */
export type ContextFigure = 'ten' | 'further' | 'activation' | 'tools'

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
    return { own: after.prompt - before.prompt, base: tokensOf(publishedSkills(1)[0]?.body) }
  }
  const ten = await addedBy(10)
  if (figure === 'ten') return ten
  const forty = await addedBy(40)
  return { own: (forty.own - ten.own) / 30, base: (forty.base - ten.base) / 30 }
}

async function addedBy(count: number): Promise<Required<Pair>> {
  const [first] = await requestTokens(count)
  const [without] = await requestTokens(0)
  const texts = publishedSkills(count).map(({ name, description }) => tokensOf(`${name} ${description}`))
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
  const published = publishedSkills(count)
  const skills = Object.fromEntries(published.map(({ name, files }) => [name, files]))
  const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills })] })
  const requests: RequestTokens[] = []
  const model = new MockLanguageModelV4({
    async doGenerate({ prompt, tools }) {
      requests.push({ prompt: tokensOf(prompt), tools: tokensOf(tools) })
      const [first] = published
      const isFirst = requests.length === 1 && first !== undefined
      return answerOf(isFirst ? { id: 'call-1', tool: 'activate_skill', input: { name: first.name } } : undefined)
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
