import { withSkills } from '@repertoire/ai-sdk'
import { type ConsentHandler, type FunctionTool, openRepertoire } from '@repertoire/core'
import { standardSources } from '@repertoire/core/node'
import { virtualRunner } from '@repertoire/runners'
import { builtInTools } from '@repertoire/tools'
import { dynamicTool, generateText, isStepCount, jsonSchema, type LanguageModel, type Tool } from 'ai'

/** A function tool as AI SDK takes it. */
function asTool(tool: FunctionTool): readonly [name: string, tool: Tool] {
  const execute = (
    input: unknown,
    { toolCallId: callId, abortSignal: signal }: { toolCallId: string; abortSignal?: AbortSignal },
  ) => tool.execute(input, { callId, ...(signal && { signal }) })
  return [tool.name, dynamicTool({ description: tool.description, inputSchema: jsonSchema(tool.inputSchema), execute })]
}

/** Works in one project: with its skills, whose scripts run in the virtual shell, and with its files. */
export async function work(model: LanguageModel, project: string, prompt: string, consent: ConsentHandler) {
  const repertoire = await openRepertoire({
    sources: standardSources({ project }),
    scripts: { runner: virtualRunner() },
  })
  const tools = Object.fromEntries(builtInTools({ http: false, files: { roots: [project] } }).map(asTool))
  return repertoire.runTask({ consent, cwd: project }, async (session) => {
    const { text } = await generateText({ model, prompt, stopWhen: isStepCount(20), ...withSkills(session, { tools }) })
    return text
  })
}
