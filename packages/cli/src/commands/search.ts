import type { Command } from 'commander'
import { InvalidArgumentError, Option } from 'commander'
import type { Context, ExitCode, Finish } from '../context.ts'
import { switchedOff } from '../output/configuration.ts'
import { SHOWN_DIAGNOSTICS, diagnosticsText } from '../output/diagnostics.ts'
import { escapeJson, toJson } from '../output/json.ts'
import { foundText } from '../output/found-list.ts'
import { UsageError } from '../usage-error.ts'
import { jsonOption, repeatableOption } from './options.ts'
import { readBatch } from './search-batch.ts'
import { addReadOptions, isAboutRoot, type OpenedSkills, openSkills } from './skill-sources.ts'
import type { SourceOptions } from './skill-sources.ts'
import { addScopeOptions, type ScopeOptions, viewerOf } from './viewer.ts'

interface SearchOptions extends SourceOptions, ScopeOptions {
  readonly root?: readonly string[]
  readonly limit: number
  readonly json?: true
  readonly batch?: true
}

/** As many as fit on a screen with their reasons. */
const MAX_HITS = 10

const HELP = `
The names of products, formats and techniques find the most: "fill AcroForm fields of a PDF" rather than "help me".
A line for --batch is a phrase, a list of phrases, or { query, limit? }. It prints { query, hits } or { error }.

Exit code: 0 if a skill was found; 1 if not, or if a line or folder cannot be read; 2 for a wrong command.

Examples:
  $ repertoire search "fill a PDF form"
  $ repertoire search "merge PDF" "join documents" --limit 3
  $ repertoire search --batch < queries.jsonl`

/** Adds `repertoire search`. */
export function addSearch(program: Command, context: Context, finish: Finish): void {
  const command = program
    .command('search')
    .summary('find the skills that fit a task')
    .description('Find the skills that fit a task, best first.')
    .argument('[QUERY...]')
    .addOption(repeatableOption('--root <folder>', 'search the skills of this folder only'))
    .addOption(
      new Option('-n, --limit <number>', `the most skills that are found (default: ${MAX_HITS})`)
        .default(MAX_HITS)
        .argParser(readLimit),
    )
    .option('--batch', 'read queries as lines of JSON from stdin')
  addScopeOptions(addReadOptions(command))
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action(async (query: string[], options: SearchOptions) => finish(await search(query, options, context)))
}

function readLimit(text: string): number {
  const limit = Number(text)
  if (/^\d+$/.test(text) && limit >= 1) return limit
  throw new InvalidArgumentError('Give a whole number, 1 or more.')
}

async function search(query: readonly string[], options: SearchOptions, context: Context): Promise<ExitCode> {
  const isBatch = options.batch === true
  if (isBatch === query.length > 0) {
    throw new UsageError(
      isBatch
        ? 'With --batch the queries come from the standard input: leave out the QUERY.'
        : 'Name what is searched for, such as repertoire search "fill a PDF form"; or give --batch.',
    )
  }
  if (!isBatch && query.every((phrase) => phrase.trim() === '')) {
    throw new UsageError('The QUERY is empty. Name what is searched for.')
  }
  const opened = await openSkills(options.root ?? [], options, context)
  if (opened === undefined) return 2
  const isOpen = !opened.problems.some((problem) => isAboutRoot(problem, opened.roots))
  await report(opened.problems, context)
  const code = await (isBatch ? searchLines(opened, options, context) : searchOnce(query, opened, options, context))
  return isOpen ? code : 1
}

async function searchOnce(
  query: readonly string[],
  { repertoire: { catalog }, configuration }: OpenedSkills,
  options: SearchOptions,
  context: Context,
): Promise<ExitCode> {
  const { stdout } = context
  const { hits, diagnostics } = await catalog.search(query.length === 1 ? query[0]! : query, {
    limit: options.limit,
    viewer: viewerOf(options),
  })
  const found = hits.map((hit) => ({ ...hit, skill: catalog.get(hit.name) }))
  if (options.json) await stdout.write(toJson({ query, hits: found.map(hitJson), diagnostics }))
  else {
    const off = switchedOff(configuration, context)
    await stdout.write(off === undefined ? foundText(found, stdout) : `${off}\n`)
    await report(diagnostics, context)
  }
  return hits.length > 0 ? 0 : 1
}

async function searchLines(
  { repertoire: { catalog } }: OpenedSkills,
  options: SearchOptions,
  { stdout, input }: Context,
): Promise<ExitCode> {
  let code: ExitCode = 0
  for await (const line of readBatch(input?.())) {
    if ('error' in line) {
      code = 1
      await stdout.write(escapeJson(`${JSON.stringify(line)}\n`))
      continue
    }
    const { query, limit = options.limit } = line
    const { hits } = await catalog.search(query.length === 1 ? query[0]! : query, { limit, viewer: viewerOf(options) })
    const found = hits.map((hit) => hitJson({ ...hit, skill: catalog.get(hit.name) }))
    await stdout.write(escapeJson(`${JSON.stringify({ query, hits: found })}\n`))
  }
  return code
}

function hitJson({ skill, name, score }: Parameters<typeof foundText>[0][number]) {
  return { name, description: skill.manifest.description, location: skill.location, score }
}

async function report(findings: Parameters<typeof diagnosticsText>[0], { stderr, folder }: Context): Promise<void> {
  const text = diagnosticsText(findings, { paint: stderr.paint, folder, limit: SHOWN_DIAGNOSTICS })
  if (text !== '') await stderr.write(`\n${text}`)
}
