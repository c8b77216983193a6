import { openai } from '@ai-sdk/openai'
import { withSkills } from '@repertoire/ai-sdk/v6'
import { askInTerminal, openSkills } from '@repertoire/core/node'
import { generateText, stepCountIs } from 'ai'

const repertoire = await openSkills('.agents/skills')
await repertoire.runTask({ consent: askInTerminal() }, async (session) => {
  const prompt = 'Commit message: I renamed colour to color.'
  const skills = withSkills(session)
  const { text } = await generateText({ model: openai('gpt-5.2'), prompt, stopWhen: stepCountIs(20), ...skills })
  console.log(text)
})
