import { DEFAULT_LAYERS, type Layer, type Profile } from '@repertoire/core'
import type { Configuration } from '@repertoire/core/node'
import type { Command } from 'commander'
import { join } from 'node:path'
import type { Context, ExitCode, Finish } from '../context.ts'
import { shownConfiguration, switchedOff } from '../output/configuration.ts'
import { SHOWN_DIAGNOSTICS, diagnosticsText } from '../output/diagnostics.ts'
import { toJson } from '../output/json.ts'
import { type ListedRow, listText, rowsOf } from '../output/skill-list.ts'
import { UsageError } from '../usage-error.ts'
import { ownSkills, withOtherLock } from './other-locks.ts'
import { PROFILE_HELP, diagnosticsOption, jsonOption, repeatableOption } from './options.ts'
import { type RunnerName, openAskedRunner, runnerOption } from './runner-choice.ts'
import { checkSkillScripts } from './script-checks.ts'
import { SOURCES_HELP, type SourceOptions, addSourceOptions, isAboutRoot, openSkills } from './skill-sources.ts'

interface ListOptions extends SourceOptions {
  readonly all?: true
  readonly byLayer?: true
  readonly layer?: readonly Layer[]
  readonly json?: true
  readonly diagnostics?: true
  readonly scripts?: true
  readonly runner?: RunnerName
  readonly global?: true
}

const HELP = `${SOURCES_HELP}

Where two skills have one name, the higher layer wins, then the higher "priority", then the one found first, or
as "layers" and "collision" of the configuration say. Skills that lost are shadowed. Skills whose "status" is draft or
disabled are not listed either, nor are those that "admit" does not admit. --all lists them and says why.

${PROFILE_HELP}

The JSON value is { skills, diagnostics, configuration }. A skill has name, description, location and layer; with --all
it also has shadowedBy (the location of the skill that won), status ("draft" or "disabled") or refused (why it is not
admitted), where that keeps it from being used; kept ({ lock, source }) is there where another command has installed it
for you, and keeps it in a lock of its own. A diagnostic has code, severity, path and message, and often line and hint. The configuration is { files,
settings }: the files that were read, and, by its name, each setting that was set and counts here, as { value, from, at? },
where from is user, project, environment or option, and at the file or variable.

--scripts says of each script whether it can be run here, by what, or why not: whether its first line or ending means an
interpreter that the runner has, and whether its text holds what is never run. Nothing is run. The virtual shell also
reads scripts for what it would do otherwise, and it and bubblewrap for commands and modules that are not there: "lacks"
is what is used unless the script ends before, "may lack" what stands in a branch or a function, and "not known" are lines
that are known only when it runs. In JSON each skill then has scripts, a list of { path?, interpreter?, runner?, problem?,
missing?, unknown? }: runner where it can be run, problem where not, and no path where the skill itself is the script;
missing are { kind, name, line, certain }, unknown are lines.

Diagnostics go to stderr, so that what is piped on holds skills alone.
Exit code: 0, also where some skills are broken (use validate to judge them); 1 if a ROOT cannot be searched;
2 for a wrong command or an invalid configuration.

Examples:
  $ repertoire list
  $ repertoire list skills --all
  $ repertoire list --by-layer --all
  $ repertoire list . --recursive
  $ repertoire list skills --scripts
  $ repertoire list ~/skills --profile strict --json | jq -r '.skills[].name'
`

/** Adds `repertoire list`. */
export function addList(program: Command, context: Context, finish: Finish): void {
  const command = program
    .command('list')
    .summary('list the skills that an agent would be offered')
    .description('List the skills that an agent would be offered, from some folders or from the usual places.')
  addSourceOptions(command)
    .option('-a, --all', 'list shadowed, draft, disabled and not admitted skills as well')
    .option('-l, --by-layer', 'list each layer under a heading of its own, highest first')
    .addOption(repeatableOption('--layer <name>', 'list skills of this layer only', DEFAULT_LAYERS))
    .option('-g, --global', 'list your own skills alone: those of ~/.agents/skills')
    .option('-s, --scripts', 'say of each script whether it can be run here')
    .addOption(runnerOption())
    .addOption(jsonOption())
    .addOption(diagnosticsOption(SHOWN_DIAGNOSTICS))
    .addHelpText('after', HELP)
    .action(async (roots: string[], options: ListOptions) => finish(await list(roots, options, context)))
}

async function list(named: readonly string[], options: ListOptions, context: Context): Promise<ExitCode> {
  const { stdout, stderr, folder } = context
  const opened = await openSkills(rootsOf(named, options, context), options, context)
  if (opened === undefined) return 2
  const { repertoire, configuration, sources, roots, problems } = opened
  const { catalog } = repertoire
  const diagnostics = [...problems, ...catalog.diagnostics]
  const all = options.all === true
  const listed = rowsOf(catalog, { all, layers: options.layer })
  const scripted = options.scripts ? await withScripts(listed, options.runner, configuration.profile) : listed
  const rows = await withOtherLock(scripted, context)

  if (options.json) {
    await stdout.write(
      toJson({
        skills: rows.map(skillJson),
        diagnostics,
        configuration: shownConfiguration(configuration, roots.length === 0),
      }),
    )
  } else {
    const searchedFolders = sources.flatMap(({ id }) => folderOf(id, configuration))
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

/** @throws {UsageError} folders are named beside --global */
function rootsOf(named: readonly string[], options: ListOptions, context: Context): readonly string[] {
  if (options.global !== true) return named
  if (named.length === 0) return [ownSkills(context)]
  throw new UsageError('--global lists ~/.agents/skills, and no other folder. Leave out one of both.')
}

async function withScripts(
  rows: readonly ListedRow[],
  name: RunnerName | undefined,
  profile: Profile,
): Promise<readonly ListedRow[]> {
  const asked = await openAskedRunner(name)
  try {
    const checked: ListedRow[] = []
    for (const row of rows) checked.push({ ...row, scripts: await checkSkillScripts(row.skill, asked, profile) })
    return checked
  } finally {
    if ('runner' in asked) await asked.runner.close?.()
  }
}

function skillJson({ skill, shadowedBy, refused, scripts, kept }: ListedRow) {
  const { name, manifest, location, layer } = skill
  return {
    name,
    description: manifest.description,
    location,
    layer,
    ...(shadowedBy === undefined ? {} : { shadowedBy: shadowedBy.location }),
    ...(refused === undefined ? {} : { refused }),
    ...(manifest.status === 'active' ? {} : { status: manifest.status }),
    ...(scripts === undefined ? {} : { scripts }),
    ...(kept === undefined ? {} : { kept }),
  }
}

/** The folder that a source of this command searches, by its id. */
function folderOf(id: string, { project, home }: Configuration): readonly string[] {
  const [, kind, path = ''] = /^(directory|project|home):(.*)$/s.exec(id) ?? []
  const base = kind === 'project' ? project : home
  if (kind === 'directory') return [path]
  return kind === undefined || base === false ? [] : [join(base, path)]
}
