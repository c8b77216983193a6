import { isAbsolute, join, relative, sep } from 'node:path'
import { bundledSource } from '../../bundled/bundled-source.ts'
import {
  either,
  flag,
  layerKind,
  listOf,
  off,
  text,
  textOrOff,
  variables,
  withDefault,
  checkOptions,
  type OptionTable,
  type Layer,
} from '@repertoire/skill-md/internal'
import type { SkillSource } from '../../ports/source.ts'
import { directoryBeside, type DirectorySourceOptions } from './directory.ts'
import { otherPlacesSource, realOrResolved } from './report-sources.ts'
import { packageSource } from './package.ts'
import { STANDARD_FOLDERS, enterpriseFolders, homeFolder, type Environment } from './standard-folders.ts'

/** One folder, several, or none. */
type Folders = string | readonly string[] | false

/**
 * Options of `standardSources`. Each layer can be set, or switched off with `false`. The home folder, npm packages and
 * bundled skills are read only if they are asked for.
 */
export interface StandardSourcesOptions {
  /**
   * Folders of the enterprise layer, absolute. Default: the folder that only administrators can write,
   * `/etc/repertoire/skills`, on macOS `/Library/Application Support/repertoire/skills`, on Windows
   * `%ProgramFiles%\repertoire\skills`.
   */
  readonly enterprise?: Folders | undefined
  /** Folders of the personal layer. Default: `folders` in `home`. */
  readonly personal?: Folders | undefined
  /**
   * The home folder, for the personal layer. True: that of the user who runs the program, from the environment; on a
   * server that is the service's. Default false: none.
   */
  readonly home?: string | boolean | undefined
  /**
   * The project's folder, for the project layer. One that does not exist is reported. Default: none, since a working
   * folder is not trusted by itself.
   */
  readonly project?: string | false | undefined
  /** Folders of the project layer. Default: `folders` in the project. */
  readonly projectFolders?: Folders | undefined
  /** Whether the project's skills may be loaded. Default true: a host that names a project trusts it. */
  readonly trustProject?: boolean | undefined
  /** Folders of the plugin layer. Hard links in them are read, since package managers create them. */
  readonly plugins?: Folders | undefined
  /**
   * The npm packages whose skills are in the plugin layer, see `packageSource`. True: the direct dependencies of the
   * project; a list: only these packages. Default false. Without a project, or with an untrusted one, none are loaded.
   */
  readonly packages?: boolean | readonly string[] | undefined
  /**
   * The bundled skills. True: those for skill authors that ship inside this package. Folders: those instead, read like
   * `plugins`. Default false: none.
   */
  readonly bundled?: Folders | true | undefined
  /**
   * The skill folders inside the home and project folders; of two equal skills the one in the first is used. Default
   * `.agents/skills`, `.repertoire/skills` and `.claude/skills`. Folders of other clients that hold skills are
   * reported, with the line that adds them, as `PLACE_NOT_SEARCHED`.
   */
  readonly folders?: readonly string[] | undefined
  /** Layers whose skill folders may be links, see `DirectorySourceOptions.followLinks`. Default none. */
  readonly followLinks?: readonly Layer[] | undefined
  /** The environment to read instead of the process's. Without a home folder in it `home: true` finds none. */
  readonly env?: Environment | undefined
}

const folderList = listOf(text, 'a list of paths')
const someFolders = either(text, folderList, off)

const STANDARD_SOURCES_OPTIONS: OptionTable<StandardSourcesOptions> = {
  enterprise: someFolders,
  personal: someFolders,
  home: withDefault(false, either(flag, text)),
  project: withDefault(false, textOrOff),
  projectFolders: someFolders,
  trustProject: withDefault(true, flag),
  plugins: withDefault(false, someFolders),
  packages: withDefault(false, either(flag, listOf(text, 'a list of package names'))),
  bundled: withDefault(false, either(flag, text, folderList)),
  folders: withDefault(STANDARD_FOLDERS, folderList),
  followLinks: listOf(layerKind),
  env: variables,
}

