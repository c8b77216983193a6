import Anthropic from '@anthropic-ai/sdk'
import { type Content, GoogleGenAI, type GenerateContentResponse } from '@google/genai'
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import type { Play } from '../../src/endpoint/play.ts'
import type { ScriptStep } from '../../src/endpoint/script.ts'
import { callStep, type Heard, useEndpoint, type Wire, WIRES } from './wires.ts'

const endpoint = useEndpoint()
const play = ({ protocol }: Wire, ...script: ScriptStep[]): Play => endpoint().play(script, { protocol })

/** A conversation by the vendor's own client, which gives back what it got and the results of all calls. */
type Speak = (stream: boolean) => Promise<Heard>

/** What the model reads of a result. */
const resultOf = (id: string): string => `of ${id}`

const clients: readonly (readonly [Wire, (model: Play) => Speak])[] = [
  [
    WIRES.openai,
    ({ baseURL, apiKey, model }) => {
      const { completions } = new OpenAI({ baseURL, apiKey, maxRetries: 0 }).chat
      const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Look.' }]
      // The client keeps only the last piece of what it does not know.
      const streamed = async () => {
        let thought = ''
        const runner = completions.stream({ model, messages })
        runner.on('chunk', ({ choices: [choice] }) => {
          thought += (choice?.delta as { reasoning_content?: string } | undefined)?.reasoning_content ?? ''
        })
        const answer = await runner.finalChatCompletion()
        Object.assign(answer.choices[0]!.message, { reasoning_content: thought })
        return answer
      }
      return async (stream) => {
        const answer = await (stream ? streamed() : completions.create({ model, messages }))
        messages.push(answer.choices[0]!.message)
        const heard = WIRES.openai.read(answer)
        for (const { id } of heard.calls) messages.push({ role: 'tool', tool_call_id: id, content: resultOf(id) })
        return heard
      }
    },
  ],
  [
    WIRES.responses,
    ({ baseURL, apiKey, model }) => {
      const { responses } = new OpenAI({ baseURL, apiKey, maxRetries: 0 })
      const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: 'Look.' }]
      const include = ['reasoning.encrypted_content' as const]
      return async (stream) => {
        const body = { model, input, store: false, include }
        const answer = stream ? await responses.stream(body).finalResponse() : await responses.create(body)
        input.push(...(answer.output as OpenAI.Responses.ResponseInputItem[]))
        const heard = WIRES.responses.read(answer)
        for (const { id } of heard.calls) {
          input.push({ type: 'function_call_output', call_id: id, output: resultOf(id) })
        }
        return heard
      }
    },
  ],
  [
    WIRES.anthropic,
    ({ baseURL, apiKey, model }) => {
      const client = new Anthropic({ baseURL, apiKey, maxRetries: 0 }).messages
      const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Look.' }]
      return async (stream) => {
        const body = { model, max_tokens: 100, messages }
        const answer = stream ? await client.stream(body).finalMessage() : await client.create(body)
        messages.push({ role: 'assistant', content: answer.content })
        const heard = WIRES.anthropic.read(answer)
        const results = heard.calls.map(({ id }) => ({
          type: 'tool_result' as const,
          tool_use_id: id,
          content: resultOf(id),
        }))
        messages.push({ role: 'user', content: results.length > 0 ? results : 'Go on.' })
        return heard
      }
    },
  ],
  [
    WIRES.gemini,
    ({ baseURL, apiKey, model }) => {
      const { models } = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: baseURL } })
      const contents: Content[] = [{ role: 'user', parts: [{ text: 'Look.' }] }]
      return async (stream) => {
        const chunks: GenerateContentResponse[] = []
        if (stream) {
          for await (const chunk of await models.generateContentStream({ model, contents })) chunks.push(chunk)
        } else chunks.push(await models.generateContent({ model, contents }))
        const answer = WIRES.gemini.join(chunks)
        contents.push({ role: 'model', parts: answer.candidates[0].content.parts })
        const heard = WIRES.gemini.read(answer)
        const parts = heard.calls.map(({ id, tool }) => ({
          functionResponse: { id, name: tool, response: { output: resultOf(id) } },
        }))
        contents.push({ role: 'user', parts: parts.length > 0 ? parts : [{ text: 'Go on.' }] })
        return heard
      }
    },
  ],
]

const FORMS = clients.flatMap(([wire, open]) =>
  [false, true].map((stream) => [wire.protocol, stream ? 'as a stream' : 'in JSON', wire, open, stream] as const),
)
const calls = callStep.calls.map(({ tool, input }) => ({ tool, input }))
const reasoning = { text: 'Größe first.\nThen the rest.' }

