import type { Configuration, ConfigurationKey, ConfigurationOrigin } from '@repertoire/core/node'
import { existsSync } from 'node:fs'
import { shownPath } from './path.ts'
import { padTo, shorten, visible, widthOf } from './text.ts'

/** A setting that differs from the default, and its place. */
interface ShownSetting {
  readonly value: unknown
  readonly from: 'user' | 'project' | 'environment' | 'option'
  /** The path of the file, or the name of the variable. */
  readonly at?: string
}

/** A configuration as a command shows it. */
export interface ShownConfiguration {
  /** The files that were read. Absolute. */
  readonly files: readonly string[]
  readonly settings: Readonly<Partial<Record<ConfigurationKey, ShownSetting>>>
}

/** Keys that do not affect what is shown. */
const HOST_ONLY_KEYS: ReadonlySet<ConfigurationKey> = new Set([
  'programs',
  'ask',
  'writeRoot',
  'watch',
  'cacheTtl',
  'minReloadInterval',
])

/** Settings of where skills are found: unused if folders are named on the command line. */
const PLACE_KEYS: ReadonlySet<ConfigurationKey> = new Set([
  'roots.enterprise',
  'roots.personal',
  'roots.project',
  'roots.plugin',
  'roots.bundled',
  'skillsDir',
  'folders',
  'packages',
  'trustProject',
])

/**
 * The settings that count for what is shown, in the order of the configuration.
 * @param places whether the places of the configuration were searched
 */
export function shownConfiguration(configuration: Configuration, places: boolean): ShownConfiguration {
  const { files, diagnostics, origins } = configuration
  const untrusted = new Set(diagnostics.map(({ path }) => path))
  const settings: Partial<Record<ConfigurationKey, ShownSetting>> = {}
  for (const [key, origin] of Object.entries(origins) as [ConfigurationKey, ConfigurationOrigin][]) {
    if (origin.from === 'default' || HOST_ONLY_KEYS.has(key) || (!places && PLACE_KEYS.has(key))) continue
    const from = origin.from === 'code' ? 'option' : origin.from
    settings[key] = { value: valueOf(configuration, key), from, at: origin.at }
  }
  // An existing file was read, otherwise the configuration would be invalid; except the file of an untrusted project.
  return { files: files.filter((file) => !untrusted.has(file) && existsSync(file)), settings }
}

/** A line for each setting that was not given on the command line. Empty if there is no such setting. */
export function settingsText({ settings }: ShownConfiguration, folder: string): string {
  const set = Object.entries(settings).filter(([, { from }]) => from !== 'option')
  const width = Math.max(0, ...set.map(([key]) => widthOf(key)))
  const lines = set.map(([key, { value, at = '' }]) => {
    const text = shorten(visible(JSON.stringify(value)), 80)
    return `  ${padTo(key, width)}  ${text}, from ${shownPath(at, folder)}\n`
  })
  return lines.length === 0 ? '' : `Configured:\n${lines.join('')}`
}

/** Returns a message that skills are switched off, by what, and what to do. Undefined: they are not. */
export function switchedOff({ enabled, origins }: Configuration, folder: string): string | undefined {
  if (enabled) return undefined
  const { from, at = '' } = origins.enabled
  if (from === 'environment') return `Skills are switched off by ${at} in the environment. Unset it to have them.`
  const file = shownPath(at, folder)
  return `Skills are switched off: "enabled" is false in ${file}. Remove it there, or ignore the files with --no-config.`
}

function valueOf(configuration: Configuration, key: ConfigurationKey): unknown {
  const [, layer] = /^roots\.(.*)$/.exec(key) ?? []
  const { roots, ...rest } = configuration
  const found = new Map<string, unknown>(Object.entries(layer === undefined ? rest : roots))
  return found.get(layer ?? key)
}
