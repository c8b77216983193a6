import type { ForkRunner, Session, StepView } from '@repertoire/core'
import type { Instructions, LanguageModel, ModelMessage, PrepareStepFunction, ToolSet } from 'ai'
import { withAbandoned } from './abandoned.ts'
import { recordAnswers, type Recorded } from './answers.ts'
import { settingsOf } from './call-settings.ts'
import type { Above } from './fork.ts'
import type { SkillTools } from './tools.ts'
import { withTurn } from './turn.ts'
import { shownTo } from './wire.ts'

type StepOptions = Parameters<PrepareStepFunction<any, any>>[0]

/** What the preparation of a step is made of. */
interface StepParts {
  readonly session: Session
  readonly skillTools: SkillTools
  readonly hostTools: ToolSet
  /** The host's own preparation. */
  readonly prepareStep: PrepareStepFunction<any, any> | undefined
  readonly recorded: Recorded
  readonly fork: ForkRunner
  /** The run's, where it is known. */
  readonly abortSignal: AbortSignal | undefined
  /** Is told what sub-agents take from a step, before anything in it runs. What is left out stays as it was. */
  readonly uses: (step: Above) => void
  begin(hostTools: readonly string[], model: LanguageModel): StepView
}

/** Begins a step of the session, and shows the model of this step what it is to be shown. */
export function stepOf(
  parts: StepParts,
): (options: StepOptions) => Promise<Awaited<ReturnType<PrepareStepFunction<any, any>>>> {
  const { session, skillTools, hostTools, recorded, fork, uses } = parts
  const turn = { fork, signal: parts.abortSignal }
  // What the host's own preparation returned holds for the rest of its run, as it does in AI SDK. `steps` is the run's.
  const chosenBefore = new WeakMap<object, Instructions>()

  // The turn first: a message is known by its place.
  const begun = async (messages: ModelMessage[]): Promise<ModelMessage[]> =>
    withAbandoned(await withTurn(session, messages, turn))

  return async (options) => {
    // Nothing runs for a no, so this is where AI SDK first lets us see one.
    if (options.stepNumber === 0) await recordAnswers(session, options.initialMessages, recorded)
    uses({ model: options.model, contexts: contextsOf(options) })
    const messages = options.stepNumber === 0 ? await begun(options.messages) : options.messages
    // Never from `instructions`, where those of the step before stand with the list of skills in them.
    const before = chosenBefore.get(options.steps) ?? options.initialInstructions
    const chosen = await parts.prepareStep?.({ ...options, messages, instructions: before })
    const own = chosen?.instructions ?? chosen?.system ?? before
    if (own !== undefined) chosenBefore.set(options.steps, own)
    const activeTools: readonly string[] | undefined = chosen?.activeTools
    const model = chosen?.model ?? options.model
    const used = { model, contexts: contextsOf({ ...options, ...chosen }) }
    uses(used)
    const view = parts.begin(
      Object.keys(hostTools).filter((name) => activeTools?.includes(name) ?? true),
      model,
    )
    const unjudged = await beyondJudging(session, hostTools)
    const shown = new Set(view.tools.map(({ name }) => name))
    const hides = (tool: string): boolean =>
      skillTools.names.has(tool) ? !shown.has(tool) : view.hides(tool) || unjudged.has(tool)
    return {
      // What is given here stands in all later steps of the run.
      ...(messages !== options.messages && { messages }),
      ...chosen,
      model: shownTo(model, {
        session,
        skillTools,
        hides,
        calls: (call) => uses({ ...used, called: { model, settings: settingsOf(call) } }),
      }),
      instructions: extended(own, view),
      // The host speaks of its own tools; a skill can always be left.
      ...(activeTools !== undefined && { activeTools: [...activeTools, ...skillTools.names] }),
    }
  }
}

const CONTEXTS = ['toolsContext', 'runtimeContext', 'experimental_sandbox'] as const

function contextsOf(options: { readonly [name in (typeof CONTEXTS)[number]]?: unknown }): object {
  return Object.fromEntries(CONTEXTS.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])))
}

/** The host's own instructions with those of core after them, in the form that the host uses. */
function extended(own: Instructions | undefined, view: StepView): Instructions {
  if (own === undefined || typeof own === 'string') return view.system(own) ?? []
  const messages = Array.isArray(own) ? own : [own]
  const last = messages.at(-1)
  if (last === undefined) return view.system(undefined) ?? []
  return [...messages.slice(0, -1), { ...last, content: view.system(last.content) ?? '' }]
}

/**
 * Tools that the provider runs, before any call of them is seen here: where not every call is allowed, the model is not
 * offered them. A call without an input tells, since a rule that is narrower than the tool does not allow it.
 */
async function beyondJudging(session: Session, hostTools: ToolSet): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (const [name, tool] of Object.entries(hostTools)) {
    if (tool.type !== 'provider' || !tool.isProviderExecuted) continue
    if ((await session.refusalOf({ id: '', tool: name, input: {} })) !== undefined) found.add(name)
  }
  return found
}
