import { figuresOf, runScenario, type ScenarioAgent, type ScenarioResult, scenarios } from '@repertoire/conformance'
import type { FunctionTool, Session } from '@repertoire/core'

/** Your agent: it works on a prompt until it is done. */
type RunMyAgent = (run: {
  readonly session: Session
  readonly prompt: string
  readonly tools: readonly FunctionTool[]
  readonly signal: AbortSignal
}) => Promise<void>

export async function measure(runMyAgent: RunMyAgent) {
  const agent: ScenarioAgent = ({ repertoire, session: options, prompt, tools, signal }) =>
    repertoire.runTask(options, async (session) => {
      // Call `beforeCall` and `afterCall` of the task around each call of the model: they bound and count them.
      await runMyAgent({ session, prompt, tools, signal })
      return { active: session.activeSkills }
    })

  const results: ScenarioResult[] = []
  for (const scenario of scenarios) results.push(await runScenario(scenario, agent))
  return figuresOf({ model: 'my-model', results })
}
