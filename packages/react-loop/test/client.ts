import { expect } from 'vitest'
import { ask, hello } from './ask.ts'
import { openRawEndpoint, type RawAnswer, type RawEndpoint, type RawRequest } from './raw-endpoint.ts'
import type { ClientOptions } from '../src/client-options.ts'
import type { Model, ModelRequest } from '../src/model.ts'

/** Both ways of asking a model, for `describe.each`. */
export const STREAMED = [
  ['not streamed', false],
  ['streamed', true],
] as const

/** Makes the model "m" of a vendor's client; without an endpoint the vendor's own, or one that does not exist. */
export type MakeModel<Options extends ClientOptions> = (
  endpoint: RawEndpoint | undefined,
  options?: Partial<Options>,
) => Model

/**
 * What the tests of one client do again and again.
 * @param ok an answer that is not streamed
 */
export function clientOf<Options extends ClientOptions>(model: MakeModel<Options>, ok: RawAnswer) {
  return {
    /** Returns what one answer of the endpoint is read as. */
    read: async (answer: RawAnswer, streamed: boolean) =>
      ask(model(await openRawEndpoint(answer), { maxRetries: 0 } as Partial<Options>), streamed),
    /** Returns the one request that is sent for a conversation. */
    sent: async (request: Partial<ModelRequest>, options?: Partial<Options>): Promise<RawRequest> => {
      const endpoint = await openRawEndpoint(ok)
      await model(endpoint, options).complete({ ...hello, ...request }, {})
      expect(endpoint.requests).toHaveLength(1)
      return endpoint.requests[0]!
    },
  }
}
