import { maskForSharing } from '@repertoire/core/internal'
import type { LogEvent } from './model/event.ts'
import type { Log } from './model/log.ts'
import type { EmbeddedLog } from './page-html.ts'

/** Returns all logs for a file that is passed on: secrets and home folders are masked. */
export async function embedLogs(log: Log): Promise<readonly EmbeddedLog[]> {
  const byName = Map.groupBy(log.runs.values(), (run) => run.log)
  return Promise.all(
    [...byName].map(async ([name, runs]) => {
      const events = runs.flatMap((run) => run.events.map((event) => maskForSharing(written(event))))
      const lines = events.map((event) => `${JSON.stringify(event)}\n`)
      // Of lines that are no events, only the fact stays that they were there.
      lines.unshift('[left out]\n'.repeat(log.leftOut.get(name)?.count ?? 0))
      return { name: String(maskForSharing(name)), data: await compressed(lines) }
    }),
  )
}

/** An event as an audit writes it. */
function written(event: LogEvent): object {
  return { ...event, at: undefined }
}

async function compressed(lines: readonly string[]): Promise<string> {
  const stream = new Blob([...lines]).stream().pipeThrough(new CompressionStream('gzip'))
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer())
  let binary = ''
  for (let at = 0; at < bytes.length; at += 32_768) binary += String.fromCharCode(...bytes.subarray(at, at + 32_768))
  return btoa(binary)
}
