import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { maskForSharing } from '@repertoire/core/internal'
import { readAudit } from '@repertoire/core/node'
import { UsageError } from '../usage-error.ts'

/** Where the page is: in the package, or where the sources build it. */
const PLACES = ['../inspector.html', '../../../../apps/inspector/dist/inspector.html']
const SAMPLE_PLACES = ['../sample.jsonl', '../../../../apps/inspector/sample.jsonl']

/** Where logs stand in the page. The page is built with this mark. */
const LOGS_MARK = '<!--logs-->'

/** What a page says of logs that a program has made, such as the demo. */
export interface PageIntroduction {
  /** A sentence above the views. */
  readonly notice: string
  /** What the page shows first: the part of its address from `#` on. */
  readonly start: string
}

/** Returns the page of the inspector, without logs. */
export function inspectorPage(): string {
  const place = placeOf(PLACES)
  if (place === undefined)
    throw new UsageError('The page is not built. Run "npx turbo run build --filter=@repertoire/inspector".')
  return readFileSync(place, 'utf8')
}

/** Returns the path of a log to try the page with. */
export function sampleLog(): string {
  return fileURLToPath(placeOf(SAMPLE_PLACES)!)
}

function placeOf(paths: readonly string[]): URL | undefined {
  return paths.map((path) => new URL(path, import.meta.url)).find((url) => existsSync(url))
}

/** Returns the page with logs in it, as one file. Secrets and home folders in them are masked. */
export async function pageWithLogs(paths: readonly string[], introduction?: PageIntroduction): Promise<string> {
  const elements: string[] = []
  if (introduction !== undefined) {
    const text = encoded(JSON.stringify(introduction))
    elements.push(`<script type="application/json" data-introduction="${text}"></script>`)
  }
  for (const path of paths) {
    const data = gzipSync(await maskedLog(path)).toString('base64')
    elements.push(`<script type="application/gzip" data-log="${encoded(basename(path))}">${data}</script>`)
  }
  const page = inspectorPage()
  const at = page.indexOf(LOGS_MARK) + LOGS_MARK.length
  return page.slice(0, at) + elements.join('') + page.slice(at)
}

async function maskedLog(path: string): Promise<string> {
  const lines: string[] = []
  const events = readAudit(path, { onTorn: ({ text }) => void lines.push(masked(text)) })
  for await (const event of events) lines.push(JSON.stringify(maskForSharing(event)))
  return `${lines.join('\n')}\n`
}

/** A line that is no event, without secrets. A torn line is no JSON: of it only the fact stays that it was there. */
function masked(line: string): string {
  try {
    return JSON.stringify(maskForSharing(JSON.parse(line)))
  } catch {
    return '[torn]'
  }
}

function encoded(name: string): string {
  return encodeURIComponent(String(maskForSharing(name))).replaceAll("'", '%27')
}
