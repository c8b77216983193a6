import { closeSync, realpathSync } from 'node:fs'
import type { Pair, YAMLMap } from 'yaml'
import type { ConfigurationProblem } from '../../errors.ts'
import { readBounded } from '../folder/bounded-read.ts'
import { escaped } from './problem.ts'
import type { Located } from './problem.ts'
import { OpenFailure, errorCode, explainOpenError } from '../folder/open-failure.ts'
import { openRegularFile } from '../folder/safe-open.ts'

/** A file as it was read: its value, and a way to tell the line of a problem. */
export type ReadFile =
  | {
      readonly state: 'read'
      readonly value: unknown
      lined(problems: readonly Located[]): Promise<readonly ConfigurationProblem[]>
    }
  | { readonly state: 'missing' }
  | { readonly state: 'failed'; readonly problem: ConfigurationProblem }

const MAX_BYTES = 1024 * 1024

/**
 * Reads a configuration file, JSON.
 * @param links whether the file may be a link. A person's own often is one, to where they keep such files; in a project
 * it could lead to anything
 */
export async function readConfigurationFile(path: string, links: 'follow' | 'refuse'): Promise<ReadFile> {
  const failed = (message: string, line?: number): ReadFile => ({
    state: 'failed',
    problem: { key: '', message, at: path, ...(line !== undefined && { line }) },
  })
  let text: string
  try {
    const real = realPath(path)
    if (links === 'refuse' && real !== path) return failed('is a link, or lies behind one. Put the file itself there')
    const { fd, stats } = openRegularFile(real)
    try {
      const bytes = await readBounded(fd, stats.size, MAX_BYTES)
      if (bytes === undefined) return failed(`is larger than ${MAX_BYTES} bytes`)
      text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    if (!(error instanceof OpenFailure)) return failed('is not UTF-8 text')
    if (error.kind === 'missing') return { state: 'missing' }
    const code = errorCode(error.cause)
    return failed(`cannot be read (${code === '' ? `no regular file: ${error.kind}` : code})`)
  }
  try {
    const value: unknown = JSON.parse(text)
    return { state: 'read', value, lined: (problems) => withLines(problems, text) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return failed(`is not JSON: ${escaped(reason)}`, lineOf(reason, text))
  }
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path)
  } catch (error) {
    throw explainOpenError(error, path)
  }
}

/** The parser names a line or a position, or the end. Of a single wrong token it quotes what stands around it instead. */
function lineOf(reason: string, text: string): number | undefined {
  const line = /line (\d+)/.exec(reason)?.[1]
  if (line !== undefined) return Number(line)
  const position = /position (\d+)/.exec(reason)?.[1]
  if (position === undefined && !reason.includes('end of JSON')) return undefined
  return text.slice(0, position === undefined ? undefined : Number(position)).split('\n').length
}

/** JSON is YAML, and a YAML parser knows where things stand. It is loaded only when something is wrong. */
async function withLines(problems: readonly Located[], text: string): Promise<readonly ConfigurationProblem[]> {
  const { LineCounter, isMap, isScalar, isSeq, parseDocument } = await import('yaml')
  const counter = new LineCounter()
  let document: ReturnType<typeof parseDocument>
  try {
    document = parseDocument(text, { lineCounter: counter, schema: 'json', uniqueKeys: false, logLevel: 'silent' })
  } catch {
    // Nested so deep that there is no stack for it. The problems are what they are, without their lines.
    return problems.map(({ problem }) => problem)
  }
  // Each map is looked through once: of many keys, all may be wrong.
  const pairs = new Map<unknown, ReadonlyMap<unknown, Pair>>()
  const pairsOf = (map: YAMLMap): ReadonlyMap<unknown, Pair> => {
    const known = pairs.get(map)
    if (known !== undefined) return known
    const made = new Map(map.items.flatMap((pair) => (isScalar(pair.key) ? [[pair.key.value, pair] as const] : [])))
    pairs.set(map, made)
    return made
  }
  return problems.map(({ problem, path }) => {
    let node: unknown = document.contents
    let start: number | undefined
    for (const part of path) {
      if (isMap(node)) {
        const pair = pairsOf(node).get(part)
        if (isScalar(pair?.key)) start = pair.key.range?.[0] ?? start
        node = pair?.value
      } else if (isSeq(node)) {
        node = node.items[Number(part)]
      }
    }
    return start === undefined ? problem : { ...problem, line: counter.linePos(start).line }
  })
}
