import type { AdapterDriver } from '@repertoire/conformance'
import { type ModelMessage, streamText, ToolLoopAgent, type ToolSet, generateText } from 'ai'
import { converse } from '../conformance/converse.ts'
import { placeOf } from '../conformance/place.ts'
import { VARIANTS, type WayName } from '../conformance/variants.ts'
import { type Run, type RunOptions, type Skills, textOf, type Way } from '../conformance/ways.ts'
import { aiSdkDriver } from '../conformance.ts'
import { type SkillsSettings, type StepOptions, withSkills } from './with-skills.ts'

const KEY_ORDER =
  'Version 3 of `@ai-sdk/google` writes the description of a property before its other keys. The schema means the same.'

const GEMINI_KNOWN = {
  'listing-host-tools-whole': KEY_ORDER,
  'listing-styles-words-of-core': KEY_ORDER,
  'listing-budget': KEY_ORDER,
}

/** Streams, and one protocol for each provider: what differs between the versions is in AI SDK's functions. */
const variants = VARIANTS.filter(
  ({ way: name, model, protocol }) =>
    name !== 'skillsAgent' && (model === VARIANTS[0].model || (name === 'stream' && protocol !== undefined)),
).map((variant) =>
  variant.protocol === 'gemini' ? { ...variant, known: { ...variant.known, ...GEMINI_KNOWN } } : variant,
)

/** Judges the adapter for version 6: `repertoire conformance --driver`, in a project with `ai@6`. */
export const aiSdk6Driver: AdapterDriver = {
  ...aiSdkDriver,
  name: 'AI SDK 6',
  variants: variants as [(typeof variants)[0], ...typeof variants],
  start: (task) => converse(task, (...parts) => placeOf(WAYS, ...parts)),
}

/** What is passed to version 6 in the place of the settings of version 7. */
type Settings = SkillsSettings<ToolSet> & { readonly messages: ModelMessage[] } & Record<string, unknown>
type Function6 = (settings: Settings, abortSignal: AbortSignal | undefined) => Promise<string>

const WAYS: Readonly<Record<WayName, Way>> = {
  generate: way(async (settings) => (await generateText(settings as never)).text),
  stream: way((settings, abortSignal) =>
    streamed(abortSignal, (onError) => streamText({ ...settings, onError } as never)),
  ),
  agentGenerate: way(async ({ messages, ...settings }, abortSignal) => {
    const agent = new ToolLoopAgent<never>(asAgent(settings))
    return (await agent.generate({ messages, ...(abortSignal && { abortSignal }) })).text
  }),
  agentStream: way(({ messages, ...settings }, abortSignal) =>
    streamed(abortSignal, (onError) => {
      const agent = new ToolLoopAgent<never>({ ...asAgent(settings), onError } as never)
      return agent.stream({ messages, ...(abortSignal && { abortSignal }) })
    }),
  ),
}

/** An aborted stream ends in version 6 as if the model had said no more. */
async function streamed(signal: AbortSignal | undefined, begin: Parameters<typeof textOf>[0]): Promise<string> {
  const text = await textOf(begin)
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
  return (settings, session, { instructions: system, toolApproval: _, ...skills }) => {
    return ({ messages, abortSignal, onStepEnd }) => {
      const counted = newMessages(messages, onStepEnd)
      const own = withSkills<ToolSet>(session, {
        ...(skills as object),
        system: system as string,
        tools: skills.tools,
        prepareStep: (step) => {
          counted.begin(step as unknown as StepOptions)
          return (skills.prepareStep as (options: unknown) => undefined)(step)
        },
        abortSignal,
      })
      return run({ ...settings, ...own, messages, onStepFinish: counted.end }, abortSignal)
    }
  }
}

/** The messages of each step: version 6 shows at the end of a step those of all steps. */
function newMessages(sent: readonly ModelMessage[], onStepEnd: RunOptions['onStepEnd']) {
  let before = 0
  return {
    begin({ stepNumber, messages }: StepOptions): void {
      // The results of calls that were approved before the run are among them.
      if (stepNumber === 0 && sent.at(-1)?.role === 'tool') before = messages.length - sent.length
    },
    end({ response }: { readonly response: { readonly messages: readonly ModelMessage[] } }): void {
      onStepEnd({ response: { messages: response.messages.slice(before) } })
      before = response.messages.length
    },
  }
}
