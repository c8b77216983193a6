/** Whether a host, with its port, is one that may be asked. */
export type HostCheck = (url: URL) => boolean

const HOST = /^(?:\*\.)?[^\s*/?#@:[\]]+(?::\d{1,5})?$|^\[[\da-f:.]+\](?::\d{1,5})?$/i

/**
 * Reads a list of hosts: `api.example.com`, `*.example.com` for everything below it, each with or without a port.
 * @param hosts undefined: every host
 * @throws {TypeError} an entry is something else
 */
export function createHostCheck(hosts: readonly string[] | undefined): HostCheck {
  if (hosts === undefined) return () => true
  const patterns = hosts.map(readHost)
  return ({ hostname, port, protocol }) =>
    patterns.some(
      ({ name, below, port: wanted }) =>
        (below ? hostname.endsWith(`.${name}`) : hostname === name) &&
        (wanted === undefined || wanted === (port || (protocol === 'https:' ? '443' : '80'))),
    )
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
