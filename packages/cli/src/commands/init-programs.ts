/** What an agent can be made with. */
export type Framework = 'ai-sdk' | 'claude-agent' | 'langchain' | 'mastra' | 'openai-agents' | 'none'

/** How a project with one framework begins. */
export interface FirstProgram {
  /** As people write it. */
  readonly title: string
  /** Dependencies that show that a project uses it. */
  readonly signs: readonly string[]
  /** How the names of its environment variables begin: `OPENAI` for `OPENAI_API_KEY`. */
  readonly vendor: 'ANTHROPIC' | 'OPENAI'
  /** The packages that the program imports, and their peers. */
  readonly packages: readonly string[]
  readonly text: string
}

const BEGIN = `// An agent with the skills in .agents/skills: node skills-agent.mjs "your task"
`

const TASK = `
const task = process.argv[2] ?? 'Write release notes: search is twice as fast, and the login works in Safari again.'
`

const INPUTS = `
const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseURL, OPENAI_MODEL: model = 'gpt-5-mini' } = process.env${TASK}`

/**
 * The first programs, by framework; the AI SDK last, since projects with another one may have it too. The model is any
 * that speaks OpenAI's chat completions, or Claude.
 */
export const FIRST_PROGRAMS: Readonly<Record<Framework, FirstProgram>> = {
  'claude-agent': {
    title: 'the Claude Agent SDK',
    signs: ['@anthropic-ai/claude-agent-sdk'],
    vendor: 'ANTHROPIC',
    packages: [
      '@repertoire/core',
      '@repertoire/claude-agent',
      '@anthropic-ai/claude-agent-sdk',
      '@modelcontextprotocol/sdk',
    ],
    text: `${BEGIN}import { claudeAgent } from '@repertoire/claude-agent'
import { askInTerminal, openSkills } from '@repertoire/core/node'
${TASK}
const repertoire = await openSkills('.agents/skills')
const agent = claudeAgent({ repertoire, session: { consent: askInTerminal() }, options: { tools: [] } })
for await (const message of agent.query(task)) {
  if (message.type === 'result') console.log(message.subtype === 'success' ? message.result : message.errors.join(' '))
}
`,
  },
  langchain: {
    title: 'LangChain',
    signs: ['langchain', '@langchain/langgraph'],
    vendor: 'OPENAI',
    packages: [
      '@repertoire/core',
      '@repertoire/langchain',
      'langchain',
      '@langchain/core',
      '@langchain/langgraph',
      '@langchain/openai',
    ],
    text: `${BEGIN}import { ChatOpenAI } from '@langchain/openai'
import { askInTerminal, openSkills } from '@repertoire/core/node'
import { skillsMiddleware } from '@repertoire/langchain'
import { createAgent } from 'langchain'
${INPUTS}
const repertoire = await openSkills('.agents/skills')
const agent = createAgent({
  model: new ChatOpenAI({ model, apiKey, configuration: { baseURL } }),
  tools: [],
  middleware: [skillsMiddleware(repertoire, { consent: askInTerminal() })],
})
const { messages } = await agent.invoke({ messages: [{ role: 'user', content: task }] })
console.log(messages.at(-1).text)
`,
  },
  mastra: {
    title: 'Mastra',
    signs: ['@mastra/core'],
    vendor: 'OPENAI',
    packages: ['@repertoire/core', '@repertoire/mastra', '@mastra/core', 'zod'],
    text: `${BEGIN}import { askInTerminal, openSkills } from '@repertoire/core/node'
import { skillsAgent } from '@repertoire/mastra'
${INPUTS}
const repertoire = await openSkills('.agents/skills')
const agent = skillsAgent(
  {
    id: 'assistant',
    name: 'Assistant',
    instructions: 'Be brief.',
    model: { providerId: 'openai', modelId: model, apiKey, url: baseURL },
  },
  { repertoire, session: { consent: askInTerminal() } },
)
const { text } = await agent.generate(task)
console.log(text)
`,
  },
  'openai-agents': {
    title: 'the OpenAI Agents SDK',
    signs: ['@openai/agents'],
    vendor: 'OPENAI',
    packages: ['@repertoire/core', '@repertoire/openai-agents', '@openai/agents', 'zod'],
    text: `${BEGIN}import { Agent, OpenAIProvider, Runner } from '@openai/agents'
import { askInTerminal, openSkills } from '@repertoire/core/node'
import { skillsRunner } from '@repertoire/openai-agents'
${INPUTS}
const repertoire = await openSkills('.agents/skills')
const modelProvider = new OpenAIProvider({ apiKey, baseURL, useResponses: false })
const runner = new Runner({ modelProvider, tracingDisabled: true })
const skills = skillsRunner({ repertoire, runner, session: { consent: askInTerminal() } })
const { finalOutput } = await skills.run(new Agent({ name: 'Assistant', model }), task)
console.log(finalOutput)
`,
  },
  'ai-sdk': {
    title: 'the AI SDK',
    signs: ['ai'],
    vendor: 'OPENAI',
    packages: ['@repertoire/core', '@repertoire/ai-sdk', 'ai', '@ai-sdk/openai'],
    text: `${BEGIN}import { createOpenAI } from '@ai-sdk/openai'
import { skillsAgent } from '@repertoire/ai-sdk'
import { askInTerminal, openSkills } from '@repertoire/core/node'
${INPUTS}
const repertoire = await openSkills('.agents/skills')
const openai = createOpenAI({ apiKey, baseURL })
const agent = skillsAgent({ model: openai.chat(model), tools: {}, repertoire, session: { consent: askInTerminal() } })
const { text } = await agent.generate({ prompt: task })
console.log(text)
`,
  },
  none: {
    title: 'no framework, with the loop of @repertoire/react-loop',
    signs: [],
    vendor: 'OPENAI',
    packages: ['@repertoire/core', '@repertoire/react-loop'],
    text: `${BEGIN}import { askInTerminal, openSkills } from '@repertoire/core/node'
import { createReActLoop, openAICompatible } from '@repertoire/react-loop'
${INPUTS}
const repertoire = await openSkills('.agents/skills')
const loop = createReActLoop({
  model: openAICompatible({ model, apiKey, baseURL: baseURL ?? 'https://api.openai.com/v1' }),
  tools: [],
  repertoire,
  session: { consent: askInTerminal() },
})
const { text } = await loop.run(task)
console.log(text)
`,
  },
}

/** A skill that needs no tool, so that every model can use it at once. */
export const EXAMPLE_SKILL = `---
name: release-notes
description: Turns a list of changes into release notes. Use it when the user asks for release notes or a changelog.
---

# Release notes

1. Group the changes under "New", "Better" and "Fixed". Leave out a group without changes.
2. Write one line for each change: what a user can do now, in at most 15 words.
3. Leave out what no user notices.
`
