import { ToolFailure } from '../result.ts'

/** Headers that say how the message is sent. They are the tool's: another host or length is another request. */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set(
  (
    'host connection content-length transfer-encoding upgrade keep-alive te trailer expect via forwarded ' +
    'accept-encoding http2-settings'
  ).split(' '),
)

/** Headers that certainly hold nothing secret: all that goes along to another origin. */
const HARMLESS: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'cache-control',
  'content-language',
  'content-type',
  'user-agent',
])

/** @throws {ToolFailure} INPUT_INVALID */
export function readHeaders(given: Readonly<Record<string, string>>): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(given)) {
    const lower = name.toLowerCase()
    if (OF_THE_CONNECTION.has(lower) || lower.startsWith('proxy-')) throw invalid(name, 'is set by the tool itself')
    try {
      headers.append(name, value)
    } catch {
      throw invalid(name, 'has a name or a value that headers cannot have, such as one with a line break')
    }
  }
  return headers
}

/** The headers that another origin is sent. */
export function headersForOtherOrigin(headers: Headers): Headers {
  return new Headers([...headers].filter(([name]) => HARMLESS.has(name)))
}

function invalid(name: string, why: string): ToolFailure {
  return new ToolFailure('INPUT_INVALID', `The header ${JSON.stringify(name.slice(0, 80))} ${why}. Leave it out.`)
}
