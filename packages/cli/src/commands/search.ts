import type { Command } from 'commander'
import type { Context, ExitCode, Finish } from '../context.ts'
import { switchedOff } from '../output/configuration.ts'
import { printFindings } from '../output/diagnostics.ts'
import { toJson } from '../output/json.ts'
import { count, paragraphs, shorten, visibleLine, visibleName } from '../output/text.ts'
import { UsageError } from '../usage-error.ts'
import { jsonOption, repeatableOption } from './options.ts'
import { addReadOptions, openSkills } from './skill-sources.ts'
import type { SourceOptions } from './skill-sources.ts'
import { addScopeOptions, type ScopeOptions, viewerOf } from './viewer.ts'

interface SearchOptions extends SourceOptions, ScopeOptions {
  readonly root?: readonly string[]
  readonly json?: true
}

/** As many as fit on a screen with their descriptions. */
const MAX_HITS = 10

const NOTHING = 'No skill fits. Try the names of products, formats or techniques, or other words.'

const HELP = `
The names of products, formats and techniques find the most: "fill AcroForm fields of a PDF" rather than "help me". At most 10 skills are shown.

Exit code: 0 if a skill was found; 1 if not, or if a folder cannot be read; 2 for a wrong command.

Examples:
  $ repertoire search "fill a PDF form"
  $ repertoire search merge documents --root path/to/skills --json`

/** Adds `repertoire search`. */
export function addSearch(program: Command, context: Context, finish: Finish): void {
  const command = program
    .command('search')
    .summary('find the skills that fit a task')
    .description('Find the skills that fit a task, best first.')
    .argument('<QUERY...>')
    .addOption(repeatableOption('--root <folder>', 'search the skills of this folder only'))
  addScopeOptions(addReadOptions(command))
    .addOption(jsonOption())
    .addHelpText('after', paragraphs(HELP, context.stdout))
    .action(async (query: string[], options: SearchOptions) => finish(await search(query, options, context)))
}

async function search(words: readonly string[], options: SearchOptions, context: Context): Promise<ExitCode> {
  const { stdout } = context
  const query = words.join(' ').trim()
  if (query === '') throw new UsageError('The QUERY is empty. Name what is searched for.')
  const { repertoire, configuration, problems, isRootLost } = await openSkills(options.root ?? [], options, context)
  const { catalog } = repertoire
  const { hits, diagnostics } = await catalog.search(query, { limit: MAX_HITS, viewer: viewerOf(options) })
  const found = hits.map((hit) => ({ ...hit, skill: catalog.get(hit.name) }))
  if (options.json) {
    const shown = found.map(({ skill, name, score }) => {
      return { name, description: skill.manifest.description, location: skill.location, score }
    })
    await stdout.write(toJson({ query, hits: shown, diagnostics: [...problems, ...diagnostics] }))
  } else {
    const width = (stdout.columns ?? Infinity) - 2
    const blocks = found.map(({ name, skill: { manifest } }) =>
      [stdout.paint.bold(visibleName(name)), `  ${shorten(visibleLine(manifest.description), width)}`].join('\n'),
    )
    const text = [...blocks, stdout.paint.bold(count(found.length, 'skill'))].join('\n\n')
    await stdout.print(`${switchedOff(configuration, context) ?? (found.length === 0 ? NOTHING : text)}\n`)
    await printFindings([...problems, ...diagnostics], context, 'after')
  }
  return hits.length > 0 && !isRootLost ? 0 : 1
}
