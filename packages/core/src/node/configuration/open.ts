import { openRepertoire } from '../../repertoire.ts'
import type { Repertoire } from '../../repertoire.ts'
import type { RepertoireOptions } from '../../repertoire-options.ts'
import type { SkillSource } from '../../ports/source.ts'
import { loadConfiguration } from './load.ts'
import type { ConfigurationOptions } from './load.ts'
import type { Configuration } from './settings.ts'
import { standardSources } from '../sources/standard.ts'

/** What a configuration settles. */
type ConfiguredOption =
  | 'sources'
  | 'enabled'
  | 'profile'
  | 'style'
  | 'layers'
  | 'collision'
  | 'listingBudget'
  | 'watch'
  | 'cacheTtl'
  | 'minReloadInterval'

/** What a host brings along: no file may set it. */
export interface ConfiguredHost extends Omit<RepertoireOptions, ConfiguredOption> {
  /** Sources beside those of the configuration, behind them. */
  readonly sources?: readonly SkillSource[]
}

/** The sources that a configuration speaks of, highest layer first. None if it is not enabled. */
export function configuredSources(configuration: Configuration): SkillSource[] {
  const { enabled, roots, project, trustProject, packages, followLinks, diagnostics } = configuration
  if (!enabled) return []
  const { enterprise, personal, project: projectFolders, plugin: plugins, bundled } = roots
  const told: SkillSource = {
    id: 'configuration',
    layer: 'project',
    scan(visitor) {
      for (const diagnostic of diagnostics) visitor.diagnostic(diagnostic)
      return Promise.resolve()
    },
  }
  return [
    ...standardSources({
      enterprise,
      personal,
      project,
      projectFolders,
      trustProject,
      plugins,
      packages,
      bundled,
      followLinks,
    }),
    ...(diagnostics.length > 0 ? [told] : []),
  ]
}

/**
 * Opens a repertoire from a configuration, or from what one is loaded with. Not enabled, it has no skill, and its
 * sessions show no tool and no skill restricts anything. No call may name the files that it is read from: to what the
 * host's policy protects they are added.
 * @throws {SkillError} CONFIGURATION_INVALID
 * @throws {TypeError} as `openRepertoire`
 */
export async function openConfigured(
  from: Configuration | ConfigurationOptions = {},
  host: ConfiguredHost = {},
): Promise<Repertoire> {
  const configuration = 'origins' in from ? from : await loadConfiguration(from)
  const { enabled, profile, style, layers, collision } = configuration
  const { listingBudget, watch, cacheTtl, minReloadInterval } = configuration
  const { sources = [], policy, ...hosted } = host
  const protect = [...(policy?.protect ?? []), ...configuration.files]
  return openRepertoire({
    ...hosted,
    policy: { ...policy, protect },
    enabled,
    sources: [...configuredSources(configuration), ...sources],
    profile,
    style,
    layers,
    collision,
    watch,
    ...(listingBudget !== undefined && { listingBudget }),
    ...(cacheTtl !== undefined && { cacheTtl }),
    ...(minReloadInterval !== undefined && { minReloadInterval }),
  })
}
