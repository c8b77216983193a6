import { realpathSync } from 'node:fs'
import type { Pair, YAMLMap } from 'yaml'
import { importYaml, type ConfigurationProblem } from '@repertoire/skill-md/internal'
import { readJsonFile } from '../folder/reading.ts'
import { escapeControls, type LocatedProblem } from './problem.ts'
import { errorCode, explainOpenError } from '../folder/open-error.ts'

/** The result of reading a file: its value, and a function that adds lines to problems. */
export type ConfigurationFile =
  | {
      readonly state: 'read'
      readonly value: unknown
      /** Adds the line in the file to each problem. */
      withLines(problems: readonly LocatedProblem[]): Promise<readonly ConfigurationProblem[]>
    }
  | { readonly state: 'missing' }
  | { readonly state: 'failed'; readonly problem: ConfigurationProblem }

/**
 * Reads a configuration file, JSON.
 * @param links whether the file may be a link. That of a person often is one, to a folder with all their settings; in a
 * project a link could lead anywhere
 */
export async function readConfigurationFile(path: string, links: 'follow' | 'refuse'): Promise<ConfigurationFile> {
  const failed = (message: string, line?: number): ConfigurationFile => ({
    state: 'failed',
    problem: { key: '', message, at: path, line },
  })
  let real: string
  try {
    real = realpathSync.native(path)
  } catch (error) {
    const failure = explainOpenError(error, path)
    return failure.kind === 'missing'
      ? { state: 'missing' }
      : failed(`cannot be read (${errorCode(failure.cause) || failure.kind})`)
  }
  if (links === 'refuse' && real !== path)
    return failed('is a link, or is reached through one. Put the file itself there')
  const file = await readJsonFile(real)
  if (file.state === 'failed') {
    const { problem, text } = file
    return failed(escapeControls(problem), text === undefined ? undefined : lineOf(problem, text))
  }
  if (file.state === 'missing') return file
  const { value, text } = file
  return { state: 'read', value, withLines: (problems) => withLines(problems, text) }
}

/** The parser's message names a line, a position, or the end; for a single wrong token it only quotes the text around it. */
function lineOf(reason: string, text: string): number | undefined {
  const line = /line (\d+)/.exec(reason)?.[1]
  if (line !== undefined) return Number(line)
  const position = /position (\d+)/.exec(reason)?.[1]
  if (position === undefined && !reason.includes('end of JSON')) return undefined
  return text.slice(0, position === undefined ? undefined : Number(position)).split('\n').length
}

/** JSON is YAML, and a YAML parser knows positions. It is loaded only if there is a problem. */
async function withLines(problems: readonly LocatedProblem[], text: string): Promise<readonly ConfigurationProblem[]> {
  const { LineCounter, isMap, isScalar, isSeq, parseDocument } = (await importYaml()) as typeof import('yaml')
  const counter = new LineCounter()
  let document: ReturnType<typeof parseDocument>
  try {
    document = parseDocument(text, { lineCounter: counter, schema: 'json', uniqueKeys: false, logLevel: 'silent' })
  } catch {
    // Nested too deeply for the stack. The problems are reported without lines.
    return problems.map(({ problem }) => problem)
  }
  // Each map is indexed once, since many of its keys may have problems.
  const pairs = new Map<unknown, ReadonlyMap<unknown, Pair>>()
  const pairsOf = (map: YAMLMap): ReadonlyMap<unknown, Pair> => {
    const indexed = pairs.get(map)
    if (indexed !== undefined) return indexed
    const index = new Map(map.items.flatMap((pair) => (isScalar(pair.key) ? [[pair.key.value, pair] as const] : [])))
    pairs.set(map, index)
    return index
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
