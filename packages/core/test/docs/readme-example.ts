import type { ConsentHandler, FunctionTool, ToolCall, ToolDefinition } from '@repertoire/core'
import { adapterSession } from '@repertoire/core/adapter'
import { openSkills } from '@repertoire/core/node'

/** A model: shown a system prompt, tools and results, it asks for a call or answers. */
export type CallModel = (
  system: string | undefined,
  tools: readonly ToolDefinition[],
  results: readonly string[],
) => Promise<ToolCall | string>

export async function runAgent(
  root: string,
  callModel: CallModel,
  hostTools: readonly FunctionTool[],
  consent: ConsentHandler,
): Promise<string> {
  const repertoire = await openSkills(root)
  for (const { code, path, line, message } of repertoire.catalog.diagnostics) console.warn(code, path, line, message)

  return repertoire.runTask({ agent: 'coder', consent }, async (session) => {
    const results: string[] = []
    for (;;) {
      // Before every model call: what it is shown. What no call could use is not offered.
      const step = await adapterSession(session).step({ tools: hostTools.map(({ name }) => name) })
      const { system, messages } = await step.prompt({
        system: step.system('You are a careful coder.'),
        messages: results,
        describe: (text) => ({ role: 'tool', text }),
      })
      const tools = [...hostTools.filter(({ name }) => !step.isHidden(name)), ...step.tools]
      const answer = await callModel(system, tools, messages)
      if (typeof answer === 'string') return answer

      // Every call passes the step: skill tools are carried out there, the host's are authorised and only then run.
      const outcome = await step.call(answer, ({ id, tool, input }) =>
        hostTools.find(({ name }) => name === tool)?.execute(input, { callId: id }),
      )
      results.push(outcome.ok ? (outcome.text ?? JSON.stringify(outcome.value ?? null)) : outcome.text)
    }
  })
}
