import { DEFAULT_LAYERS, type Layer } from '@repertoire/core'
import type { Command } from 'commander'
import type { Context, ExitCode, Finish } from '../context.ts'
import { shownConfiguration, switchedOff } from '../output/configuration.ts'
import { SHOWN_DIAGNOSTICS, diagnosticsText } from '../output/diagnostics.ts'
import { toJson } from '../output/json.ts'
import { type ListedRow, listText, rowsOf } from '../output/skill-list.ts'
import { PROFILE_HELP, diagnosticsOption, jsonOption, repeatableOption } from './options.ts'
import { SOURCES_HELP, type SourceOptions, addSourceOptions, isAboutRoot, openSkills } from './skill-sources.ts'

interface ListOptions extends SourceOptions {
  readonly all?: true
  readonly byLayer?: true
  readonly layer?: readonly Layer[]
  readonly json?: true
  readonly diagnostics?: true
}

const HELP = `${SOURCES_HELP}

Where two skills have one name, the higher layer wins, then the higher "priority", then the one found first, or
as "layers" and "collision" of the configuration say. Skills that lost are shadowed. Skills whose "status" is draft or
disabled are not listed either. --all lists both and says why.

${PROFILE_HELP}

The JSON value is { skills, diagnostics, configuration }. A skill has name, description, location and layer; with --all
it also has shadowedBy (the location of the skill that won) or status ("draft" or "disabled"), where that keeps it from
being used. A diagnostic has code, severity, path and message, and often line and hint. The configuration is { files,
settings }: the files that were read, and, by its name, each setting that was set and counts here, as { value, from, at? },
where from is user, project, environment or option, and at the file or variable.

Diagnostics go to stderr, so that what is piped on holds skills alone.
Exit code: 0, also where some skills are broken (use validate to judge them); 1 if a ROOT cannot be searched;
2 for a wrong command or an invalid configuration.

Examples:
  $ repertoire list
  $ repertoire list skills --all
  $ repertoire list --by-layer --all
  $ repertoire list . --recursive
  $ repertoire list ~/skills --profile strict --json | jq -r '.skills[].name'
`

/** Adds `repertoire list`. */
export function addList(program: Command, context: Context, finish: Finish): void {
  const command = program
    .command('list')
    .summary('list the skills that an agent would be offered')
    .description('List the skills that an agent would be offered, from some folders or from the usual places.')
  addSourceOptions(command)
    .option('-a, --all', 'list shadowed, draft and disabled skills as well')
    .option('-l, --by-layer', 'list each layer under a heading of its own, highest first')
    .addOption(repeatableOption('--layer <name>', 'list skills of this layer only', DEFAULT_LAYERS))
    .addOption(jsonOption())
    .addOption(diagnosticsOption(SHOWN_DIAGNOSTICS))
    .addHelpText('after', HELP)
    .action(async (roots: string[], options: ListOptions) => finish(await list(roots, options, context)))
}

async function list(given: readonly string[], options: ListOptions, context: Context): Promise<ExitCode> {
  const { stdout, stderr, folder } = context
  const opened = await openSkills(given, options, context)
  if (opened === undefined) return 2
  const { repertoire, configuration, sources, roots, problems } = opened
  const { catalog } = repertoire
  const diagnostics = [...problems, ...catalog.diagnostics]
  const all = options.all === true
  const rows = rowsOf(catalog, { all, layers: options.layer })

  if (options.json) {
    await stdout.write(
      toJson({
        skills: rows.map(skillJson),
        diagnostics,
        configuration: shownConfiguration(configuration, roots.length === 0),
      }),
    )
  } else {
    const searchedFolders = sources.flatMap(({ id }) =>
      id.startsWith('directory:') ? [id.slice('directory:'.length)] : [],
    )
    const recursive = options.recursive === true
    const byLayer = options.byLayer === true
    const { layers } = configuration
    const style = { catalog, diagnostics, layers, searchedFolders, recursive, all, byLayer, folder, output: stdout }
    const off = switchedOff(configuration, folder)
    await stdout.write(off === undefined ? listText(rows, style) : `${off}\n`)
    const limit = options.diagnostics ? Infinity : SHOWN_DIAGNOSTICS
    const text = diagnosticsText(diagnostics, { paint: stderr.paint, folder, limit })
    if (text !== '') await stderr.write(`\n${text}`)
  }
  return diagnostics.some((diagnostic) => isAboutRoot(diagnostic, roots)) ? 1 : 0
}

function skillJson({ skill, shadowedBy }: ListedRow) {
  const { name, manifest, location, layer } = skill
  return {
    name,
    description: manifest.description,
    location,
    layer,
    ...(shadowedBy === undefined ? {} : { shadowedBy: shadowedBy.location }),
    ...(manifest.status === 'active' ? {} : { status: manifest.status }),
  }
}
