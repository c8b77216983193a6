import { withSkills } from '@repertoire/ai-sdk'
import { openSkills } from '@repertoire/core/node'
import { jsonSchema, tool, type ToolSet } from 'ai'
import { INSTRUCTIONS } from '../adapters/agent.ts'
import { shownInAiSdk } from './ai-sdk.ts'
import type { Show } from './system.ts'

/** Ours, in an agent whose own tools read no files. */
export const show: Show = (_, folder) => showBeside(['searchOrders', 'sendMail'], folder)

/** Ours, in an agent that can read skills itself, so the list shows their paths. */
export const showWithFileTools: Show = (_, folder) => showBeside(['Read', 'Bash'], folder)

async function showBeside(names: readonly string[], folder: string) {
  const tools: ToolSet = Object.fromEntries(
    names.map((name) => [
      name,
      tool({
        description: 'Does what its name says.',
        inputSchema: jsonSchema({ type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }),
        execute: () => 'Done.',
      }),
    ]),
  )
  const repertoire = await openSkills(folder)
  return repertoire.runTask({ consent: () => true }, (session) =>
    shownInAiSdk(withSkills(session, { instructions: INSTRUCTIONS, tools })),
  )
}
