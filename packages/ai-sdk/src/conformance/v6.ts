import type { AdapterDriver } from '@repertoire/conformance'
import type { ModelMessage, ToolSet } from 'ai'
import { converse } from './converse.ts'
import { placeOf, type SettingsOf } from './place.ts'
import { VARIANTS } from './variants.ts'
import type { RunOptions } from './ways.ts'
import { aiSdkDriver } from '../conformance.ts'
import type { StepOptions } from '../v6/settings.ts'
import { withSkills } from '../v6/with-skills.ts'

const GEMINI_KNOWN = {
  '*/offeredTools':
    'Version 3 of `@ai-sdk/google` leaves limits such as `minimum` and `minItems` out of the schemas of tools.',
}

/** Streams, and one protocol for each provider: what differs between the versions is in AI SDK's functions. */
const variants = VARIANTS.filter(({ way, model, protocol }) => {
  if (way === 'skillsAgent') return false
  return model === VARIANTS[0].model || (way === 'stream' && protocol !== undefined)
}).map((variant) =>
  variant.protocol === 'gemini' ? { ...variant, known: { ...variant.known, ...GEMINI_KNOWN } } : variant,
)

/** Judges the adapter for version 6: `repertoire conformance --driver`, in a project with `ai@6`. */
export const aiSdk6Driver: AdapterDriver = {
  ...aiSdkDriver,
  name: 'AI SDK 6',
  variants: variants as [(typeof variants)[0], ...typeof variants],
  start: (task) => converse(task, (...parts) => placeOf(settingsOf, ...parts)),
}

const settingsOf: SettingsOf = (session, { instructions: system, prepareStep, ...skills }, run) => {
  const { messages, abortSignal, onStepEnd }: RunOptions = run
  // Version 6 shows at the end of a step the messages of all steps.
  let before = 0
  const preparing = (options: Pick<StepOptions, 'stepNumber' | 'messages'>): unknown => {
    // The results of calls that were approved before the run are among them.
    if (options.stepNumber === 0 && messages.at(-1)?.role === 'tool') before = options.messages.length - messages.length
    return (prepareStep as unknown as (given: object) => unknown)(options)
  }
  const own = { ...skills, system, prepareStep: preparing, abortSignal }
  return {
    ...withSkills<ToolSet>(session, own as never),
    onStepFinish({ response }: { readonly response: { readonly messages: readonly ModelMessage[] } }) {
      onStepEnd({ response: { messages: response.messages.slice(before) } })
      before = response.messages.length
    },
  }
}
