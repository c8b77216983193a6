import type { ServerResponse } from 'node:http'

/** Events of a running agent, for pages that come now or later. */
export interface LiveEvents {
  /** Adds an event, one line of JSON. */
  add(line: string): void
  /** Sends what came after an event, and what comes from now on, as server-sent events. */
  send(response: ServerResponse, after: number): void
}

/** Bytes that wait for one page. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024

/** Keeps events for pages, until the command ends. A run of an hour has a few million characters. */
export function openLiveEvents(): LiveEvents {
  const lines: string[] = []
  const pages = new Set<ServerResponse>()
  return {
    add(line) {
      const id = lines.push(line)
      for (const page of pages) {
        page.write(messageOf(id, line))
        // A page that does not read gets them when it comes back.
        if (page.writableLength > MAX_UNREAD_BYTES) page.destroy()
      }
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
