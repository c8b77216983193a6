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
import { CATALOG_OPTIONS, LISTING_OPTIONS, REPERTOIRE_OPTIONS, sourceKind } from '../../repertoire/option-tables.ts'
import type { CatalogOptions, ListingOptions, Repertoire, RepertoireOptions } from '../../repertoire/options.ts'
import type { SkillSource } from '../../ports/source.ts'
import type { HostTools } from '@repertoire/gate/internal'
import { loadConfiguration, type ConfigurationOptions } from './load.ts'
import type { Configuration } from './settings.ts'
import { standardSourcesOf } from '../sources/standard.ts'
import { openRepertoire } from '../../repertoire/open-repertoire.ts'

/** Options that the configuration determines. */
const CONFIGURED = ['sources', 'enabled', 'admit', 'watch'] as const
const CONFIGURED_CATALOG = ['profile', 'layers', 'collision', 'cacheTtl', 'minReloadInterval'] as const
const CONFIGURED_LISTING = ['style', 'budget', 'search'] as const

/** Options of the host that no file may set. */
export interface ConfiguredHost extends Omit<RepertoireOptions, (typeof CONFIGURED)[number] | 'catalog' | 'listing'> {
  /** How skills are read, but for what the configuration says. */
  readonly catalog?: Omit<CatalogOptions, (typeof CONFIGURED_CATALOG)[number]>
  /** How skills are listed, but for what the configuration says. */
  readonly listing?: Omit<ListingOptions, (typeof CONFIGURED_LISTING)[number]>
  /** Sources after those of the configuration. */
  readonly sources?: readonly SkillSource[]
  /** The host's tools: over those of the configuration, entry by entry. */
  readonly toolMap?: HostTools
}

const HOST_OPTIONS: OptionTable<ConfiguredHost> = {
  ...tableWithout(REPERTOIRE_OPTIONS, ...CONFIGURED),
  catalog: tableOf<NonNullable<ConfiguredHost['catalog']>>(tableWithout(CATALOG_OPTIONS, ...CONFIGURED_CATALOG)),
  listing: tableOf<NonNullable<ConfiguredHost['listing']>>(tableWithout(LISTING_OPTIONS, ...CONFIGURED_LISTING)),
  sources: listOf(sourceKind, 'a list of sources'),
}

/** The sources that a configuration describes, highest layer first. Empty if it is not enabled. */
export function configuredSources(configuration: Configuration): SkillSource[] {
  const { enabled, roots, home, project, folders, trustProject, packages, followLinks, diagnostics } = configuration
  const { given } = configuration
  if (!enabled) return []
  const { enterprise, personal, project: projectFolders, plugin: plugins, bundled } = roots
  const diagnosticSource: SkillSource = {
    id: 'configuration',
    layer: 'project',
    scan: () => diagnostics,
  }
  return [
    ...standardSourcesOf(
      {
        enterprise,
        personal,
        home,
        folders,
        project,
        projectFolders,
        trustProject,
        plugins,
        packages,
        bundled,
        followLinks,
      },
      {
        enterprise: given.roots?.enterprise !== undefined,
        personal: given.roots?.personal !== undefined || given.skillsDir !== undefined,
        project: given.roots?.project !== undefined,
        folders: given.folders !== undefined,
        written: (given.skillsDir ?? given.writeRoot) !== undefined && configuration.writeRoot,
      },
    ),
    ...(diagnostics.length > 0 ? [diagnosticSource] : []),
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
  const { enabled, profile, style, layers, collision, programs, ask } = configuration
  const { listingBudget, search, admit, watch, cacheTtl, minReloadInterval } = configuration
  const { sources = [], policy, toolMap, catalog, listing, context, ...hosted } = host
  const protect = [...(policy?.protect ?? []), ...configuration.files]
  return openRepertoire({
    ...hosted,
    // Code can only narrow what the configuration says.
    policy: {
      ...policy,
      protect,
      programs: programs === 'known' ? programs : (policy?.programs ?? programs),
      ...(ask.length > 0 && { ask: [...ask, ...(policy?.ask ?? [])] }),
    },
    toolMap: { ...configuration.toolMap, ...toolMap },
    enabled,
    sources: [...configuredSources(configuration), ...sources],
    catalog: { ...catalog, profile, layers, collision, cacheTtl, minReloadInterval },
    listing: { ...listing, style, budget: listingBudget, search },
    context: { ...context, window: context?.window ?? configuration.contextWindow },
    admit,
    watch,
  })
}
