import { realpathSync } from 'node:fs'
import { type ConfigurationProblem, readYaml, type YamlEntry, type YamlNode } from '@repertoire/skill-md/internal'
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

/** JSON is YAML, and our reader of that knows lines. It is loaded only if there is a problem. */
async function withLines(problems: readonly LocatedProblem[], text: string): Promise<readonly ConfigurationProblem[]> {
  const result = await readYaml(text, 1)
  return problems.map(({ problem, path }) => {
    let node: YamlNode | undefined = 'root' in result ? result.root : undefined
    let { line } = problem
    for (const part of path) {
      if (node?.kind === 'map') {
        const entry: YamlEntry | undefined = node.entries.find(({ key }) => key === part)
        line = entry?.line ?? line
        node = entry?.value
      } else if (node?.kind === 'list') node = node.items[Number(part)]
    }
    return line === undefined ? problem : { ...problem, line }
  })
}
