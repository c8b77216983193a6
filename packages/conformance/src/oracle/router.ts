import { countTokens } from '../endpoint/tokens.ts'
import type { AnswerEnd } from '../endpoint/dialect.ts'
import type { Play } from '../endpoint/play.ts'
import type { CallStep, ScriptStep } from '../endpoint/script.ts'
import type { WireRequest } from '../endpoint/wire.ts'
import type { WrittenSkill } from './written-skills.ts'
import type { Conversation, Exchange, Part, PlayedStep } from './scenario.ts'

/** What decides which conversation a request belongs to, and plays that conversation's next step. */
export interface Router {
  /** The steps of the endpoint for requests to a model. */
  stepsFor(model: string, isBeside: boolean): readonly ScriptStep[]
  /** Says which play the requests of a model go to from now on: a fresh process has its own. */
  follow(model: string, isBeside: boolean, play: Play): void
  /** The number of the agent's own requests so far. */
  requests(): number
  conversations(): readonly Conversation[]
  /** The texts of the errors that the endpoint was told to answer with. */
  readonly errors: readonly string[]
  /** Whether the last answer was broken off. */
  isBroken(): boolean
  /** Resolves when the client has left every answer that a person has stopped. */
  stopped(): Promise<void>
}

/** An exchange whose answer is read from its play in the end. */
interface Pending extends Exchange {
  readonly play: Play
  isAnswered: boolean
}

const BROKEN: readonly AnswerEnd[] = ['early', 'cut', 'unsent']
const AGENT = 'the agent'
const BESIDE = 'the conversation beside it'
/** So many requests a play answers, of whatever conversation. */
const MAX_REQUESTS = 200

/** The task at hand: its number, from 1, and what the models do in it. */
export interface CurrentTask extends Pick<Part, 'script' | 'forks'> {
  readonly number: number
  readonly models?: Readonly<Record<string, readonly PlayedStep[]>>
}

/**
 * Sub-agents may work side by side, so each conversation has its own script, and its calls have their own ids:
 * `call_2_1` of the agent, `survey_2_1` of a sub-agent.
 * @param person what steps let a person do
 */
export function createRouter(
  task: () => CurrentTask,
  person: {
    stop(): void
    /** Whether a conversation that begins so is that of a person, and not of a sub-agent. */
    beginsSo(text: string): boolean
    handoffTool(agent: string): string
    reload(skills: Readonly<Record<string, WrittenSkill>>, isTold: boolean): Promise<void>
  },
): Router {
  const talks = new Map<string, Pending[]>()
  const plays = new Map<string, Play>()
  const errors: string[] = []
  const held: Promise<void>[] = []
  let agentRequests = 0
  let isBroken = false

  /** The name of a conversation, its script, and how the ids of its calls begin. */
  function talkOf(
    request: WireRequest,
    model: string,
    isBeside: boolean,
  ): readonly [name: string, steps: readonly PlayedStep[], prefix: string] {
    const { number, script, forks = {}, models = {} } = task()
    const [by, within, at] = [
      model === '' ? '' : `, by the model ${model}`,
      number === 1 ? '' : `, in task ${number}`,
      number === 1 ? '' : `${number}_`,
    ]
    if (isBeside) return [BESIDE, forks['beside'] ?? [], 'beside_']
    if (request.tools.length === 0 && request.system.includes('<earlier_summary>'))
      return [`the summary${by}${within}`, forks['summary'] ?? [], `summary_${at}`]
    const asked = request.messages[0]?.text ?? ''
    if (asked.includes('<skill_content') && !person.beginsSo(asked)) {
      const key = Object.keys(forks).find((each) => asked.includes(each))
      if (key === undefined) return [`a conversation that no script begins as: ${asked.slice(0, 80)}…`, [], 'unknown_']
      return [`the sub-agent "${key}"${by}${within}`, forks[key]!, `${key.replaceAll(/\W/g, '_')}_${at}`]
    }
    if (model !== '') return [`${AGENT}${by}${within}`, models[model] ?? [], `${model}_${at}`]
    agentRequests += 1
    return [`${AGENT}${within}`, script, `call_${at}`]
  }

  const play =
    (model: string, isBeside: boolean) =>
    (request: WireRequest, left: AbortSignal): ScriptStep => {
      const [name, steps, prefix] = talkOf(request, model, isBeside)
      const exchanges = talks.get(name) ?? []
      talks.set(name, exchanges)
      const exchange: Pending = { model, request, play: plays.get(isBeside ? BESIDE : model)!, isAnswered: false }
      exchanges.push(exchange)
      let step: PlayedStep = steps[exchanges.length - 1] ?? {
        status: 400,
        message: `The script of ${name} has no step for request ${exchanges.length}.`,
      }
      while (typeof step === 'function') step = step(request, left)
      if ('stop' in step) {
        const gone = new Promise<void>((resolve) => left.addEventListener('abort', () => resolve(), { once: true }))
        held.push(gone)
        person.stop()
        return { hold: gone, next: { text: 'Too late.' } }
      }
      if ('reload' in step) {
        const { reload, next, untold } = step
        exchange.isAnswered = true
        const named =
          typeof next !== 'function' && 'calls' in next ? withIds(next, `${prefix}${exchanges.length}`) : next
        return { hold: person.reload(reload, untold !== true).then(() => undefined), next: named }
      }
      if ('status' in step) errors.push(step.message)
      isBroken = 'end' in step && BROKEN.includes(step.end ?? 'length')
      exchange.isAnswered = 'text' in step || 'calls' in step
      return 'calls' in step ? withIds(step, `${prefix}${exchanges.length}`) : step
    }

  return {
    stepsFor: (model, isBeside) => Array.from({ length: MAX_REQUESTS }, () => play(model, isBeside)),
    follow: (model, isBeside, at) => void plays.set(isBeside ? BESIDE : model, at),
    requests: () => agentRequests,
    conversations() {
      const named = [...talks].map(([name, exchanges]) => ({ name, exchanges: exchanges.map(withAnswer) }))
      return named.toSorted((one, other) => rank(one.name) - rank(other.name) || (one.name < other.name ? -1 : 1))
    },
    errors,
    isBroken: () => isBroken,
    stopped: async () => void (await Promise.all(held)),
  }

  /** Gives calls their ids, and those that hand over the name of the framework's own tool. */
  function withIds({ calls, ...step }: CallStep, prefix: string): CallStep {
    const named = calls.map(({ tool, ...call }, index) => {
      const [, agent] = /^hand over to (.*)/.exec(tool) ?? []
      return { id: `${prefix}_${index + 1}`, ...call, tool: agent === undefined ? tool : person.handoffTool(agent) }
    })
    return { ...step, calls: named }
  }

  /** The answers of a play are in the order of the requests that it has answered. */
  function withAnswer({ model, request, play: own, isAnswered }: Pending): Exchange {
    const before = [...talks.values()].flat().filter((each) => each.play === own && each.isAnswered)
    const order = before.map((each) => own.requests.indexOf(each.request)).toSorted((one, other) => one - other)
    const answer = isAnswered ? own.answers[order.indexOf(own.requests.indexOf(request))] : undefined
    if (answer === undefined) return { model, request }
    const { prompt, answer: written } = countTokens(request.raw, answer)
    return { model, request, answer, tokens: { inputTokens: prompt, outputTokens: written } }
  }
}

/** The agent's own conversation comes first. */
function rank(name: string): number {
  return name.startsWith(AGENT) && !name.includes(', by') ? 0 : 1
}
