import type { ListingBudget } from '../../disclosure/budget.ts'
import type { SearchMode } from '../../tools/definitions.ts'
import type { ListingStyle } from '../../tools/styles.ts'
import type { Admission } from '../../ports/admission.ts'
import type { Diagnostic, Profile, Layer } from '@repertoire/skill-md/internal'
import type { ProgramPolicy, HostTools } from '@repertoire/gate/internal'

/** Folders with skills, by layer, instead of the standard ones. `false`: none. */
export interface ConfiguredRoots {
  /** Absolute. */
  readonly enterprise?: readonly string[] | false
  readonly personal?: readonly string[] | false
  /** In a project's file: relative to the project, and inside it. */
  readonly project?: readonly string[] | false
  readonly plugin?: readonly string[] | false
  /** Folders of skills that ship with the host. True: the skills that ship inside this package. */
  readonly bundled?: readonly string[] | boolean
}

/**
 * What a configuration can set, in a file or in code. A path is absolute, begins with `~/`, or is relative: in a file to
 * the file's folder, in code to the working folder.
 */
export interface ConfigurationSettings {
  /** Whether skills are used at all. False: no skill is loaded, no tool registered, nothing restricted. Default true. */
  readonly enabled?: boolean
  /** How strictly skills are read. Default `default`. */
  readonly profile?: Profile
  /** How a model is shown the list of skills. Default `xml`. */
  readonly style?: ListingStyle
  readonly listingBudget?: ListingBudget | false
  /** The model's context window, in tokens. Absent: the default of `openRepertoire`. */
  readonly contextWindow?: number
  /** When a model is offered a search for skills. Absent: the default of `openRepertoire`. */
  readonly search?: SearchMode
  /** Which skills may load at all, by what they ask for. Default: every skill. */
  readonly admit?: Admission
  /** Highest precedence first. Default: enterprise, personal, project, plugin, bundled. */
  readonly layers?: readonly Layer[]
  /** Which of several skills of one name is used. Default `first`. */
  readonly collision?: 'first' | 'last'
  /** Which programs the rules of skills may hand out: `policy.programs`. Default `any`. */
  readonly programs?: ProgramPolicy
  /** Rules of calls that need consent each time: `policy.ask`. A project's file adds to the user's. Default none. */
  readonly ask?: readonly string[]
  readonly roots?: ConfiguredRoots
  /** What the host's tools stand for in rules, as in `openRepertoire`. Default none. */
  readonly toolMap?: HostTools
  /** The folder that the host's file tools see as their working folder. Absent: they see the real file system. */
  readonly toolRoot?: string
  /**
   * One folder of skills that is read, as the first personal one and in place of the usual ones, and written to, whatever
   * `writeRoot` says.
   */
  readonly skillsDir?: string
  /** Where skills are written to. Default: the first of `roots.personal` if that is set, or else `~/.repertoire/skills`. */
  readonly writeRoot?: string | false
  /**
   * Where skills are kept in the home folder and in a project; of two equal skills the one in the first is used. Default
   * `.agents/skills`, `.repertoire/skills` and `.claude/skills`.
   */
  readonly folders?: readonly string[]
  /** Whether npm packages that the project names may bring skills, or the names of those that may. Default true. */
  readonly packages?: boolean | readonly string[]
  /** Whether a project's skills and its file are read. Default true: naming a project means trusting it. */
  readonly trustProject?: boolean
  /** Layers whose skill folders may be links. Default none. */
  readonly followLinks?: readonly Layer[]
  /** Whether the folders are watched for changes. Default false. */
  readonly watch?: boolean
  /** How long the catalog is used before it is read again, in milliseconds. Absent: the default of `openRepertoire`. */
  readonly cacheTtl?: number
  /** The shortest time between two reloads, in milliseconds. Absent: the default of `openRepertoire`. */
  readonly minReloadInterval?: number
}

/** The origin of a value. */
export interface ConfigurationOrigin {
  readonly from: 'default' | 'user' | 'project' | 'environment' | 'code'
  /** The path of the file, or the name of the variable. */
  readonly at?: string
}

/** The name of a value that has an origin. */
export type ConfigurationKey = Exclude<keyof ConfigurationSettings, 'roots'> | `roots.${keyof ConfiguredRoots}`

/** Settings without a default of their own. */
type OptionalSetting =
  | 'listingBudget'
  | 'contextWindow'
  | 'search'
  | 'admit'
  | 'toolRoot'
  | 'skillsDir'
  | 'cacheTtl'
  | 'minReloadInterval'

/**
 * A complete, frozen configuration. Every path is absolute. `writeRoot` is false where there is no folder to write to, for
 * example because the user has no home folder.
 */
export interface Configuration
  extends
    Required<Omit<ConfigurationSettings, OptionalSetting | 'roots'>>,
    Pick<ConfigurationSettings, OptionalSetting> {
  readonly roots: {
    readonly enterprise: readonly string[]
    readonly personal: readonly string[]
    readonly project: readonly string[]
    readonly plugin: readonly string[]
    readonly bundled: readonly string[] | boolean
  }
  /** The user's home folder, if there is one. */
  readonly home: string | false
  /** The project's folder, if one was given. */
  readonly project: string | false
  /** The files that it is read from, whether or not they exist. Absolute. */
  readonly files: readonly string[]
  /** The origin of each value. */
  readonly origins: Readonly<Record<ConfigurationKey, ConfigurationOrigin>>
  /** Diagnostics of loading: a project's file was not read because the project is not trusted. */
  readonly diagnostics: readonly Diagnostic[]
}
