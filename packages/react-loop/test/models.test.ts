import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { memorySource, openRepertoire } from '@repertoire/core'
import { describe, expect, test } from 'vitest'
import { anthropic, createReActLoop, gemini, type LoopResult, type Message, type Model, openAICompatible, openAIResponses } from '../src/index.ts' // prettier-ignore
import { notInstalled } from '../src/vendor-model.ts'
import { tool } from './agent.ts'
import { say as sayAnthropic } from './anthropic/wire.ts'
import { say as sayGemini } from './gemini/wire.ts'
import { openRawEndpoint, type RawAnswer, type RawEndpoint } from './raw-endpoint.ts'

/** What a vendor's model says, and what of it is asked back: signed thinking, a text, two calls of one id. */
interface Vendor {
  readonly model: (endpoint: RawEndpoint) => Model
  readonly thinks: (streamed: boolean) => RawAnswer
  readonly says: (streamed: boolean, text: string) => RawAnswer
  /** The turn that stands for `thinks` on the wire, with the ids of its calls. */
  readonly thought: (ids: readonly string[]) => unknown
  readonly turns: (body: Readonly<Record<string, unknown>>) => readonly unknown[]
  readonly stop: (body: Readonly<Record<string, unknown>>) => unknown
  /** The texts of a turn. */
  readonly texts: (turn: unknown) => readonly string[]
}

const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'c2lnbmVk' }
const use = (id: string) => ({ type: 'tool_use', id, name: 'Read', input: { x: 1 } })
const call = (id: string) => ({ functionCall: { id, name: 'Read', args: { x: 1 } } })
const signed = (id: string) => ({ ...call(id), thoughtSignature: 'c2lnbmVk' })

const vendors: Readonly<Record<string, Vendor>> = {
  anthropic: {
    model: ({ origin }) => anthropic({ baseURL: origin, model: 'm', apiKey: 'k', maxRetries: 0 }),
    thinks: (streamed) => sayAnthropic(streamed, [thinking, use('a'), use('a')], 'tool_use'),
    says: (streamed, text) => sayAnthropic(streamed, [thinking, { type: 'text', text }], 'stop_sequence'),
    thought: ([first = '', second = '']) => ({ role: 'assistant', content: [thinking, use(first), use(second)] }),
    turns: ({ messages }) => messages as readonly unknown[],
    stop: ({ stop_sequences: stop }) => stop,
    texts: (turn) => (turn as { content: { text: string }[] }).content.map(({ text }) => text),
  },
  gemini: {
    model: ({ origin }) => gemini({ baseURL: origin, model: 'gemini-3-flash', apiKey: 'k', maxRetries: 0 }),
    thinks: (streamed) => sayGemini(streamed, [signed('a'), call('a')], 'STOP'),
    says: (streamed, text) => sayGemini(streamed, [{ text, thoughtSignature: 'c2lnbmVk' }], 'STOP'),
    thought: ([first = '', second = '']) => ({ role: 'model', parts: [signed(first), call(second)] }),
    turns: ({ contents }) => contents as readonly unknown[],
    stop: ({ generationConfig }) => (generationConfig as Record<string, unknown> | undefined)?.stopSequences,
    texts: (turn) => (turn as { parts: { text: string }[] }).parts.map(({ text }) => text),
  },
}

/** Runs a loop against raw answers. */
async function run(
  vendor: Vendor,
  streamed: boolean,
  answers: readonly RawAnswer[],
  options: { readonly protocol?: 'native' | 'text'; readonly input?: string | readonly Message[] } = {},
) {
  const { protocol = 'native', input = 'Hello' } = options
  const endpoint = await openRawEndpoint(...answers)
  const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills: {} })] })
  const read = tool('Read')
  const session = repertoire.openSession()
  const loop = createReActLoop({ model: vendor.model(endpoint), session, tools: [read], protocol })
  let result: LoopResult | undefined
  if (!streamed) result = await loop.run(input)
  else for await (const event of loop.stream(input)) if (event.type === 'finish') ({ result } = event)
  if (result === undefined) throw new Error('The stream ended without a result.')
  return { result, inputs: read.inputs, bodies: endpoint.requests.map(({ body }) => body) }
}

