import type { AdapterDriver } from '@repertoire/conformance'
import { converse } from './conformance/converse.ts'
import { placeOf, settingsOf } from './conformance/place.ts'
import { KNOWN, VARIANTS } from './conformance/variants.ts'

/** Judges this adapter: `describeConformance(aiSdkDriver)` in vitest, or `repertoire conformance --adapter ai-sdk`. */
export const aiSdkDriver: AdapterDriver = {
  name: 'AI SDK',
  variants: VARIANTS,
  known: KNOWN,
  capabilities: {
    suspend: true,
    resume: true,
    abort: true,
    parallelCalls: true,
    hiding: {
      workaround:
        'The AI SDK would answer a call of a tool outside of `activeTools` itself. Hidden tools are taken out of the request by a wrapped model.',
    },
    continuation: true,
    compaction: true,
    approval: true,
    output: true,
    handoff: { absent: 'The AI SDK has no handoffs: one agent runs a conversation.' },
  },
  start: (task) => converse(task, (...parts) => placeOf(settingsOf, ...parts)),
}
