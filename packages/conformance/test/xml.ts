/** An element of a parsed document. */
export interface XmlElement {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly XmlElement[]
  /** All text directly inside, joined. */
  readonly text: string
}

const NAMED = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

/** Parses a document of elements, attributes and text as XML 1.0 demands it, and throws at the first breach. */
export function parseXml(xml: string): XmlElement {
  // XML 1.0, production [2]: what may stand in a document at all.
  if (/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u.test(xml))
    throw new Error('A character that XML does not know.')
  const prolog = '<?xml version="1.0" encoding="UTF-8"?>\n'
  if (!xml.startsWith(prolog)) throw new Error('No prolog.')
  let at = prolog.length

  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(xml)
    if (found !== null) at = pattern.lastIndex
    return found
  }
  const fail = (what: string): never => {
    throw new Error(`${what} at ${JSON.stringify(xml.slice(at, at + 40))}`)
  }

  function element(): XmlElement {
    const name = match(/<([a-z-]+)/y)?.[1] ?? fail('No element')
    const attributes = new Map<string, string>()
    for (let found = match(/\s+([a-z]+)="([^"<]*)"/y); found !== null; found = match(/\s+([a-z]+)="([^"<]*)"/y)) {
      if (attributes.has(found[1]!)) fail(`A second attribute ${found[1]}`)
      attributes.set(found[1]!, decoded(found[2]!.replace(/[\t\n\r]/g, ' ')))
    }
    if (match(/\s*\/>/y)) return { name, attributes, children: [], text: '' }
    if (!match(/\s*>/y)) fail('No end of a tag')
    const children: XmlElement[] = []
    let text = ''
    for (;;) {
      text += decoded(match(/[^<]*/y)![0])
      const end = match(/<\/([a-z-]+)>/y)
      if (end?.[1] === name) return { name, attributes, children, text }
      if (end !== null) fail(`</${end[1]}> ends <${name}>`)
      children.push(element())
    }
  }

  function decoded(raw: string): string {
    return raw.replace(/&([^;\s]*;?)/g, (_, reference: string) => {
      const [, hex, decimal, name] = /^(?:#x([0-9A-Fa-f]+)|#([0-9]+)|([a-z]+));$/.exec(reference) ?? []
      if (hex !== undefined || decimal !== undefined)
        return String.fromCodePoint(hex ? parseInt(hex, 16) : Number(decimal))
      return NAMED.get(name ?? '') ?? fail(`A reference &${reference}`)
    })
  }

  const root = element()
  if (xml.slice(at).trim() !== '') fail('More than one root')
  return root
}
