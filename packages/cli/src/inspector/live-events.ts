import type { ServerResponse } from 'node:http'

/** Events of a running agent, for pages that come now or later. */
export interface LiveEvents {
  /** Adds an event, one line of JSON. False: there is no room for it, which pages are told. */
  add(line: string): boolean
  /** Sends what came after an event, and what comes from now on, as server-sent events. */
  send(response: ServerResponse, after: number): void
}

/** Characters of events that are kept. A run of an hour has a few million. */
const MAX_CHARS = 256 * 1024 * 1024

/** Bytes that wait for one page. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024

/** Keeps events for pages. @param maxChars in all */
export function openLiveEvents(maxChars = MAX_CHARS): LiveEvents {
  const lines: string[] = []
  const pages = new Set<ServerResponse>()
  let chars = 0
  let isFull = false

  function tell(line: string): void {
    chars += line.length
    const id = lines.push(line)
    for (const page of pages) {
      page.write(messageOf(id, line))
      // A page that does not read gets them when it comes back.
      if (page.writableLength > MAX_UNREAD_BYTES) page.destroy()
    }
  }

  return {
    add(line) {
      if (isFull) return false
      isFull = chars + line.length > maxChars
      tell(isFull ? FULL : line)
      return !isFull
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

/** What pages read in the place of events that they do not get. */
const FULL = JSON.stringify({ leftOut: { kind: 'full', count: 1, line: 0 } })

function messageOf(id: number, line: string): string {
  return `id: ${id}\ndata: ${line}\n\n`
}
