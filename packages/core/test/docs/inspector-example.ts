import { openRepertoire, type Repertoire } from '@repertoire/core'
import { directorySource, inspectorSink, jsonLinesAudit } from '@repertoire/core/node'

/** Opens a repertoire that writes a log, and sends the same events to a page if its address is given. */
export function openInspected(root: string, path: string, inspector: string | undefined): Promise<Repertoire> {
  const sink = [jsonLinesAudit({ path }), ...(inspector === undefined ? [] : [inspectorSink({ url: inspector })])]
  return openRepertoire({ sources: [directorySource({ root })], audit: { sink, inputs: 'redacted' } })
}
