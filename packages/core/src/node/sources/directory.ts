import { isAbsolute, normalize, resolve } from 'node:path'
import {
  flag,
  layerKind,
  number,
  required,
  text,
  watchKind,
  withDefault,
  checkOptions,
  type OptionTable,
  type Layer,
} from '@repertoire/skill-md/internal'
import type { SkillSource } from '../../ports/source.ts'
import { type DirectoryWatchOptions, DEFAULT_INTERVAL_MS, watchDirectory } from '../watch/directory.ts'
import { scanRoot } from './scan-folders.ts'
import { hardLinksKind } from '../folder/skill.ts'
import type { ReadRules } from '../folder/reading.ts'

/** Options of `directorySource`. */
export interface DirectorySourceOptions extends ReadRules {
  /**
   * The folder, absolute or relative to the current working folder. It may be a link. If it does not exist or holds no
   * skill, that is reported, see `optional`.
   */
  readonly root: string
  /** How far the folder is trusted. The host chooses it, since a path does not show that. Default `project`. */
  readonly layer?: Layer | undefined
  /**
   * Identifies the source in consent and in saved sessions. Default `directory:<root>`, the root as it was given. Give
   * one if the root is an absolute path that changes, as with a folder for each release.
   */
  readonly id?: string | undefined
  /**
   * The levels of folders below the root that are searched, 0 to 64. Default 1: `SKILL.md` and `<folder>/SKILL.md`.
   * From 2 on, folders inside a skill's folder are searched as well.
   */
  readonly depth?: number | undefined
  /** Whether folders whose name begins with a dot are searched. Default false. `.git` and `node_modules` never are. */
  readonly hidden?: boolean | undefined
  /** The most folders below the root that are searched, including links. Default 20,000. */
  readonly maxFolders?: number | undefined
  /**
   * The operator's permission that folders in this root are links, wherever they lead. Default false: a linked folder
   * is reported and not loaded. A manifest or resource that is a link is refused in any case.
   */
  readonly followLinks?: boolean | undefined
  /** Whether its skills may be loaded. False: none is, which is reported if its root exists. Default true. */
  readonly trusted?: boolean | undefined
  /**
   * Whether the root may be missing or without skills. Default false: a warning says so (`ROOT_MISSING`,
   * `ROOT_WITHOUT_SKILLS`), and sessions that no source has a skill for report `NO_SKILLS`.
   */
  readonly optional?: boolean | undefined
  /** How the source is watched, if the repertoire is opened with `watch`. */
  readonly watch?: DirectoryWatchOptions | undefined
}

const MAX_DEPTH = 64
const MAX_FOLDERS = 20_000

const DIRECTORY_SOURCE_OPTIONS: OptionTable<DirectorySourceOptions> = {
  root: required(text),
  layer: withDefault('project', layerKind),
  id: withDefault('directory:<root>', text),
  depth: withDefault(1, number('levels', { from: 0, to: MAX_DEPTH, isWhole: true })),
  hidden: withDefault(false, flag),
  maxFolders: withDefault(MAX_FOLDERS, number('folders', { from: 1, to: Number.MAX_SAFE_INTEGER, isWhole: true })),
  followLinks: withDefault(false, flag),
  trusted: withDefault(true, flag),
  optional: withDefault(false, flag),
  watch: watchKind,
  hardLinks: hardLinksKind,
}

/**
 * Returns a source that finds skills in a local folder. A root that does not exist holds none. Everything that prevents
 * a skill from being found is reported to the visitor, with the codes in `SOURCE_CODES`, and the scan continues.
 *
 * The order is the same on every machine: level by level, names by code units, linked folders last.
 * A manifest may be a hard link (see `ReadRules.hardLinks`), but not a symbolic link, pipe, device or socket.
 * @throws {TypeError} an option is unknown or has the wrong type
 */
export function directorySource(options: DirectorySourceOptions): SkillSource {
  checkOptions('directorySource', DIRECTORY_SOURCE_OPTIONS, options, "directorySource({ root: '.agents/skills' })")
  const source = directoryBeside(options, undefined)
  return options.optional === true ? { ...source, optional: true } : source
}

/**
 * Returns the same source beside others.
 * @param otherRoots the real paths of their roots: a link to a skill in one of them is not reported as lost. It may
 * still grow.
 */
export function directoryBeside(
  options: DirectorySourceOptions,
  otherRoots: ReadonlySet<string> | undefined,
): SkillSource {
  const { layer = 'project', depth = 1, hidden = false, maxFolders = MAX_FOLDERS } = options
  const { followLinks = false, trusted = true } = options
  const root = resolve(options.root)
  const { optional = false, watch: { by = 'events', interval = DEFAULT_INTERVAL_MS } = {} } = options
  const settings = {
    root,
    depth,
    hidden,
    maxFolders,
    followLinks,
    trusted,
    rules: { hardLinks: options.hardLinks ?? 'refuse' },
    optional,
    otherRoots,
  }
  return {
    id: options.id ?? `directory:${isAbsolute(options.root) ? root : normalize(options.root)}`,
    layer,
    places: [root],
    scan: () => scanRoot(settings),
    async watch(listener) {
      return watchDirectory({ ...settings, watch: { by, interval } }, listener)
    },
  }
}
