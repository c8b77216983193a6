import { type Diagnostic, type Layer, type Profile, type SkillSource } from '@repertoire/core'
import { directorySource, standardSources } from '@repertoire/core/node'
import { type Command } from 'commander'
import type { Context } from '../context.ts'
import { UsageError } from '../usage-error.ts'
import { lookAt, resolveGiven } from './given-path.ts'
import { BELOW, profileOption } from './options.ts'
import { withoutRepeats } from './without-repeats.ts'

/** The options of every command that looks for skills. */
export interface SourceOptions {
  readonly recursive?: true
  readonly followLinks?: boolean
  readonly profile: Profile
}

/** Where a command looks for skills. */
export interface GivenSources {
  readonly sources: readonly SkillSource[]
  /** The folders that a person named, absolute; none where the usual places are looked into. */
  readonly roots: readonly string[]
  /** What is wrong with those: that one does not exist is no error for a source, but it is one for who typed it. */
  readonly problems: readonly Diagnostic[]
}

/** What `--help` says of the places. */
export const SOURCES_HELP = `
Without a ROOT, these places are looked into, highest layer first:
  enterprise  what REPERTOIRE_ENTERPRISE_SKILLS names, or the folder of this system that only an administrator can write
  personal    ~/.agents/skills and ~/.repertoire/skills
  project     .agents/skills and .repertoire/skills in the current folder; with --recursive, all of the current folder
  plugin      the npm packages that package.json in the current folder names; not with --recursive
  bundled     the skills that ship with repertoire
A ROOT has the layer "project". It may itself be a skill, or hold skills.`

/** Adds what says where the skills are. */
export function addSourceOptions(command: Command): Command {
  return command
    .argument('[ROOT...]', 'folders that hold skills (default: the usual places of this machine)')
    .option('-r, --recursive', 'look below at any depth, in hidden folders too, but never in .git or node_modules')
    .option('--follow-links', 'look into folders that are links as well: you vouch for what they lead to')
    .addOption(profileOption())
}

/**
 * The sources that a command was given.
 * @throws {UsageError} a ROOT is empty, or the environment names what is no folder's path
 */
export function sourcesOf(given: readonly string[], options: SourceOptions, context: Context): GivenSources {
  const roots = resolveGiven(given, context.folder)
  const problems = roots.flatMap((root) => {
    const looked = lookAt(root)
    return 'problem' in looked ? [looked.problem] : []
  })
  const sources = roots.length === 0 ? usualSources(options, context) : rootSources(roots, options)
  return { sources: withoutRepeats(sources), roots, problems }
}

const ROOT_PROBLEMS: ReadonlySet<string> = new Set([
  'PATH_NOT_FOUND',
  'PATH_UNREADABLE',
  'ROOT_NOT_A_FOLDER',
  'FOLDER_UNREADABLE',
])

/** Whether a diagnostic says that a folder which a person named cannot be looked into. */
export function isAboutRoot({ code, path }: Diagnostic, roots: readonly string[]): boolean {
  return ROOT_PROBLEMS.has(code) && roots.includes(path)
}

function usualSources(options: SourceOptions, { folder, env }: Context): readonly SkillSource[] {
  const followLinks: readonly Layer[] = options.followLinks ? ['enterprise', 'personal', 'project'] : []
  try {
    if (!options.recursive) return standardSources({ project: folder, env, followLinks })
    // All of the current folder holds the project's usual folders too.
    return [...standardSources({ project: false, env, followLinks }), ...rootSources([folder], options)]
  } catch (error) {
    // What the environment names was set by a person, so this is theirs to put right.
    if (error instanceof TypeError) throw new UsageError(error.message)
    throw error
  }
}

function rootSources(
  roots: readonly string[],
  { recursive, followLinks = false }: SourceOptions,
): readonly SkillSource[] {
  const look = recursive ? BELOW : {}
  return roots.map((root) => directorySource({ root, layer: 'project', followLinks, ...look }))
}
