import type { ServerResponse } from 'node:http'

/** Events of a running agent, for pages that come now or later. */
export interface LiveEvents {
  /** Adds an event, one line of JSON. */
  add(line: string): void
  /** Sends what came after an event, and what comes from now on, as server-sent events. */
  send(response: ServerResponse, after: number): void
}

/** Bytes that wait for one page. */
const MAX_UNREAD_BYTES = 32 * 1024 * 1024

/** The newest events that are kept, in characters. A run of an hour has a few million. */
const MAX_KEPT_CHARS = 16 * 1024 * 1024

/** Keeps the newest events for pages. The ids of events rise by one, so a page sees how many it has missed. */
export function openLiveEvents(): LiveEvents {
  const lines = new Map<number, string>()
  let next = 1
  let kept = 0
  const pages = new Set<ServerResponse>()
  return {
    add(line) {
      const id = next++
      lines.set(id, line)
      kept += line.length
      for (const [oldest, { length }] of lines) {
        if (kept <= MAX_KEPT_CHARS) break
        lines.delete(oldest)
        kept -= length
      }
      for (const page of pages) {
        page.write(messageOf(id, line))
        // A page that does not read gets them when it comes back.
        if (page.writableLength > MAX_UNREAD_BYTES) page.destroy()
      }
    },
    send(response, after) {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(': open\n\n')
      for (const [id, line] of lines) if (id > after) response.write(messageOf(id, line))
      pages.add(response)
      response.once('close', () => pages.delete(response))
    },
  }
}

function messageOf(id: number, line: string): string {
  return `id: ${id}\ndata: ${line}\n\n`
}
