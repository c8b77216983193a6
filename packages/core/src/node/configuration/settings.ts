import {
  DEFAULT_LAYERS,
  either,
  flag,
  layerKind,
  listOf,
  off,
  tableOf,
  text,
  type Diagnostic,
  type Layer,
  type OptionTable,
  type Profile,
} from '@repertoire/skill-md/internal'
import type { Admission } from '../../ports/admission.ts'
import { CATALOG_OPTIONS, REPERTOIRE_OPTIONS } from '../../repertoire/option-tables.ts'

/** Folders with skills, by layer, instead of the standard ones. `false`: none. */
export interface ConfiguredRoots {
  readonly enterprise?: readonly string[] | false
  readonly personal?: readonly string[] | false
  readonly project?: readonly string[] | false
  readonly plugin?: readonly string[] | false
  /** Folders of skills that ship with the host. True: the skills that ship inside this package. */
  readonly bundled?: readonly string[] | boolean
}

/**
 * What a configuration can set, in a file or in code. A path is absolute, begins with `~/`, or is relative: in a file
 * to the file's folder, in code to the working folder.
 */
export interface ConfigurationSettings {
  /** Whether skills are used at all. False: no skill is loaded, no tool shown, nothing restricted. Default true. */
  readonly enabled?: boolean
  /** How strictly skills are read. Default `default`. */
  readonly profile?: Profile
  /** Which skills may load at all, by what they ask for. Default: every skill. */
  readonly admit?: Admission
  /** Highest precedence first. Default: enterprise, personal, project, plugin, bundled. */
  readonly layers?: readonly Layer[]
  readonly roots?: ConfiguredRoots
  /**
   * One folder of skills that is read, as the first personal one and in place of the usual ones, and written to.
   */
  readonly skillsDir?: string
  /**
   * Where skills are kept in the home folder and in a project; of two equal skills the one in the first is used.
   * Default `.agents/skills`, `.repertoire/skills` and `.claude/skills`.
   */
  readonly folders?: readonly string[]
  /** Whether npm packages that the project names may bring skills, or the names of those that may. Default true. */
  readonly packages?: boolean | readonly string[]
  /**
   * Whether a project's skills are read. Default true: naming a project means trusting its skills, each of which asks
   * for consent. Its file is read only where code says `true`.
   */
  readonly trustProject?: boolean
  /** Layers whose skill folders may be links. Default none. */
  readonly followLinks?: readonly Layer[]
  /**
   * The scanner that looks at skills before they are installed: its program and arguments, `{path}` for the skill's
   * folder. Only in the user's own file, never in a project's.
   */
  readonly scan?: readonly string[]
}

const folderList = listOf(text, 'a list of folders')
const folders = either(off, folderList)

/** What a configuration file, the environment and code may set. */
export const SETTINGS: OptionTable<ConfigurationSettings> = {
  enabled: flag,
  profile: CATALOG_OPTIONS.profile,
  admit: REPERTOIRE_OPTIONS.admit,
  layers: CATALOG_OPTIONS.layers,
  roots: tableOf<ConfiguredRoots>({
    enterprise: folders,
    personal: folders,
    project: folders,
    plugin: folders,
    bundled: either(flag, folderList),
  }),
  skillsDir: text,
  folders: folderList,
  packages: either(flag, listOf(text, 'a list of names of packages')),
  trustProject: flag,
  followLinks: listOf(layerKind),
  scan: listOf(text, 'a list of the program and its arguments'),
}

/** What holds for settings that have a default of their own. */
export const DEFAULTS = {
  enabled: true,
  profile: 'default',
  layers: DEFAULT_LAYERS,
  packages: true,
  trustProject: true,
  followLinks: [],
} as const satisfies ConfigurationSettings

/** A complete configuration. Every path is absolute. */
export interface Configuration
  extends
    Omit<ConfigurationSettings, keyof typeof DEFAULTS | 'folders' | 'roots'>,
    Required<Pick<ConfigurationSettings, keyof typeof DEFAULTS | 'folders'>> {
  readonly roots: {
    readonly enterprise: readonly string[]
    readonly personal: readonly string[]
    readonly project: readonly string[]
    readonly plugin: readonly string[]
    readonly bundled: readonly string[] | boolean
  }
  /**
   * Where skills are written to: `skillsDir`, or the first of `roots.personal` if that is set, or else
   * `~/.repertoire/skills`. False if there is none, for example because the user has no home folder.
   */
  readonly writeRoot: string | false
  /** The user's home folder, if there is one. */
  readonly home: string | false
  /** The project's folder, if one was given. */
  readonly project: string | false
  /** The file that was read. Absent: there was none. */
  readonly file?: string
  /** Where a file is looked for, whether or not it exists. Absolute. */
  readonly files: readonly string[]
  /** What was set, by the file, the environment or code. */
  readonly given: ConfigurationSettings
  /** The project has a file, and it was not read. */
  readonly diagnostics: readonly Diagnostic[]
}
