import { createCounters, openRepertoire, type Counters, type Repertoire } from '@repertoire/core'
import { directorySource, jsonLinesAudit, readAudit } from '@repertoire/core/node'
import { otelAudit } from '@repertoire/core/opentelemetry'

/** Opens a repertoire that does nothing it cannot write to the file, with spans, metrics and figures beside it. */
export async function openAudited(root: string, path: string): Promise<[Repertoire, Counters]> {
  const file = jsonLinesAudit({ path })
  const counters = createCounters()
  const audit = { sink: [file, otelAudit(), counters], required: true }
  return [await openRepertoire({ sources: [directorySource({ root })], audit }), counters]
}

/** What was refused in a task, and why. */
export async function refusalsOf(path: string, task: string): Promise<readonly string[]> {
  const lines: string[] = []
  for await (const { session, outcome, type, tool = '', code = '', reason = '' } of readAudit(path)) {
    if (session === task && outcome === 'refused') lines.push([type, tool, code, reason].join(' '))
  }
  return lines
}
