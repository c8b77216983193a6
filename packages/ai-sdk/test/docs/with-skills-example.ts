import { withSkills } from '@repertoire/ai-sdk'
import { openRepertoire, type ConsentHandler } from '@repertoire/core'
import { standardSources } from '@repertoire/core/node'
import { generateText, isStepCount, type LanguageModel, type ToolSet } from 'ai'

export async function answer(model: LanguageModel, tools: ToolSet, prompt: string, consent: ConsentHandler) {
  const repertoire = await openRepertoire({ sources: standardSources({ project: process.cwd() }) })
  return repertoire.runTask({ agent: 'coder', consent }, async (session) => {
    const skills = withSkills(session, { instructions: 'You are a careful coder.', tools })
    const { text } = await generateText({ model, prompt, stopWhen: isStepCount(20), ...skills })
    return text
  })
}
