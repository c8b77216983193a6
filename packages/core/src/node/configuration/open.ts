import {
  foreign,
  listOf,
  checkArgument,
  checkOptions,
  isObject,
  type OptionTable,
  tableOf,
  tableWithout,
} from '@repertoire/skill-md/internal'
import { CATALOG_OPTIONS, REPERTOIRE_OPTIONS, sourceKind } from '../../repertoire/option-tables.ts'
import type { CatalogOptions, Repertoire, RepertoireOptions } from '../../repertoire/options.ts'
import type { SkillSource } from '../../ports/source.ts'
import { loadConfiguration, type ConfigurationOptions } from './load.ts'
import type { Configuration } from './settings.ts'
import { standardSourcesOf } from '../sources/standard.ts'
import { openRepertoire } from '../../repertoire/open-repertoire.ts'

/** Options of `openRepertoire`, but for those that the configuration determines. */
export interface ConfiguredHost extends Omit<RepertoireOptions, 'sources' | 'enabled' | 'admit' | 'catalog'> {
  /** How skills are read, but for what the configuration says. */
  readonly catalog?: Omit<CatalogOptions, 'profile' | 'layers'>
  /** Sources after those of the configuration. */
  readonly sources?: readonly SkillSource[]
}

const HOST_OPTIONS: OptionTable<ConfiguredHost> = {
  ...tableWithout(REPERTOIRE_OPTIONS, 'sources', 'enabled', 'admit'),
  catalog: tableOf<NonNullable<ConfiguredHost['catalog']>>(tableWithout(CATALOG_OPTIONS, 'profile', 'layers')),
  sources: listOf(sourceKind, 'a list of sources'),
}

/** The sources that a configuration describes, highest layer first. Empty if it is not enabled. */
export function configuredSources(configuration: Configuration): SkillSource[] {
  const { enabled, roots, home, project, folders, trustProject, packages, followLinks, diagnostics, given } =
    configuration
  if (!enabled) return []
  const { project: projectFolders, plugin: plugins, ...layers } = roots
  const places = { ...layers, projectFolders, plugins, home, project, folders, trustProject, packages, followLinks }
  return [
    ...standardSourcesOf(places, given.skillsDir),
    ...(diagnostics.length > 0
      ? [{ id: 'configuration', layer: 'project', scan: () => diagnostics } satisfies SkillSource]
      : []),
  ]
}

/**
 * Opens a repertoire from a configuration, or from the options of `loadConfiguration`. If it is not enabled, it has no
 * skills, its sessions show no tools, and nothing is restricted. The configuration's files are added to the paths that
 * the host's policy protects, so that no call can name them.
 * @throws {SkillError} CONFIGURATION_INVALID
 * @throws {TypeError} as `openRepertoire`
 */
export async function openConfigured(
  from: Configuration | ConfigurationOptions = {},
  host: ConfiguredHost = {},
): Promise<Repertoire> {
  checkOptions('openConfigured', HOST_OPTIONS, host, 'openConfigured({ project }, { policy })')
  checkArgument(
    'openConfigured',
    'from',
    foreign('a configuration, or the options of `loadConfiguration`', isObject),
    from,
  )
  const configuration = 'given' in from ? from : await loadConfiguration(from)
  const { enabled, profile, layers, admit, files } = configuration
  const { sources = [], policy, catalog } = host
  return openRepertoire({
    ...host,
    policy: { ...policy, protect: [...(policy?.protect ?? []), ...files] },
    enabled,
    sources: [...configuredSources(configuration), ...sources],
    catalog: { ...catalog, profile, layers },
    admit,
  })
}
