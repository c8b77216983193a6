import { type Diagnostic, type Layer, type Profile, type SkillSource, openRepertoire } from '@repertoire/core'
import { directorySource, standardSources } from '@repertoire/core/node'
import type { Command } from 'commander'
import type { Context, ExitCode, Finish } from '../context.ts'
import { SHOWN_DIAGNOSTICS, diagnosticsText } from '../output/diagnostics.ts'
import { toJson } from '../output/json.ts'
import { type ListedRow, listText, rowsOf } from '../output/skill-list.ts'
import { UsageError } from '../usage-error.ts'
import { lookAt, resolveGiven } from './given-path.ts'
import { BELOW, PROFILE_HELP, diagnosticsOption, jsonOption, profileOption } from './options.ts'
import { withoutRepeats } from './without-repeats.ts'

interface ListOptions {
  readonly recursive?: true
  readonly all?: true
  readonly followLinks?: boolean
  readonly profile: Profile
  readonly json?: true
  readonly diagnostics?: true
}

const HELP = `
Without a ROOT, these folders are looked into, highest layer first:
  enterprise  what REPERTOIRE_ENTERPRISE_SKILLS names, or the folder of this system that only an administrator can write
  personal    ~/.agents/skills and ~/.repertoire/skills
  project     .agents/skills and .repertoire/skills in the current folder; with --recursive, all of the current folder
A ROOT has the layer "project". It may itself be a skill, or hold skills.

Where two skills have one name, the higher layer wins, then the higher "priority", then the one found first. Skills
that lost are shadowed. Skills whose "status" is draft or disabled are not listed either. --all lists both and says why.

${PROFILE_HELP}

The JSON value is { skills, diagnostics }. A skill has name, description, location and layer; with --all it also has
shadowedBy (the location of the skill that won) or status ("draft" or "disabled"), where that keeps it from being
used. A diagnostic has code, severity, path and message, and often line and hint.

Diagnostics go to stderr, so that what is piped on holds skills alone.
Exit code: 0, also where some skills are broken (use validate to judge them); 1 if a ROOT cannot be looked into;
2 for a wrong command.

Examples:
  $ repertoire list
  $ repertoire list skills --all
  $ repertoire list . --recursive
  $ repertoire list ~/skills --profile strict --json | jq -r '.skills[].name'
`

/** Adds `repertoire list`. */
export function addList(program: Command, context: Context, finish: Finish): void {
  program
    .command('list')
    .summary('list the skills that an agent would be offered')
    .description('List the skills that an agent would be offered, from some folders or from the usual places.')
    .argument('[ROOT...]', 'folders that hold skills (default: the usual places of this machine)')
    .option('-r, --recursive', 'look below at any depth, in hidden folders too, but never in .git or node_modules')
    .option('--follow-links', 'look into folders that are links as well: you vouch for what they lead to')
    .option('-a, --all', 'list shadowed, draft and disabled skills as well')
    .addOption(profileOption())
    .addOption(jsonOption())
    .addOption(diagnosticsOption(SHOWN_DIAGNOSTICS))
    .addHelpText('after', HELP)
    .action(async (roots: string[], options: ListOptions) => finish(await list(roots, options, context)))
}

async function list(roots: readonly string[], options: ListOptions, context: Context): Promise<ExitCode> {
  const { stdout, stderr, folder } = context
  const given = resolveGiven(roots, folder)
  const missing = given.flatMap((root) => problemOf(root))
  const sources = given.length === 0 ? usualSources(options, context) : givenSources(given, options)
  const { catalog } = await openRepertoire({ sources: withoutRepeats(sources), profile: options.profile })
  const diagnostics = [...missing, ...catalog.diagnostics]
  const rows = rowsOf(catalog, options.all === true)

  if (options.json) {
    await stdout.write(toJson({ skills: rows.map(skillJson), diagnostics }))
  } else {
    const lookedInto = sources.map(({ id }) => id.replace(/^directory:/, ''))
    const recursive = options.recursive === true
    await stdout.write(listText(rows, { catalog, diagnostics, lookedInto, recursive, folder, output: stdout }))
    const limit = options.diagnostics ? Infinity : SHOWN_DIAGNOSTICS
    const text = diagnosticsText(diagnostics, { paint: stderr.paint, folder, limit })
    if (text !== '') await stderr.write(`\n${text}`)
  }
  return diagnostics.some((diagnostic) => isAboutRoot(diagnostic, given)) ? 1 : 0
}

function usualSources(options: ListOptions, { folder, env }: Context): readonly SkillSource[] {
  const followLinks: readonly Layer[] = options.followLinks ? ['enterprise', 'personal', 'project'] : []
  try {
    if (!options.recursive) return standardSources({ project: folder, env, followLinks })
    // All of the current folder holds the project's usual folders too.
    return [...standardSources({ project: false, env, followLinks }), ...givenSources([folder], options)]
  } catch (error) {
    // What the environment names was set by a person, so this is theirs to put right.
    if (error instanceof TypeError) throw new UsageError(error.message)
    throw error
  }
}

function givenSources(
  roots: readonly string[],
  { recursive, followLinks = false }: ListOptions,
): readonly SkillSource[] {
  const look = recursive ? BELOW : {}
  return roots.map((root) => directorySource({ root, layer: 'project', followLinks, ...look }))
}

/** A root that does not exist is no error for a source, but it is one for who typed it. */
function problemOf(root: string): readonly Diagnostic[] {
  const looked = lookAt(root)
  return 'problem' in looked ? [looked.problem] : []
}

const ROOT_PROBLEMS: ReadonlySet<string> = new Set([
  'PATH_NOT_FOUND',
  'PATH_UNREADABLE',
  'ROOT_NOT_A_FOLDER',
  'FOLDER_UNREADABLE',
])

function isAboutRoot({ code, path }: Diagnostic, roots: readonly string[]): boolean {
  return ROOT_PROBLEMS.has(code) && roots.includes(path)
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