describe.each(FORMS)("the vendor's own client for %s %s", (_protocol, _form, wire, open, stream) => {
  test('[CONF-8, LLM-1] goes through calls side by side, and gives back what it got', async () => {
    const step = { ...callStep, calls, reasoning }
    const model = play(wire, step, step, { text: 'Done.' })
    const speak = open(model)
    for (const _ of [1, 2]) expect((await speak(stream)).calls).toHaveLength(2)
    expect((await speak(stream)).text).toBe('Done.')
    expect(model.failures).toEqual([])
    expect(model.requests.at(-1)!.messages).toEqual([
      { role: 'user', text: 'Look.' },
      ...[1, 2].flatMap((number) => [
        {
          role: 'assistant',
          text: 'Let me look.',
          reasoning: reasoning.text,
          calls: [
            { id: `call_${number}_1`, tool: 'Bash', arguments: '{"command":"git status"}' },
            { id: `call_${number}_2`, tool: 'Read', arguments: '{"file_path":"docs/größe.md"}' },
          ],
        },
        { role: 'tool', callId: `call_${number}_1`, text: `of call_${number}_1` },
        { role: 'tool', callId: `call_${number}_2`, text: `of call_${number}_2` },
      ]),
    ])
  })

  test('[CONF-8] gives back reasoning whose words are withheld', async () => {
    const model = play(wire, { text: 'So.', reasoning: { ...reasoning, hidden: true } }, { text: 'Done.' })
    const speak = open(model)
    expect((await speak(stream)).reasoning).toBe(wire === WIRES.openai ? reasoning.text : '')
    await speak(stream)
    expect(model.failures).toEqual([])
    expect(model.requests[1]!.messages[1]).toEqual({ role: 'assistant', text: 'So.', reasoning: reasoning.text })
  })

  test('[CONF-1] reads an answer at the limit, a refusal and another name, and gives them back', async () => {
    const model = play(
      wire,
      { text: 'It is', end: 'length', model: 'another' },
      { text: 'No.', end: 'refusal' },
      { text: '' },
    )
    const speak = open(model)
    const reasons = {
      openai: ['length', 'stop'],
      'openai-responses': ['max_output_tokens', 'completed'],
      anthropic: ['max_tokens', 'refusal'],
      gemini: ['MAX_TOKENS', 'SAFETY'],
    }[wire.protocol]
    expect(await speak(stream)).toMatchObject({ reason: reasons[0], text: 'It is', refusal: '', model: 'another' })
    const refused = await speak(stream)
    expect(refused).toMatchObject({ reason: reasons[1], model: model.model })
    expect(refused.text + refused.refusal).toBe('No.')
    await speak(stream)
    expect(model.failures).toEqual([])
    const said = model.requests[2]!.messages.flatMap(({ role, text }) => (role === 'assistant' ? [text] : []))
    expect(said).toEqual(['It is', 'No.'])
  })

  test('[CONF-1, LLM-1] reads errors and lost connections as such', async () => {
    const model = play(
      wire,
      { status: 503, message: 'Overloaded.' },
      { ...callStep, end: 'cut' },
      { text: '', end: 'unsent' },
    )
    const speak = open(model)
    await expect(speak(stream)).rejects.toMatchObject({ status: 503, message: expect.stringContaining('Overloaded.') })
    await expect(speak(stream)).rejects.toThrow(/terminated|Premature close|Connection error|fetch failed/)
    await expect(speak(stream)).rejects.toThrow(/Connection error|fetch failed/)
    expect(model.requests).toHaveLength(3)
    expect(model.failures).toEqual([])
  })

  test('[CONF-1] does not take an answer that ends early for a complete one', async () => {
    const model = play(wire, { text: 'It is', end: 'early' })
    const early = open(model)(stream)
    // Two clients end their streams without a word; only the reason of the end shows it.
    const reasons: Partial<Record<string, unknown>> = { gemini: undefined, 'openai-responses': 'in_progress' }
    if (stream && wire.protocol in reasons) {
      expect(await early).toMatchObject({ text: 'It is', reason: reasons[wire.protocol] })
    } else await expect(early).rejects.toThrow(stream ? /stream ended|missing finish_reason/ : /JSON/)
    expect(model.failures).toEqual([])
  })
})

