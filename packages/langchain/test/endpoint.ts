import { type ModelEndpoint, openModelEndpoint } from '@repertoire/conformance'
import { afterAll, beforeAll } from 'vitest'

/** A model endpoint for the tests of one file, or of one `describe`. */
export function useEndpoint(): Pick<ModelEndpoint, 'play'> {
  let endpoint: ModelEndpoint
  beforeAll(async () => {
    endpoint = await openModelEndpoint()
  })
  afterAll(() => endpoint.close())
  return { play: (...args) => endpoint.play(...args) }
}
