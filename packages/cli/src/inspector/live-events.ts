import type { ServerResponse } from 'node:http'

/** Events of a running agent, for pages that come now or later. */
export interface LiveEvents {
  /** Adds an event, one line of JSON. False: there is no room for it. */
  add(line: string): boolean
  /** Sends what came after an event, and what comes from now on, as server-sent events. */
  send(response: ServerResponse, after: number): void
}

/** Characters of events that are kept. A run of an hour has a few million. */
const MAX_CHARS = 256 * 1024 * 1024

/** Bytes that wait for one page. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024

/** Keeps events for pages. */
export function openLiveEvents(): LiveEvents {
  const lines: string[] = []
  const pages = new Set<ServerResponse>()
  let chars = 0
  return {
    add(line) {
      if (chars + line.length > MAX_CHARS) return false
      chars += line.length
      const id = lines.push(line)
      for (const page of pages) {
        page.write(messageOf(id, line))
        // A page that does not read gets them when it comes back.
        if (page.writableLength > MAX_UNREAD_BYTES) page.destroy()
      }
      return true
    },
    send(response, after) {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(': open\n\n')
      lines.slice(after).forEach((line, index) => response.write(messageOf(after + index + 1, line)))
      pages.add(response)
      response.once('close', () => pages.delete(response))
    },
  }
}

function messageOf(id: number, line: string): string {
  return `id: ${id}\ndata: ${line}\n\n`
}
