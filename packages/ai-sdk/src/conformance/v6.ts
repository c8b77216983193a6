import type { AdapterDriver } from '@repertoire/conformance'
import type { ModelMessage, ToolSet } from 'ai'
import { converse } from './converse.ts'
import { type Kit, placeOf } from './place.ts'
import { VARIANTS } from './variants.ts'
import { type RunOptions, textOf } from './ways.ts'
import { aiSdkDriver } from '../conformance.ts'
import { skillsAgent } from '../v6/skills-agent.ts'
import type { StepOptions } from '../v6/settings.ts'
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
  start: (task) => converse(task, (...parts) => placeOf(KIT, ...parts)),
}

const KIT: Kit = {
  settingsOf(session, { instructions: system, prepareStep, ...skills }, { messages, abortSignal, onStepEnd }) {
    const counted = newMessages(messages, onStepEnd)
    const own = { ...skills, system, prepareStep: counted.preparing(prepareStep), abortSignal }
    return { ...withSkills<ToolSet>(session, own as never), onStepFinish: counted.ended }
  },
  runAgent: ({ prepareStep, ...options }, { messages, id, abortSignal, onStepEnd }) =>
    textOf(options, abortSignal, async (onError) => {
      const counted = newMessages(messages, onStepEnd)
      const agent = skillsAgent({ ...options, prepareStep: counted.preparing(prepareStep) } as never)
      const call = { messages, onStepFinish: counted.ended, options: { session: id }, abortSignal }
      const result = await agent.stream(call)
      // The agent of version 6 has no `onError`.
      for await (const part of result.fullStream) if (part.type === 'error') onError(part)
      return result
    }),
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
