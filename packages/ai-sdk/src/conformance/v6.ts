import type { AdapterDriver } from '@repertoire/conformance'
import { type ModelMessage, streamText, ToolLoopAgent, type ToolSet, generateText } from 'ai'
import { converse } from './converse.ts'
import { type Kit, placeOf } from './place.ts'
import { VARIANTS, type WayName } from './variants.ts'
import { answerOf, type RunOptions, textOf, type Way } from './ways.ts'
import { aiSdkDriver } from '../conformance.ts'
import { skillsAgent } from '../v6/skills-agent.ts'
import type { SkillsSettings, StepOptions } from '../v6/settings.ts'
import { withSkills } from '../v6/with-skills.ts'

const GEMINI_KNOWN = {
  '*/offeredTools':
    'Version 3 of `@ai-sdk/google` leaves limits such as `minimum` and `minItems` out of the schemas of tools.',
}

/** Streams, and one protocol for each provider: what differs between the versions is in AI SDK's functions. */
const variants = VARIANTS.filter(
  ({ way: name, model, protocol }) => model === VARIANTS[0].model || (name === 'stream' && protocol !== undefined),
).map((variant) =>
  variant.protocol === 'gemini' ? { ...variant, known: { ...variant.known, ...GEMINI_KNOWN } } : variant,
)

/** Judges the adapter for version 6: `repertoire conformance --driver`, in a project with `ai@6`. */
export const aiSdk6Driver: AdapterDriver = {
  ...aiSdkDriver,
  name: 'AI SDK 6',
  variants: variants as [(typeof variants)[0], ...typeof variants],
  start: (task) => converse(task, (...parts) => placeOf({ ways: WAYS, runAgent }, ...parts)),
}

/** What is passed to version 6 in the place of the settings of version 7. */
type Settings = SkillsSettings<ToolSet> & { readonly messages: ModelMessage[]; readonly output?: unknown } & Record<
    string,
    unknown
  >
type Function6 = (settings: Settings, abortSignal: AbortSignal | undefined) => Promise<string>

const WAYS: Readonly<Record<WayName, Way>> = {
  generate: way(async (settings) => answerOf(settings, await generateText(settings as never))),
  stream: way((settings, abortSignal) =>
    streamed(settings, abortSignal, (onError) => streamText({ ...settings, onError } as never)),
  ),
  agentGenerate: way(async ({ messages, ...settings }, abortSignal) => {
    const agent = new ToolLoopAgent<never>(asAgent(settings))
    return answerOf(settings, await agent.generate({ messages, abortSignal }))
  }),
  agentStream: way(({ messages, ...settings }, abortSignal) =>
    streamed(settings, abortSignal, (onError) => {
      const agent = new ToolLoopAgent<never>({ ...asAgent(settings), onError })
      return agent.stream({ messages, abortSignal })
    }),
  ),
}

const runAgent: Kit['runAgent'] = ({ prepareStep, ...options }, { messages, id, abortSignal, ...call }) =>
  streamed(options, abortSignal, async (onError) => {
    const counted = newMessages(messages, (step) => call.onStepEnd(step))
    const agent = skillsAgent({ ...options, prepareStep: counted.preparing(prepareStep) } as never)
    const result = await agent.stream({
      messages,
      onStepFinish: counted.ended,
      options: { session: id },
      abortSignal,
    })
    // The agent of version 6 has no `onError`.
    for await (const part of result.fullStream) if (part.type === 'error') onError(part)
    return result
  })

/** An aborted stream ends in version 6 as if the model had said no more. */
async function streamed(
  settings: { readonly output?: any },
  signal: AbortSignal | undefined,
  begin: Parameters<typeof textOf>[1],
): Promise<string> {
  const text = await textOf(settings, begin)
  signal?.throwIfAborted()
  return text
}

/** An agent takes the system prompt under another name. */
function asAgent({
  system,
  ...settings
}: Omit<Settings, 'messages'>): ConstructorParameters<typeof ToolLoopAgent<never>>[0] {
  return { ...settings, instructions: system } as never
}

function way(run: Function6): Way {
  return (settings, session, { instructions: system, tools, prepareStep, subagents, resolveModel }) => {
    return ({ messages, abortSignal, ...options }) => {
      const counted = newMessages(messages, (step) => options.onStepEnd(step))
      const own = withSkills<ToolSet>(session, {
        system,
        tools,
        subagents,
        resolveModel,
        prepareStep: counted.preparing(prepareStep),
        abortSignal,
      })
      return run({ ...settings, ...own, messages, onStepFinish: counted.ended }, abortSignal)
    }
  }
}

/** The messages of each step: version 6 shows at the end of a step those of all steps. */
function newMessages(sent: readonly ModelMessage[], onStepEnd: RunOptions['onStepEnd']) {
  let before = 0
  return {
    preparing: (prepareStep: unknown) => (options: Pick<StepOptions, 'stepNumber' | 'messages'>) => {
      // The results of calls that were approved before the run are among them.
      if (options.stepNumber === 0 && sent.at(-1)?.role === 'tool') before = options.messages.length - sent.length
      return (prepareStep as (given: unknown) => undefined)(options)
    },
    ended: ({ response }: { readonly response: { readonly messages: readonly ModelMessage[] } }): void => {
      onStepEnd({ response: { messages: response.messages.slice(before) } })
      before = response.messages.length
    },
  }
}
