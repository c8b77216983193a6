import type { ScenarioAgent, ScenarioTask } from '@repertoire/conformance'
import { estimateTokens } from '@repertoire/core'
import type { Model, ModelAnswer, ModelRequest } from '@repertoire/react-loop'
import { keyVariable, type ModelChoice, modelVariable } from './model-choice.ts'

type ReactLoop = typeof import('@repertoire/react-loop')

/** The maximum number of tokens of one answer, including thinking. */
export const MAX_ANSWER_TOKENS = 4096

/** A model's endpoint did not answer. The message contains no key. */
export class EndpointFailure extends Error {
  /** Whether other scenarios would fail in the same way. */
  readonly lasting: boolean
  constructor(message: string, lasting: boolean) {
    super(message)
    this.lasting = lasting
  }
}

/**
 * An agent over a real model: the loop, with the client of the model's vendor.
 * @throws {EndpointFailure} while it works, if the endpoint answers with an error
 */
export function liveAgent(choice: ModelChoice, { createReActLoop, ...clients }: ReactLoop): ScenarioAgent {
  const model = clientOf(choice, clients)
  return (task) =>
    task.repertoire.runTask(task.session, async (session) => {
      const { tools, instructions, maxSteps, signal } = task
      const loop = createReActLoop({ model: reporting(model, choice, task), session, tools, instructions, maxSteps })
      await loop.run(task.prompt, { signal })
      return { active: session.activeSkills }
    })
}

function clientOf(
  { vendor, name: model, apiKey, baseURL }: ModelChoice,
  { openAICompatible, anthropic, gemini }: Omit<ReactLoop, 'createReActLoop'>,
): Model {
  const at = baseURL === undefined ? {} : { baseURL }
  const most = MAX_ANSWER_TOKENS
  if (vendor === 'anthropic') return anthropic({ model, apiKey: apiKey ?? '', ...at, maxTokens: most })
  if (vendor === 'gemini') {
    return gemini({ model, apiKey: apiKey ?? '', ...at, body: { generationConfig: { maxOutputTokens: most } } })
  }
  return openAICompatible({
    model,
    baseURL: baseURL ?? 'https://api.openai.com/v1',
    apiKey,
    // OpenAI's newer models refuse the older name, and other servers do not know the newer one.
    body: baseURL === undefined ? { max_completion_tokens: most } : { max_tokens: most },
  })
}

/** The model, with its calls reported to the scenario. */
function reporting(model: Model, choice: ModelChoice, task: ScenarioTask): Model {
  const before = (request: ModelRequest): void => task.beforeCall(textsOf(request))
  const after = (request: ModelRequest, answer: ModelAnswer): void =>
    task.afterCall(answer.usage ?? estimate(request, answer))
  const failed = (error: unknown): unknown => (task.signal.aborted ? error : endpointFailure(error, choice))
  return {
    ...model,
    async complete(request, options) {
      before(request)
      const answer = await model.complete(request, options).catch((error: unknown) => {
        throw failed(error)
      })
      after(request, answer)
      return answer
    },
    async *stream(request, options) {
      before(request)
      try {
        for await (const part of model.stream(request, options)) {
          if (part.type === 'answer') after(request, part.answer)
          yield part
        }
      } catch (error) {
        throw failed(error)
      }
    },
  }
}

function textsOf({ system, messages, tools }: ModelRequest): readonly string[] {
  return [system ?? '', ...tools.map(({ description }) => description), ...messages.map(({ content }) => content)]
}

/** For servers that do not count. */
function estimate(request: ModelRequest, { text, calls }: ModelAnswer) {
  return {
    inputTokens: estimateTokens(JSON.stringify(request)),
    outputTokens: estimateTokens(text + JSON.stringify(calls)),
  }
}

function endpointFailure(error: unknown, { vendor, name, apiKey, baseURL }: ModelChoice): EndpointFailure {
  const status = statusOf(error)
  const said = error instanceof Error ? messageOf(error) : String(error)
  // Vendors put a part of the key into this answer.
  if (status === 401 || status === 403 || (status === 400 && /API_KEY_INVALID|API key not valid/.test(said))) {
    return new EndpointFailure(`The endpoint rejected the key (${status}). Check ${keyVariable(vendor)}.`, true)
  }
  const words = (apiKey === undefined ? said : said.replaceAll(apiKey, '[key]')).slice(0, 400)
  if (status === 404) {
    const where = baseURL === undefined ? '' : ` at ${baseURL}`
    const text = `There is no model "${name}"${where} (404). Name another with --model or ${modelVariable(vendor)}. ${words}`
    return new EndpointFailure(text, true)
  }
  return new EndpointFailure(
    `The endpoint did not answer${status === undefined ? '' : ` (${status})`}: ${words}`,
    status === undefined,
  )
}

function statusOf(error: unknown): number | undefined {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined
  return typeof status === 'number' ? status : undefined
}

/** The message with its cause: "Connection error." alone explains nothing. */
function messageOf({ message, cause }: Error): string {
  return cause instanceof Error && cause.message !== '' ? `${message} (${cause.message})` : message
}