describe.each(Object.entries(vendors))('a loop with %s', (_, vendor) => {
  describe.each([
    ['not streamed', false],
    ['streamed', true],
  ] as const)('%s', (__, streamed) => {
    test('[LLM-1] gives back what the vendor signed, beside ids of its own, also from a stored conversation', async () => {
      const first = await run(vendor, streamed, [vendor.thinks(streamed), vendor.says(streamed, 'Done.')])
      expect(first.inputs).toEqual([{ x: 1 }, { x: 1 }])
      const ids = first.result.messages.flatMap((message) => (message.role === 'tool' ? [message.callId] : []))
      expect(new Set(ids).size).toBe(2)
      expect(vendor.turns(first.bodies[1] ?? {})[1]).toEqual(vendor.thought(ids))
      const stored = JSON.parse(JSON.stringify(first.result.messages)) as Message[]
      const input: Message[] = [...stored, { role: 'user', content: 'More?' }]
      const second = await run(vendor, streamed, [vendor.says(streamed, 'No.')], { input })
      expect(vendor.turns(second.bodies[0] ?? {})[1]).toEqual(vendor.thought(ids))
    })

    test('[LLM-1, ADPT-3] speaks the text protocol: the stop sequence, calls and observations as text', async () => {
      const action = 'Thought: I look.\nAction: Read\nAction Input: {"n":1}\nAction: Read\nAction Input: {"n":2}'
      const { result, inputs, bodies } = await run(
        vendor,
        streamed,
        // The vendor leaves the stop sequence away; a server that does not stop is not believed.
        [
          vendor.says(streamed, action),
          vendor.says(streamed, `${action}\nObservation: made up`),
          vendor.says(streamed, 'Final Answer: 42'),
        ],
        { protocol: 'text' },
      )
      expect(result).toMatchObject({ text: '42', finishReason: 'stop', steps: 3 })
      expect(inputs).toEqual([{ n: 1 }, { n: 2 }, { n: 1 }, { n: 2 }])
      expect(bodies.map((body) => [vendor.stop(body), 'tools' in body])).toEqual(
        bodies.map(() => [['\nObservation:'], false]),
      )
      const said = vendor
        .turns(bodies[2] ?? {})
        .flatMap((turn) => vendor.texts(turn))
        .join('\n\n')
      const round = `${action}\n\nObservation: Read ran\n\nObservation: Read ran`
      expect(said).toBe(`Hello\n\n${round}\n\n${round}`)
      expect(result.messages.every((message) => message.role !== 'assistant' || message.provider === undefined)).toBe(
        true,
      )
    })
  })
})

describe('the packages of the vendors', () => {
  test('[LLM-1] are imported when first used, never with the loop', async () => {
    const folder = join(import.meta.dirname, '../src')
    const files = await readdir(folder, { recursive: true })
    const eager: string[] = []
    for (const file of files.filter((name) => name.endsWith('.ts'))) {
      const source = await readFile(join(folder, file), 'utf8')
      if (/^(?:import(?! type)|export)[^\n]* from '(?:openai|@anthropic-ai|@google)/m.test(source)) eager.push(file)
    }
    expect(files).toContain(join('anthropic', 'anthropic.ts'))
    expect(eager).toEqual([])
  })

  test('[LLM-1] are asked for by name where one is not installed', () => {
    const cause = new Error('Cannot find package.')
    const error = notInstalled('gemini', '@google/genai', cause)
    expect(error.message).toContain('npm install @google/genai')
    expect(error.cause).toBe(cause)
  })

  test('[LLM-1] are optional to bundlers too, since the import is awaited inside a `try`', async () => {
    const sources = ['anthropic/anthropic.ts', 'gemini/gemini.ts'].map((file) =>
      readFile(join(import.meta.dirname, '../src', file), 'utf8'),
    )
    for (const source of await Promise.all(sources)) {
      const imports = source.match(/\bimport\(/g)
      expect(imports).toHaveLength(1)
      expect(source).toMatch(/\btry \{\s+return await import\('/)
    }
  })
})

test('[OBS-2] models go by the name that their vendor knows', () => {
  const options = { model: 'm', apiKey: 'k', baseURL: 'http://127.0.0.1:1' }
  const models = [openAICompatible(options), openAIResponses(options), anthropic(options), gemini(options)]
  expect(models.map(({ name }) => name)).toEqual(['m', 'm', 'm', 'm'])
})
