import { withSkills } from '@repertoire/ai-sdk'
import { openRepertoire } from '@repertoire/core'
import { standardSources } from '@repertoire/core/node'
import { isStepCount, type LanguageModel, ToolLoopAgent, type ToolSet } from 'ai'

export async function correctTypos(model: LanguageModel, tools: ToolSet, ask: (question: string) => Promise<boolean>) {
  const repertoire = await openRepertoire({ sources: standardSources({ project: process.cwd() }) })

  return repertoire.runTask({ agent: 'coder', consent: ({ text }) => ask(text) }, async (session) => {
    const agent = new ToolLoopAgent({ model, stopWhen: isStepCount(20), ...withSkills(session, { tools }) })
    const { text } = await agent.generate({ prompt: 'Correct the typos in docs/intro.md.' })
    return text
  })
}
