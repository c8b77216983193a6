import { ToolFailure } from '../result.ts'

/** A value of the query: a list is the same name several times. */
export type QueryValue = string | number | boolean | readonly (string | number | boolean)[]

/**
 * Reads the address of a request.
 * @throws {ToolFailure} INPUT_INVALID
 */
export function readUrl(text: string, query: Readonly<Record<string, QueryValue>>): URL {
  // URLs leave these out without a word, so that the text would say another address than the one that is asked.
  const url = /[\0-\x20\x7F\\]/.test(text) ? null : URL.parse(text)
  if (url === null) throw invalid(text, 'is not a URL. Pass one such as "https://example.com/path"')
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) url.searchParams.append(name, String(each))
  }
  return url
}

/**
 * Checks one hop before anything is sent.
 * @throws {ToolFailure} INPUT_INVALID
 */
export function checkUrl(url: URL): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw invalid(url.href, 'is not an address of the web. Pass one that begins with "https://" or "http://"')
  }
  if (url.username !== '' || url.password !== '') {
    throw new ToolFailure('INPUT_INVALID', 'The URL holds a user name or a password. Pass credentials in a header.')
  }
}

function invalid(text: string, why: string): ToolFailure {
  return new ToolFailure('INPUT_INVALID', `${JSON.stringify(text.slice(0, 200))} ${why}.`)
}

const HOST = /^(?:\*\.)?[^\s*/?#@:[\]]+(?::\d{1,5})?$|^\[[\da-f:.]+\](?::\d{1,5})?$/i

/**
 * Returns a check that throws `NOT_ALLOWED` for every host but these: `api.example.com`, `*.example.com` for everything
 * below it, each with or without a port.
 * @param hosts undefined: every host
 * @throws {TypeError} an entry is something else
 */
export function createHostCheck(hosts: readonly string[] | undefined): (url: URL) => void {
  if (hosts === undefined) return () => undefined
  const patterns = hosts.map(readHost)
  return ({ host, hostname, port, protocol }) => {
    const isAllowed = patterns.some(
      ({ name, below, port: wanted }) =>
        (below ? hostname.endsWith(`.${name}`) : hostname === name) &&
        (wanted === undefined || wanted === (port || (protocol === 'https:' ? '443' : '80'))),
    )
    if (isAllowed) return
    const message = `${JSON.stringify(host)} is not among the hosts that may be asked: ${hosts.join(', ') || 'none'}.`
    throw new ToolFailure('NOT_ALLOWED', message)
  }
}

function readHost(text: string): { readonly name: string; readonly below: boolean; readonly port: string | undefined } {
  if (HOST.test(text)) {
    const [, below, rest = '', port] = /^(\*\.)?(.*?)(?::(\d+))?$/.exec(text)!
    const url = URL.parse(`http://${rest}`)
    // As URLs write it: lower case, Punycode.
    if (url !== null) return { name: url.hostname, below: below !== undefined, port }
  }
  throw new TypeError(
    `httpRequestTool: \`allow\` takes hosts such as "api.example.com", "*.example.com" and "localhost:8080", not ${JSON.stringify(text)}.`,
  )
}
