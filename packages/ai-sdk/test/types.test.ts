import { memorySessions, memorySource, openRepertoire } from '@repertoire/core'
import {
  createAgentUIStreamResponse,
  generateText,
  type LanguageModel,
  streamText,
  tool,
  ToolLoopAgent,
  type ToolLoopAgentSettings,
  type ToolSet,
} from 'ai'
import { describe, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { skillsAgent, type SkillsAgentOptions, type SkillsSettings, withSkills } from '../src/index.ts'

const weather = tool({
  description: 'Tells the weather.',
  inputSchema: z.object({ city: z.string() }),
  contextSchema: z.object({ unit: z.enum(['C', 'F']) }),
  execute: ({ city }, { context }) => ({ city, degrees: 21, unit: context.unit }),
})
const clock = tool({ description: 'Tells the time.', inputSchema: z.object({}), execute: () => '12:00' })
const tools = { weather, clock }

describe('[ADPT-1] the types of what is spread', () => {
  test('say what AI SDK passes to them', () => {
    type Settings = SkillsSettings<typeof tools>
    expectTypeOf<Parameters<Settings['toolApproval']>[0]>().not.toBeAny()
    expectTypeOf<Parameters<Settings['prepareStep']>[0]>().not.toBeAny()
    expectTypeOf<Awaited<ReturnType<Settings['prepareStep']>>>().not.toBeAny()
    expectTypeOf<Parameters<Settings['repairToolCall']>[0]['tools']>().not.toBeAny()
  })

  test('keep the tools, their calls and the runtime context typed in all three functions', async () => {
    const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills: {} })] })
    const session = repertoire.openSession()
    const skills = withSkills(session, {
      instructions: 'Be brief.',
      tools,
      toolApproval: {
        clock: 'user-approval',
        weather: ({ city }, { toolContext }) => (city === toolContext.unit ? 'denied' : 'approved'),
      },
      prepareStep: ({ stepNumber }) => ({ activeTools: stepNumber === 0 ? ['weather'] : ['clock'] }),
    })
    const common = { toolsContext: { weather: { unit: 'C' as const } }, runtimeContext: { user: 'u1' } }

    function compiled(model: LanguageModel) {
      const generated = generateText({
        model,
        prompt: 'Hello',
        ...common,
        ...skills,
        onStepEnd: ({ runtimeContext }) => void expectTypeOf(runtimeContext).toEqualTypeOf<{ user: string }>(),
      })
      const streamed = streamText({
        model,
        prompt: 'Hello',
        ...common,
        ...skills,
        onStepEnd: ({ runtimeContext }) => void expectTypeOf(runtimeContext).toEqualTypeOf<{ user: string }>(),
      })
      const agent = new ToolLoopAgent({ model, ...common, ...skills })
      const bare = generateText({ model, prompt: 'Hello', ...withSkills(session) })
      const plain = new ToolLoopAgent({ model, ...withSkills(session, { instructions: 'Be brief.' }) })
      const inline = streamText({ model, prompt: 'Hello', ...withSkills(session, { tools: { clock } }) })
      // As a function of the host's takes settings, whatever the tools in them.
      const general: SkillsSettings<{}> = withSkills(session, { tools: { weather, clock } })
      const passed = generateText({ model, prompt: 'Hello', ...general })
      void passed
      return { generated, streamed, agent, bare, plain, inline }
    }
    expectTypeOf<
      Awaited<ReturnType<typeof compiled>['generated']>['toolCalls'][number]['toolName']
    >().toEqualTypeOf<string>()
    type Static = Awaited<ReturnType<typeof compiled>['generated']>['staticToolCalls'][number]
    expectTypeOf<Static['toolName']>().toEqualTypeOf<'weather' | 'clock'>()
    expectTypeOf<Extract<Static, { toolName: 'weather' }>['input']>().toEqualTypeOf<{ city: string }>()
    type Streamed = Awaited<ReturnType<typeof compiled>['streamed']['staticToolResults']>[number]
    expectTypeOf<Extract<Streamed, { toolName: 'clock' }>['output']>().toEqualTypeOf<string>()
    expectTypeOf<ReturnType<typeof compiled>['agent']['tools']>().toEqualTypeOf<typeof tools>()
  })
})

describe('[ADPT-1] the types of an agent with skills', () => {
  test('have every setting of a ToolLoopAgent, but those that prepare its calls', () => {
    type Missing = Exclude<keyof ToolLoopAgentSettings<never, ToolSet>, keyof SkillsAgentOptions<ToolSet>>
    expectTypeOf<Missing>().toEqualTypeOf<'prepareCall' | 'callOptionsSchema'>()
  })

  test('keep the tools and their contexts, and want `options` exactly if there are sessions', async () => {
    const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills: {} })] })

    async function compiled(model: LanguageModel, uiMessages: unknown[]) {
      const toolsContext = { weather: { unit: 'C' as const } }
      const chat = skillsAgent({ model, tools, toolsContext, repertoire, sessions: memorySessions() })
      expectTypeOf(chat.tools).toEqualTypeOf<typeof tools>()
      const { toolCalls } = await chat.generate({ prompt: 'Hello', options: { session: 'c' } })
      expectTypeOf(toolCalls[0]!.toolName).toExtend<string>()
      await createAgentUIStreamResponse({ agent: chat, uiMessages, options: { session: 'c' } })
      const alone = skillsAgent({ model, repertoire, session: { agent: 'coder' } })
      await alone.stream({ prompt: 'Hello' })
      await createAgentUIStreamResponse({ agent: alone, uiMessages })
      // @ts-expect-error there is no store that keeps the session
      await alone.generate({ prompt: 'Hello', options: { session: 'c' } })
      // @ts-expect-error the agent names its sessions itself
      skillsAgent({ model, repertoire, session: { id: 'c' } })
      // @ts-expect-error a tool that needs a context has none
      skillsAgent({ model, tools, repertoire })
    }

    expectTypeOf(compiled).toBeFunction()
  })
})
