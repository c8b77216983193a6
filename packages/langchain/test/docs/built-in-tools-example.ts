import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { type DynamicStructuredTool, tool } from '@langchain/core/tools'
import { type ConsentHandler, type FunctionTool, openRepertoire } from '@repertoire/core'
import { standardSources } from '@repertoire/core/node'
import { skillsMiddleware } from '@repertoire/langchain'
import { virtualRunner } from '@repertoire/runners'
import { builtInTools } from '@repertoire/tools'
import { createAgent } from 'langchain'

/** A function tool as LangChain takes it. */
function asTool(own: FunctionTool): DynamicStructuredTool {
  const { name, description, inputSchema: schema } = own
  return tool(
    async (input, { toolCall, signal }) =>
      JSON.stringify(await own.execute(input, { callId: toolCall?.id ?? '', ...(signal && { signal }) })),
    { name, description, schema },
  )
}

/** Works in one project: with its skills, whose scripts run in the virtual shell, and with its files. */
export async function work(model: BaseChatModel, project: string, content: string, consent: ConsentHandler) {
  const repertoire = await openRepertoire({
    sources: standardSources({ project }),
    scripts: { runner: virtualRunner() },
  })
  const agent = createAgent({
    model,
    tools: builtInTools({ http: false, files: { roots: [project] } }).map(asTool),
    middleware: [skillsMiddleware(repertoire, { consent, cwd: project })],
  })
  const { messages } = await agent.invoke({ messages: [{ role: 'user', content }] })
  return messages.at(-1)?.text
}