describe("OpenAI's own client for Responses", () => {
  test.each([false, true])('[CONF-8] goes on from a response that the vendor keeps (stream: %s)', async (stream) => {
    const step = { ...callStep, calls, reasoning }
    const model = play(WIRES.responses, step, { text: 'Done.' }, { text: 'Done.' })
    const later = endpoint().play([{ text: 'Later.' }], { protocol: 'openai-responses', after: model })
    const asked = async (
      { baseURL, apiKey }: Play,
      params: Omit<OpenAI.Responses.ResponseCreateParamsNonStreaming, 'model' | 'stream'>,
    ) => {
      const { responses } = new OpenAI({ baseURL, apiKey, maxRetries: 0 })
      const body = { model: 'gpt-5', ...params }
      return stream ? responses.stream(body).finalResponse() : responses.create(body)
    }
    const first = await asked(model, { input: 'Look.' })
    const outputs = WIRES.responses.read(first).calls.map(({ id }) => ({
      type: 'function_call_output' as const,
      call_id: id,
      output: resultOf(id),
    }))
    const references = first.output.map(({ id }) => ({ type: 'item_reference' as const, id: id! }))
    await asked(model, { input: outputs, previous_response_id: first.id })
    await asked(model, { input: [{ role: 'user', content: 'Look.' }, ...references, ...outputs] })
    await asked(later, { input: outputs, previous_response_id: first.id })
    expect([...model.failures, ...later.failures]).toEqual([])
    const [, byId, byReferences, inLater] = [...model.requests, ...later.requests].map(({ messages }) => messages)
    expect(byId!.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool'])
    expect(byId![1]).toMatchObject({ text: 'Let me look.', reasoning: reasoning.text, calls: [{ id: 'call_1_1' }, {}] })
    expect([byReferences, inLater]).toEqual([byId, byId])
  })

  test('[CONF-8] reads what is not stored as its own errors', async () => {
    const model = play(WIRES.responses, { text: 'One.', reasoning })
    const { responses } = new OpenAI({ baseURL: model.baseURL, apiKey: model.apiKey, maxRetries: 0 })
    const unstored = await responses.create({ model: model.model, input: 'Hello.', store: false })
    const user = { role: 'user' as const, content: 'Go on.' }
    await expect(
      responses.create({ model: model.model, input: [user], previous_response_id: unstored.id }),
    ).rejects.toMatchObject({ status: 400, code: 'previous_response_not_found' })
    await expect(
      responses.create({
        model: model.model,
        input: [...(unstored.output as OpenAI.Responses.ResponseInputItem[]), user],
      }),
    ).rejects.toMatchObject({ status: 404, message: expect.stringContaining('Items are not persisted') })
  })
})

describe("Anthropic's own client", () => {
  const body = (content: string) => ({ model: 'claude-any', messages: [{ role: 'user' as const, content }] })
  const open = ({ baseURL, apiKey }: Play) => new Anthropic({ baseURL, apiKey, maxRetries: 0 }).messages

  test('[LLM-1] counts tokens, which takes no step of the script', async () => {
    const model = play(WIRES.anthropic, { text: 'Done.' })
    const { input_tokens: few } = await open(model).countTokens(body('Hello.'))
    const { input_tokens: many } = await open(model).countTokens(body('Hello. '.repeat(100)))
    expect(many).toBeGreaterThan(few)
    expect([...model.requests, ...model.failures]).toEqual([])
    const { content } = await open(model).create({ ...body('Hello.'), max_tokens: 100 })
    expect(content).toMatchObject([{ text: 'Done.' }])
  })

  test.each<[string, object, string]>([
    ['with a limit', { max_tokens: 100 }, 'max_tokens'],
    ['with no message', { messages: [] }, 'the user must have the first'],
  ])('[LLM-1] is refused to count a body %s', async (_, more, message) => {
    const model = play(WIRES.anthropic)
    const counted = open(model).countTokens({ ...body('Hello.'), ...more })
    await expect(counted).rejects.toMatchObject({ status: 400, message: expect.stringContaining(message) })
    expect(model.failures).toEqual([expect.stringContaining(message)])
  })
})

test.each([false, true])(
  "[CONF-8] Google's own client gives back files that a model makes (stream: %s)",
  async (stream) => {
    const file = { mediaType: 'image/png', data: Buffer.from('an image').toString('base64') }
    const model = play(WIRES.gemini, { text: 'Here it is.', files: [file] }, { text: 'Done.' })
    const speak = clients.find(([wire]) => wire === WIRES.gemini)![1](model)
    for (const _ of [1, 2]) await speak(stream)
    expect(model.failures).toEqual([])
    expect(model.requests[1]!.messages[1]).toEqual({ role: 'assistant', text: 'Here it is.', files: [file] })
    expect(model.answers.map(({ files }) => files)).toEqual([[file], undefined])
  },
)
