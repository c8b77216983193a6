import { adapterSession } from '@repertoire/core/adapter'
import { generateText, isStepCount, type ModelMessage, streamText } from 'ai'
import { describe, expect, it } from 'vitest'
import { approvalResponses, consentRequests, withSkills } from '../src/index.ts'
import { activate, notingTools, openTask, resultOf, useEndpoint } from './task.ts'

const endpoint = useEndpoint()
const hello = (): ModelMessage[] => [{ role: 'user', content: 'Hello' }]

describe('a person who writes on instead of answering', () => {
  it.each(['generateText', 'streamText'])(
    '[ASK-5, LLM-1] is answered, and the call has a result that says it was left, by %s',
    async (by) => {
      const script = [activate('careful'), { text: 'Very well.' }, { text: 'Bye.' }]
      const { play, model, session } = await openTask(endpoint(), script, { consent: 'suspend' })
      const settings = { model, stopWhen: isStepCount(5), ...withSkills(session) }
      const messages = hello()
      const run = async (text?: string): Promise<string> => {
        if (text !== undefined) messages.push({ role: 'user', content: text })
        const result =
          by === 'streamText' ? streamText({ ...settings, messages }) : await generateText({ ...settings, messages })
        const said = await result.text
        messages.push(...(await result.responseMessages))
        return said
      }
      await run()
      expect(await consentRequests(session, messages)).toHaveLength(1)
      expect(await run('Never mind.')).toBe('Very well.')
      expect(play.requests.at(-1)!.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user'])
      expect(resultOf(play, 'call_1_1')).toContain('"activate_skill" has no result')
      // What the host stores is as it was; every later run comes to the same.
      expect(await run('Bye.')).toBe('Bye.')
      expect(resultOf(play, 'call_1_1')).toContain('"activate_skill" has no result')
      expect(adapterSession(session).state.active).toEqual([])
      expect(play.failures).toEqual([])
    },
  )

  it("[ASK-5, LLM-1] leaves a call of the host's own open too, beside one that has run, which keeps its result", async () => {
    const calls = [
      { tool: 'Read', input: { file_path: 'a' } },
      { tool: 'Bash', input: { command: 'ls' } },
    ]
    const { play, model, session } = await openTask(endpoint(), [{ calls }, { text: 'Done.' }])
    const { runs, tools } = notingTools()
    const skills = withSkills(session, { tools, toolApproval: { Bash: 'user-approval' } })
    const messages = hello()
    const first = await generateText({ model, stopWhen: isStepCount(5), ...skills, messages })
    messages.push(...first.responseMessages, { role: 'user', content: 'Never mind.' })
    await generateText({ model, stopWhen: isStepCount(5), ...skills, messages })
    expect(runs).toEqual(['Read {"file_path":"a"}'])
    expect(resultOf(play, 'call_1_1')).not.toContain('has no result')
    expect(resultOf(play, 'call_1_2')).toContain('"Bash" has no result')
  })

  it('[ASK-5] changes nothing where the consent request was answered, whatever the answer', async () => {
    for (const approved of [true, false]) {
      const script = [activate('careful'), { text: 'Done.' }, { text: 'Bye.' }]
      const { play, model, session } = await openTask(endpoint(), script, { consent: 'suspend' })
      const settings = { model, stopWhen: isStepCount(5), ...withSkills(session) }
      const messages = hello()
      for (const next of ['answer', 'Bye.', undefined]) {
        messages.push(...(await generateText({ ...settings, messages })).responseMessages)
        if (next === undefined) break
        const pending = await consentRequests(session, messages)
        messages.push(
          next === 'answer'
            ? approvalResponses(
                pending,
                pending.map(({ request }) => ({ requestId: request.id, approved })),
              )
            : { role: 'user', content: next },
        )
      }
      expect(resultOf(play, 'call_1_1')).toContain(approved ? 'LOOK FIRST.' : 'CONSENT_DENIED')
    }
  })

  it('[LLM-1] does not hide that a tool of the client has no result', async () => {
    const { model, session } = await openTask(endpoint(), [{ text: 'Done.' }])
    const messages: ModelMessage[] = [
      ...hello(),
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'Bash', input: {} }] },
      { role: 'user', content: 'And?' },
    ]
    const skills = withSkills(session, { tools: notingTools().tools })
    await expect(generateText({ model, ...skills, messages })).rejects.toThrow(/Tool result is missing/)
  })
})
