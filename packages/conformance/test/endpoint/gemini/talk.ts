import { readEventStream } from '../vendors.ts'

/** Parts as the user's and as the model's turn. */
export const user = (...parts: unknown[]) => ({ role: 'user', parts })
export const model = (...parts: unknown[]) => ({ role: 'model', parts })

export const text = { text: 'Hello.' }

/** A body with one text of the user's, and whatever else is given. */
export const hello = (more: object = {}) => ({ contents: [user(text)], ...more })

/** A body with these contents. */
export const talk = (...contents: unknown[]) => hello({ contents })

/** A call as a client that keeps no ids gives it back. */
export const called = (name: string, args: unknown = {}) => ({
  functionCall: { name, args },
  thoughtSignature: 'c2lnbmVk',
})

/** The response to a call, by default without an id. */
export const gave = (name: string, response: unknown = { output: 'ok' }, more: object = {}) => ({
  functionResponse: { name, response, ...more },
})

/** The responses of an event stream. */
export async function streamed(response: Response): Promise<any[]> {
  return (await readEventStream(response, '\r\n')).map(({ data }) => JSON.parse(data!))
}

/** The parts of one answer, or of the pieces of one. */
export function partsOf(responses: readonly any[]): any[] {
  return responses.flatMap(({ candidates }) => candidates[0].content.parts)
}

/** Its text. */
export function textOf(responses: readonly any[]): string {
  return partsOf(responses)
    .map((part) => part.text ?? '')
    .join('')
}
