import { afterAll, beforeAll } from 'vitest'
import { type ModelEndpoint, openModelEndpoint } from '../../src/endpoint/endpoint.ts'
import type { Play } from '../../src/endpoint/play.ts'
import type { ScriptStep } from '../../src/endpoint/script.ts'

/** A step with a text and two calls side by side, the second under an id of its own. */
export const callStep = {
  text: 'Let me look.',
  calls: [
    { tool: 'Bash', input: { command: 'git status' } },
    { id: 'mine', tool: 'Read', input: { file_path: 'docs/größe.md' } },
  ],
} satisfies ScriptStep

/** An endpoint for the tests of a file. */
export function useEndpoint(): () => ModelEndpoint {
  let endpoint: ModelEndpoint | undefined
  beforeAll(async () => {
    endpoint = await openModelEndpoint()
  })
  afterAll(() => endpoint?.close())
  return () => endpoint!
}

/** Arguments as a protocol carries them that has JSON for them: the value, the text that is none, no arguments for none. */
export function carried(written: string): unknown {
  if (written === '') return {}
  try {
    return JSON.parse(written)
  } catch {
    return written
  }
}

/** Sends a request to a play, as a plain HTTP client does. Text and blobs are sent as they are. */
export function ask(play: Play, path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  return fetch(play.baseURL + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' || body instanceof Blob ? body : JSON.stringify(body),
  })
}

/** Asks Anthropic's way, with the play's key. */
export function askAnthropic(play: Play, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const own = { 'x-api-key': play.apiKey, 'anthropic-version': '2023-06-01' }
  return ask(play, '/v1/messages', body, { ...own, ...headers })
}

/** Asks Gemini's way, with the play's key. */
export function askGemini(play: Play, body: unknown, verb = 'generateContent', model = play.model) {
  return ask(play, `/v1beta/models/${model}:${verb}`, body, { 'x-goog-api-key': play.apiKey })
}

/** Reads an event stream by hand: fields of each event, in which lines end as given. */
export async function readEventStream(
  response: Response,
  end: '\n' | '\r\n' = '\n',
): Promise<Record<string, string>[]> {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(await response.arrayBuffer())
  const events = text.split(end + end)
  if (events.pop() !== '') throw new Error('The stream does not end with an empty line.')
  return events.map((event) =>
    Object.fromEntries(
      event.split(end).map((line) => {
        const colon = line.indexOf(': ')
        if (colon === -1) throw new Error(`Not a field: ${line}`)
        return [line.slice(0, colon), line.slice(colon + 2)]
      }),
    ),
  )
}
