import { estimateTokens } from '@repertoire/core'
import { checkOptions, foreign, required, withMethods } from '@repertoire/core/options'
import { type AdapterDriver, isPresent, type Variant } from '../driver.ts'
import type { ModelEndpoint } from '../endpoint/endpoint.ts'
import type { ScriptStep } from '../endpoint/script.ts'
import type { WireRequest } from '../endpoint/wire.ts'
import type { ScenarioAgent, ScenarioTask } from './scenario.ts'

/** The adapter that uses the model, and the model's endpoint. */
export interface ScriptedOptions {
  readonly driver: AdapterDriver
  readonly variant: Variant
  readonly endpoint: ModelEndpoint
}

/**
 * An agent over an adapter, whose model plays the scenario's weak script on loopback. Tokens are estimated from the
 * texts that were sent, so that equal texts have equal tokens in every protocol.
 */
export function scriptedAgent(options: ScriptedOptions): ScenarioAgent {
  checkOptions<ScriptedOptions>(
    'scriptedAgent',
    {
      driver: required(withMethods('a driver', 'start')),
      variant: required(foreign('a variant of the driver')),
      endpoint: required(withMethods('an endpoint, as from `await openModelEndpoint()`', 'play')),
    },
    options,
  )
  const { driver, variant, endpoint } = options
  return async (task) => {
    const script = task.scenario.weak.map((step) => reporting(step, task))
    const play = endpoint.play(script, { protocol: variant.protocol, dialect: variant.dialect })
    try {
      const conversation = await driver.start({
        variant: variant.name,
        endpoint: { baseURL: play.baseURL, apiKey: play.apiKey, model: play.model },
        repertoire: task.repertoire,
        session: task.session,
        instructions: task.instructions,
        tools: task.tools,
        maxSteps: task.maxSteps,
      })
      try {
        const turn = await conversation.send(
          task.prompt,
          isPresent(driver.capabilities.abort) ? { signal: task.signal } : {},
        )
        if (turn.status !== 'done') throw new Error('The agent asks for consent, although the session grants it.')
        return { active: await conversation.active(), intendedPaths: task.scenario.wrongPaths ?? [] }
      } catch (error) {
        // The endpoint's own failures explain more than the error that an adapter makes of its answer.
        throw play.failures.length > 0 ? new Error(play.failures.join(' '), { cause: error }) : error
      } finally {
        await conversation.end()
      }
    } finally {
      play.close()
    }
  }
}

/** Wraps a step, so that it is reported to the scenario as a model call. */
function reporting(step: ScriptStep, task: ScenarioTask): ScriptStep {
  return (request, left) => {
    const { system, tools, messages } = request
    task.beforeCall(textsOf(request))
    const next = typeof step === 'function' ? step(request, left) : step
    const sent = JSON.stringify({ system, tools, messages })
    task.afterCall({ inputTokens: estimateTokens(sent), outputTokens: estimateTokens(JSON.stringify(next)) })
    return next
  }
}

function textsOf({ system, tools, messages }: WireRequest): readonly string[] {
  return [system, ...tools.map(({ description }) => description), ...messages.map(({ text }) => text)]
}
