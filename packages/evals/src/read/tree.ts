import { readYaml } from '@repertoire/skill-md/internal'

/** A value of a file, with the line on which it begins. */
export interface Node {
  readonly line: number
  readonly value: string | number | boolean | null | readonly Node[] | ReadonlyMap<string, Node>
}

/** Why a text is no tree. */
export class TreeError extends Error {
  readonly line: number

  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

const MAX_DEPTH = 100
const TOKEN = /"(?:[^"\\\r\n]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[[\]{},:]/y

/** Reads JSON with the lines of its values. @throws {TreeError} */
export function readJsonTree(text: string): Node {
  let at = text.startsWith('\uFEFF') ? 1 : 0
  let line = 1
  const next = (): string => {
    for (; at < text.length && ' \t\r\n'.includes(text[at]!); at++) if (text[at] === '\n') line++
    if (at === text.length) return ''
    TOKEN.lastIndex = at
    const [token] = TOKEN.exec(text) ?? []
    if (token === undefined)
      throw new TreeError(line, `JSON cannot contain ${JSON.stringify(text.slice(at, at + 12))} here`)
    at += token.length
    return token
  }
  const fail = (expected: string, token: string): never => {
    throw new TreeError(
      line,
      `expected ${expected}, found ${token === '' ? 'the end of the file' : token.slice(0, 40)}`,
    )
  }
  const scalar = (token: string): string | number | boolean | null => {
    try {
      return JSON.parse(token) as string | number | boolean | null
    } catch {
      return fail('a value', token)
    }
  }
  /** Reads what stands between brackets, after the opening one. */
  const each = (end: string, one: (token: string) => void): void => {
    let token = next()
    if (token === end) return
    for (;;) {
      one(token)
      token = next()
      if (token === end) return
      if (token !== ',') fail(`"," or "${end}"`, token)
      token = next()
    }
  }
  const read = (token: string, depth: number): Node => {
    if (depth > MAX_DEPTH) throw new TreeError(line, `values are nested more than ${MAX_DEPTH} deep`)
    const start = line
    if (token === '[') {
      const items: Node[] = []
      each(']', (first) => items.push(read(first, depth + 1)))
      return { line: start, value: items }
    }
    if (token !== '{') return { line: start, value: scalar(token) }
    const entries = new Map<string, Node>()
    each('}', (key) => {
      const name = key.startsWith('"') ? String(scalar(key)) : fail('a key in double quotes', key)
      const colon = next()
      if (colon !== ':') fail('":"', colon)
      entries.set(name, read(next(), depth + 1))
    })
    return { line: start, value: entries }
  }
  const root = read(next(), 0)
  const rest = next()
  return rest === '' ? root : fail('the end of the file', rest)
}

type YamlRoot = Extract<Awaited<ReturnType<typeof readYaml>>, { readonly root: unknown }>['root']

/** Reads YAML with the lines of its values. @throws {TreeError} */
export async function readYamlTree(text: string): Promise<Node> {
  const result = await readYaml(text, 1)
  if ('fault' in result) throw new TreeError(result.fault.line ?? 1, result.fault.message)
  const convert = (node: YamlRoot): Node => {
    if (node.kind === 'list') return { line: node.line, value: node.items.map(convert) }
    if (node.kind === 'scalar') return { line: node.line, value: node.value }
    return { line: node.line, value: new Map(node.entries.map(({ key, value }) => [key, convert(value)])) }
  }
  return convert(result.root)
}

/** Returns the entries of a mapping; undefined for another value. */
export function mapOf(node: Node | undefined): ReadonlyMap<string, Node> | undefined {
  return node?.value instanceof Map ? (node.value as ReadonlyMap<string, Node>) : undefined
}

/** Returns the items of a list; undefined for another value. */
export function listOf(node: Node | undefined): readonly Node[] | undefined {
  return Array.isArray(node?.value) ? (node.value as readonly Node[]) : undefined
}

/** Returns a text; undefined for another value. */
export function textOf(node: Node | undefined): string | undefined {
  return typeof node?.value === 'string' ? node.value : undefined
}

/** Returns the plain value. */
export function plain({ value }: Node): unknown {
  if (Array.isArray(value)) return (value as readonly Node[]).map(plain)
  if (!(value instanceof Map)) return value
  return Object.fromEntries([...(value as ReadonlyMap<string, Node>)].map(([key, each]) => [key, plain(each)]))
}
