import { createOpenAI } from '@ai-sdk/openai'
import { memorySource, openRepertoire } from '@repertoire/core'
import type { ModelMessage } from 'ai'
import { expect, test } from 'vitest'
import { withSkills } from '../src/index.ts'
import { activate, CAREFUL, useEndpoint, WAYS } from './task.ts'

const endpoint = useEndpoint()

test.each(WAYS.flatMap(([name, way]) => [true, false].map((store) => [name, store, way] as const)))(
  '[CONF-8] %s sends reasoning back over OpenAI Responses with store: %s',
  async (_, store, way) => {
    const thinking = (text: string) => ({ reasoning: { text } })
    const script = [
      { ...activate('careful'), ...thinking('It needs the skill.') },
      { text: 'One.', ...thinking('I say it.') },
      { text: 'Two.' },
    ]
    const play = endpoint().play(script, { protocol: 'openai-responses' })
    const { baseURL, apiKey, model } = play
    const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills: CAREFUL })] })
    const session = repertoire.openSession({ consent: () => true })
    const messages: ModelMessage[] = [{ role: 'user', content: 'Hello' }]
    for (const said of ['Go on', '']) {
      const options = { providerOptions: { openai: { store } } }
      const answer = await way(createOpenAI({ baseURL, apiKey })(model), withSkills(session), messages, options)
      messages.push(...answer.responseMessages, { role: 'user', content: said })
    }
    expect(play.failures).toEqual([])
    expect(play.requests.map(({ raw }) => (raw as { readonly store?: boolean }).store)).toEqual([store, store, store])
    const reasoning = play.requests.at(-1)!.messages.flatMap((message) => message.reasoning ?? [])
    expect(reasoning).toEqual(['It needs the skill.', 'I say it.'])
    await session.end()
  },
)
