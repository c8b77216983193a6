import { encodeMessage } from '../answer.ts'
import { openAIVendor } from '../openai/openai.ts'
import type { Exchange, Protocol } from '../protocol.ts'
import { writeAnswer } from './answer.ts'
import { decodeRequest } from './request.ts'

const exchange: Exchange = { decode: decodeRequest, write: writeAnswer }

/** OpenAI Responses, in JSON and as server-sent events. OpenAI API reference, "Responses". */
export const responsesProtocol: Protocol = {
  ...openAIVendor,
  name: 'OpenAI Responses',
  model: 'gpt-5-conformance',
  served: 'POST /responses',
  route: ({ method, path }) => (`${method} ${path}` === 'POST /v1/responses' ? exchange : undefined),
  encode: encodeMessage,
}
