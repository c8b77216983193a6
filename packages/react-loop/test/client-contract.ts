import { afterEach, describe, expect, test, vi } from 'vitest'
import { ask, hello } from './ask.ts'
import { clientOf, STREAMED } from './client.ts'
import { openRawEndpoint, type RawAnswer, type RawEndpoint } from './raw-endpoint.ts'
import type { ClientOptions } from '../src/client-options.ts'
import type { Model } from '../src/model.ts'

type ErrorClass = abstract new (...given: any[]) => Error

/** What differs between the clients of the vendors, on the wire and in their packages. */
export interface Vendor {
  /** A model "m"; without an endpoint the vendor's own, or one that there is not. */
  readonly model: (endpoint: RawEndpoint | undefined, options?: Omit<ClientOptions, 'model'>) => Model
  /** What is asked where no endpoint is given. */
  readonly address: string
  /** A whole answer. */
  readonly says: (streamed: boolean, text: string) => RawAnswer
  /** The beginning of a stream, a text and a whole call, and how the stream ends: without an end, or cut off. */
  readonly begins: (end: 'over' | 'cut') => RawAnswer
  /** The beginning of a stream, and then an error. */
  readonly failsMidway: (message: string) => RawAnswer
  /** An answer of an error. */
  readonly fails: (status: number, message: string) => RawAnswer
  /** Answers that are none. */
  readonly nothing: (streamed: boolean) => readonly RawAnswer[]
  /** The event of a stream that is written and goes no further. */
  readonly event: string
  /** What a run says that was aborted with the reason "enough". */
  readonly aborted: RegExp
  /** What errors of the endpoint are. */
  readonly ApiError: ErrorClass
  /** What an answer that cannot be used is. */
  readonly Unusable: ErrorClass
  /** What an environment made for another endpoint holds beside secrets. */
  readonly environment: Readonly<Record<string, string>>
  /** Variables with secrets. */
  readonly secrets: readonly string[]
}

const SECRET = 'SECRET-OF-ANOTHER'

/** What every client of a model does alike. */
export function describeClient(vendor: Vendor): void {
  describe('like every client', () => {
    afterEach(() => void vi.unstubAllEnvs())
    const { read } = clientOf(vendor.model, vendor.says(false, 'ok'))

    test('[ADPT-3, LLM-1] sends nothing of an environment that was made for another endpoint', async () => {
      for (const name of vendor.secrets) vi.stubEnv(name, SECRET)
      for (const [name, value] of Object.entries(vendor.environment)) vi.stubEnv(name, value.replace('SECRET', SECRET))
      const endpoint = await openRawEndpoint(vendor.says(false, 'ok'))
      await vendor.model(endpoint).complete(hello, {})
      expect(endpoint.requests).toHaveLength(1)
      expect(JSON.stringify(endpoint.requests)).not.toContain(SECRET)
    })

    test('[ADPT-3, LLM-1] uses the fetch that it is given, and sends the headers and fields that it is given', async () => {
      const endpoint = await openRawEndpoint(vendor.says(false, 'from afar'))
      const asked: string[] = []
      const model = vendor.model(undefined, {
        headers: { 'x-tenant': 'acme' },
        body: { further: 1 },
        fetch: (input, init) => {
          const url = new URL(input instanceof Request ? input.url : input.toString())
          asked.push(url.href)
          return fetch(`${endpoint.origin}${url.pathname}`, init)
        },
      })
      expect((await model.complete(hello, {})).text).toBe('from afar')
      expect(asked).toEqual([vendor.address])
      expect(endpoint.requests[0]?.headers['x-tenant']).toBe('acme')
      expect(endpoint.requests[0]?.body).toMatchObject({ further: 1 })
    })

    describe.each(STREAMED)('%s', (_, streamed) => {
      test('[ADPT-3, LLM-1] lets the errors of an endpoint surface as they are', async () => {
        const failing = read(vendor.fails(404, 'No such model.'), streamed)
        await expect(failing).rejects.toBeInstanceOf(vendor.ApiError)
        await expect(failing).rejects.toMatchObject({ status: 404 })
        await expect(failing).rejects.toThrow(/No such model\./)
      })

      test('[ADPT-3, LLM-1] takes an answer that is none for an error, and says which endpoint gave it', async () => {
        for (const answer of vendor.nothing(streamed)) {
          const failing = read(answer, streamed)
          await expect(failing).rejects.toBeInstanceOf(vendor.Unusable)
          await expect(failing).rejects.toThrow(/127\.0\.0\.1/)
          await expect(failing).rejects.toThrow(/"m"/)
        }
      })

      test('[ADPT-3, LLM-1] repeats a request after 429 and 5xx as often as it may, and no more', async () => {
        const [busy, down] = [vendor.fails(429, 'busy'), vendor.fails(503, 'down')]
        const endpoint = await openRawEndpoint(down, vendor.says(streamed, 'at last'), busy, busy, busy)
        const model = vendor.model(endpoint, { maxRetries: 1 })
        expect((await ask(model, streamed)).answer?.text).toBe('at last')
        await expect(ask(model, streamed)).rejects.toMatchObject({ status: 429 })
        expect(endpoint.requests).toHaveLength(4)
      })

      test('[ADPT-3, LLM-1] ends a request that is aborted, also where it waits to be repeated, and asks for nothing afterwards', async () => {
        for (const answer of [() => {}, vendor.fails(503, 'down')] satisfies RawAnswer[]) {
          const leaving = new AbortController()
          const endpoint = await openRawEndpoint((response) => {
            answer(response)
            leaving.abort(new Error('enough'))
          })
          const model = vendor.model(endpoint, { maxRetries: 8 })
          await expect(ask(model, streamed, hello, leaving.signal)).rejects.toThrow(vendor.aborted)
          await expect(ask(model, streamed, hello, leaving.signal)).rejects.toThrow(vendor.aborted)
          expect(endpoint.requests).toHaveLength(1)
        }
      })
    })

    describe('streams', () => {
      test('[ADPT-3, LLM-1, GATE-5] takes no call from one that broke off, even where the call looks whole', async () => {
        for (const end of ['over', 'cut'] as const) {
          const failing = read(vendor.begins(end), true)
          await expect(failing).rejects.toBeInstanceOf(vendor.Unusable)
          await expect(failing).rejects.toThrow(/127\.0\.0\.1/)
        }
      })

      test('[ADPT-3, LLM-1] lets an error that comes in the middle of one surface as it is', async () => {
        const failing = read(vendor.failsMidway('The model fell over.'), true)
        await expect(failing).rejects.toBeInstanceOf(vendor.ApiError)
        await expect(failing).rejects.toThrow(/The model fell over\./)
      })

      test('[ADPT-3, LLM-1] ends the request where nobody reads on', async () => {
        const closed = Promise.withResolvers<void>()
        const endpoint = await openRawEndpoint((response) => {
          response.on('close', closed.resolve)
          response.writeHead(200, { 'content-type': 'text/event-stream' })
          response.write(vendor.event)
        })
        for await (const part of vendor.model(endpoint).stream(hello, {})) if (part.type === 'text') break
        await closed.promise
      })
    })
  })
}
