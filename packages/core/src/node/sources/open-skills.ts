import {
  either,
  isObject,
  layerKind,
  listOf,
  text,
  withDefault,
  checkArgument,
  checkOptions,
  type Layer,
  type OptionTable,
  SkillError,
  tableWithout,
} from '@repertoire/skill-md/internal'
import { openRepertoire } from '../../repertoire/open-repertoire.ts'
import { REPERTOIRE_OPTIONS } from '../../repertoire/option-tables.ts'
import type { Repertoire, RepertoireOptions } from '../../repertoire/options.ts'
import { diagnosticText } from '../../text/message.ts'
import { directorySource } from './directory.ts'

/** Options of `openSkills`: those of `openRepertoire`, and the layer and the ids of the folders. */
export interface OpenSkillsOptions extends Omit<RepertoireOptions, 'sources'> {
  /** How far the folders are trusted, see `DirectorySourceOptions.layer`. Default `project`. */
  readonly layer?: Layer | undefined
  /**
   * Identifies the folder in consent and in saved sessions, see `DirectorySourceOptions.id`: give one if the path
   * changes with each release. For one folder only.
   */
  readonly id?: string | undefined
}

const OPEN_SKILLS_OPTIONS: OptionTable<OpenSkillsOptions> = {
  ...tableWithout(REPERTOIRE_OPTIONS, 'sources'),
  layer: withDefault('project', layerKind),
  id: text,
}

const foldersKind = either(text, listOf(text, 'a list of paths'))

const CONSENT_PLACES =
  'Give it to the agent, as in skillsAgent({ …, session: { consent } }) or skillsMiddleware(repertoire, { consent }).'

/** What a folder is reported with that is no folder of skills. */
const NOT_THERE: ReadonlySet<string> = new Set(['ROOT_MISSING', 'ROOT_NOT_A_FOLDER'])

/**
 * Opens the skills of one or more folders. For other sources, such as npm packages, use `openRepertoire`.
 * @param folders each holds skills, `<folder>/SKILL.md`, or is one. Of two skills with one name, that of the first
 * folder is used
 * @throws {SkillError} CONFIGURATION_INVALID: a folder does not exist; the message names each
 * @throws {TypeError} no folder is given, or as `openRepertoire`
 */
export async function openSkills(
  folders: string | readonly string[],
  options: OpenSkillsOptions = {},
): Promise<Repertoire> {
  checkArgument('openSkills', 'folders', foldersKind, folders)
  if (isObject(options) && Object.hasOwn(options, 'consent')) {
    throw new TypeError(`openSkills: \`consent\` is an option of sessions. ${CONSENT_PLACES}`)
  }
  checkOptions('openSkills', OPEN_SKILLS_OPTIONS, options, "openSkills('./skills', { policy })")
  const roots = typeof folders === 'string' ? [folders] : folders
  if (roots.length === 0) throw new TypeError("openSkills: there is no folder. Give at least one, such as './skills'.")
  const { layer = 'project', id, ...others } = options
  if (id !== undefined && roots.length > 1)
    throw new TypeError(
      'openSkills: `id` names one folder. For several, give `openRepertoire` a `directorySource` each.',
    )
  const sources = roots.map((root) => directorySource({ root, layer, id }))
  const repertoire = await openRepertoire({ ...others, sources })
  const missing = repertoire.catalog.diagnostics.filter(({ code }) => NOT_THERE.has(code))
  if (missing.length === 0) return repertoire
  await repertoire.close()
  const locked = repertoire.catalog.diagnostics.filter(({ code }) => code === 'LOCKED_SKILL_MISSING')
  const lines = [...missing, ...locked].map(diagnosticText).join('\n')
  throw new SkillError('CONFIGURATION_INVALID', `openSkills: ${lines}`, { path: missing[0]!.path })
}
