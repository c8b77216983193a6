import type { ServerResponse } from 'node:http'
import { writesOf } from './pieces.ts'
import type { Protocol, Refusal, WrittenAnswer } from './protocol.ts'

/**
 * Writes an answer in many small writes.
 * @param cut cuts the connection when half of the answer is sent
 */
export async function answer(response: ServerResponse, { contentType, parts }: WrittenAnswer, cut = false) {
  const writes = writesOf(parts)
  response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-cache' })
  await send(response, cut ? writes.slice(0, Math.ceil(writes.length / 2)) : writes)
  if (cut) response.destroy()
  else response.end()
}

/** Writes an error in the shape of the protocol. */
export function answerError(response: ServerResponse, protocol: Protocol, refusal: Refusal): void {
  if (response.destroyed) return
  if (response.headersSent) {
    response.destroy()
    return
  }
  const { headers, body } = protocol.error(refusal)
  response.writeHead(refusal.status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

/** Each write is handed to the system before the next begins, so that they are not joined here. */
async function send(response: ServerResponse, writes: readonly Buffer[]): Promise<void> {
  const disconnected = new Promise<void>((resolve) => void response.once('close', resolve))
  for (const write of writes) {
    if (response.destroyed) return
    const written = new Promise<void>((resolve) => void response.write(write, () => resolve()))
    // Sequential on purpose
    await Promise.race([written, disconnected])
  }
}