/**
 * Returns the sources of the administrator and of a project, and on request those of a home folder, of npm packages and
 * of this package. The highest layer is first: enterprise, personal, project, plugin, bundled. A folder that would
 * occur twice, such as the home folder opened as a project, occurs once, in its highest layer.
 * @throws {TypeError} an option is unknown or has the wrong type, or an enterprise folder is not an absolute path: a
 * relative one would depend on the project
 */
export function standardSources(options: StandardSourcesOptions = {}): SkillSource[] {
  checkOptions('standardSources', STANDARD_SOURCES_OPTIONS, options, 'standardSources({ project: process.cwd() })')
  return standardSourcesOf(options)
}

/**
 * As `standardSources`. A folder that is missing, or holds no skill, is reported, unless it is one of the usual places.
 * @param written a folder that is made when it is first written to
 */
export function standardSourcesOf(options: StandardSourcesOptions, written?: string): SkillSource[] {
  const { env, project = false, trustProject = true, plugins = false, bundled = false, followLinks = [] } = options
  const { enterprise = enterpriseFolders(), folders = STANDARD_FOLDERS, packages = false } = options
  const home = options.home === true ? homeFolder(env) : (options.home ?? false)
  const inside = (base: string | false, names = folders): string[] =>
    base === false ? [] : names.map((name) => join(base, name))
  const { personal = inside(home), projectFolders = inside(project) } = options
  // Beside a project, few home folders have everything that `folders` names.
  const usual = [...enterpriseFolders(), ...inside(home, project === false ? STANDARD_FOLDERS : folders)]
  const optional = new Set([...usual, ...inside(project, STANDARD_FOLDERS), written])
  const known = new Set<string>()
  const bases = [
    { name: 'project', folder: project },
    { name: 'home', folder: home },
  ]
  const layer = (
    name: Layer,
    roots: readonly string[],
    settings: Partial<DirectorySourceOptions> = {},
  ): SkillSource[] =>
    roots
      .filter((root) => isFirst(known, root))
      .map((root) =>
        directoryBeside(
          {
            root,
            layer: name,
            ...idOf(root, name === 'personal' ? bases.toReversed() : name === 'enterprise' ? [] : bases),
            followLinks: followLinks.includes(name),
            optional: optional.has(root),
            ...settings,
          },
          known,
        ),
      )
  const fromPackages = (): SkillSource[] => {
    if (project === false || packages === false) return []
    const selected = packages === true ? 'direct' : packages
    return [packageSource({ project, packages: selected, trusted: trustProject })]
  }
  const searches = (base: string | false, roots: Folders): boolean =>
    inside(base).every((root) => list(roots).includes(root))

  return [
    ...layer('enterprise', absolute(list(enterprise))),
    ...layer('personal', list(personal)),
    ...layer('project', list(projectFolders), { trusted: trustProject }),
    ...layer('plugin', list(plugins), { hardLinks: 'allow' }),
    ...fromPackages(),
    ...(bundled === true ? [bundledSource()] : layer('bundled', list(bundled), { hardLinks: 'allow' })),
    ...otherPlacesSource({
      project,
      places: [trustProject && searches(project, projectFolders) && project, searches(home, personal) && home],
      folders,
      searched: known,
    }),
  ]
}

/** An id that stays the same when the project, or the home folder, is moved: saved sessions hold it. */
function idOf(
  root: string,
  bases: readonly { readonly name: string; readonly folder: string | false }[],
): { readonly id?: string } {
  for (const { name, folder } of bases) {
    if (folder === false) continue
    const way = relative(folder, root)
    if (way !== '' && way.split(sep)[0] !== '..' && !isAbsolute(way))
      return { id: `${name}:${way.split(sep).join('/')}` }
  }
  return {}
}

function list(folders: Folders): readonly string[] {
  if (folders === false) return []
  return typeof folders === 'string' ? [folders] : folders
}

function absolute(folders: readonly string[]): readonly string[] {
  const misplaced = folders.find((folder) => !isAbsolute(folder))
  if (misplaced === undefined) return folders
  throw new TypeError(
    `standardSources: the enterprise folder "${misplaced}" is relative. Give it as an absolute path in the option enterprise.`,
  )
}

function isFirst(known: Set<string>, root: string): boolean {
  const path = realOrResolved(root)
  if (known.has(path)) return false
  known.add(path)
  return true
}
