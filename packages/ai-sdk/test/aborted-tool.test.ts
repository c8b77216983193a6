import { adapterSession } from '@repertoire/core/adapter'
import { isStepCount, streamText, generateText, tool, ToolLoopAgent, type ToolSet } from 'ai'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { withSkills } from '../src/index.ts'
import { activate, call, openTask, type Task, useEndpoint } from './task.ts'

const endpoint = useEndpoint()

/** Two tools that never end and ignore their signal: one returns a promise, the other yields parts. */
function stuckTools() {
  const begun = Promise.withResolvers<void>()
  const never = (): Promise<string> => {
    begun.resolve()
    return new Promise(() => {})
  }
  const stuck = { description: 'Never ends.', inputSchema: z.object({}) }
  const tools: ToolSet = {
    Stuck: tool({ ...stuck, execute: never }),
    Streaming: tool({
      ...stuck,
      async *execute() {
        yield 'the first part'
        yield await never()
      },
    }),
  }
  return { tools, begun: begun.promise }
}

type Way = (settings: ReturnType<typeof settingsOf>) => Promise<unknown>

const settingsOf = (task: Pick<Task, 'model' | 'session'>, tools: ToolSet, abortSignal: AbortSignal) => ({
  model: task.model,
  stopWhen: isStepCount(5),
  ...withSkills(task.session, { tools, abortSignal }),
})

const WAYS: Readonly<Record<string, Way>> = {
  generateText: (settings) => generateText({ ...settings, prompt: 'Go' }),
  async streamText(settings) {
    const result = streamText({ ...settings, prompt: 'Go', onError: () => {} })
    await result.consumeStream()
    return result.text
  },
  'ToolLoopAgent.generate': ({ abortSignal, ...settings }) =>
    new ToolLoopAgent(settings).generate({ prompt: 'Go', abortSignal }),
}

it.each(
  Object.entries(WAYS).flatMap(([name, run]) => ['Stuck', 'Streaming'].map((stuck) => [name, stuck, run] as const)),
)('[CAT-10, ABUSE-141, ACT-7] an abort ends %s while the tool %s hangs, and its task', async (_, name, run) => {
  const script = [activate('careful'), call('deactivate_skill', {}), call(name, {})]
  const task = await openTask(endpoint(), script)
  const { tools, begun } = stuckTools()
  const stop = new AbortController()
  const running = run(settingsOf(task, tools, stop.signal))
  const ended = running.then(
    () => 'it ended well',
    () => 'it was aborted',
  )
  await begun
  stop.abort(new Error('Enough.'))
  expect(await ended).toBe('it was aborted')
  await task.session.end()
  expect(adapterSession(task.session).state).toMatchObject({ active: [], ended: true })
})
