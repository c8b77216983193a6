import { showName, SkillError } from '@repertoire/core'
import { anyText, checkOptions } from '@repertoire/core/options'
import { nearestNames } from '@repertoire/core/stores'
import { withDeadline } from '../deadline.ts'
import { refused, unreachable } from '../failure.ts'
import { REGISTRY } from '../limits.ts'
import { checkOriginOptions, type OriginOptions } from '../options.ts'
import type { Origin, OriginPlugin } from '../origin.ts'
import { resolveOrigin } from '../resolve.ts'
import { originText } from '../text.ts'
import { narrowedOrigin, withTree } from '../tree-origin.ts'
import { download } from '../web/download.ts'
import { type JsonObject, parseJsonObject, readJsonFile } from './json-file.ts'
import { joinPath, pluginPath } from './plugin-path.ts'
import { type PluginSource, readPluginSource } from './plugin-source.ts'
import { pluginTree } from './plugin-tree.ts'

/** A plugin as a marketplace lists it. */
export interface MarketplacePlugin {
  readonly name: string
  readonly description?: string
  readonly version?: string
  /** Why it cannot be opened. Absent: its entry can be read. */
  readonly problem?: string
  /**
   * Resolves it to something exact: the commit of the marketplace itself, or what its source leads to.
   * @param options.revision the exact revision that is wanted, as a lock has it
   * @throws {SkillError} ORIGIN_REFUSED, ORIGIN_INVALID, ORIGIN_UNREACHABLE, TIMED_OUT; later, of `fetch`, SKILL_NOT_FOUND
   */
  open(options?: { readonly revision?: string }): Promise<Origin>
}

/** The plugins of a marketplace. */
export interface Marketplace {
  readonly name: string
  /** In their order. */
  readonly plugins: readonly MarketplacePlugin[]
}

/**
 * Returns the plugin of a name.
 * @throws {SkillError} SKILL_NOT_FOUND: no plugin has this name; the message lists some that exist
 */
export function findPlugin({ name: marketplace, plugins }: Marketplace, name: string): MarketplacePlugin {
  const found = plugins.find((plugin) => plugin.name === name)
  if (found !== undefined) return found
  const names = plugins.map((plugin) => plugin.name).filter((each) => each !== '')
  const nearest = nearestNames(name, names)
  const shown = names
    .slice(0, MAX_NAMED)
    .map((each) => showName(each))
    .join(', ')
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : ''
  const meant = nearest.length === 0 ? '' : ` Did you mean "${nearest.join('", "')}"?`
  const has = names.length === 0 ? 'It has none.' : `It has ${shown}${more}.`
  const message = `The marketplace "${marketplace}" has no plugin "${showName(name)}". ${has}${meant}`
  throw new SkillError('SKILL_NOT_FOUND', message, { nearest })
}

/** Names in a message. */
const MAX_NAMED = 20

const FILE = '.claude-plugin/marketplace.json'
const MAX_BYTES = 4 * 1024 * 1024

/** The most plugins of a marketplace. */
const MAX_PLUGINS = 10_000

/**
 * Reads the marketplace of plugins that a repository, a folder, an archive or an address of a `marketplace.json` holds. Of a
 * plugin its skills are taken, and nothing else.
 * @param text as of `resolveOrigin`
 * @throws {SkillError} as `resolveOrigin` does; ORIGIN_REFUSED: the file is missing or malformed
 */
export async function readMarketplace(text: string, options: OriginOptions = {}): Promise<Marketplace> {
  checkOriginOptions('readMarketplace', text, options)
  if (/^https?:\/\/[^?#]*\/marketplace\.json$/i.test(text)) return readRemote(text, options)
  const origin = await resolveOrigin(text, options)
  const { source } = origin.resolved
  const { file, base } = await withTree(origin, async (tree) => {
    const found = await readJsonFile(source, tree, joinPath(tree.base, FILE))
    if (found === undefined) throw unreachable(source, `it has no marketplace at ${FILE}.`)
    return { file: found, base: tree.base }
  })
  return toMarketplace(source, file, options, { text: textOfHome(origin, base), origin, base })
}

async function readRemote(text: string, options: OriginOptions): Promise<Marketplace> {
  const { bytes } = await withDeadline(text, options, [options.signal], (signal) =>
    download(text, new URL(text), { ...options, signal, maxBytes: MAX_BYTES }),
  )
  return toMarketplace(text, parseJsonObject(text, 'marketplace.json', bytes), options, { text })
}

/** The text of a marketplace that leads to it again, from the folder of a lock too. */
function textOfHome({ resolved }: Origin, base: string): string {
  // Of a repository, the folder above what is named is looked into.
  return originText({ ...resolved, skillPath: joinPath(base, 'any') })
}

/** Where a marketplace is. */
interface Home {
  /** As `readMarketplace` takes it. */
  readonly text: string
  /** What its paths are relative to. Absent: it is one file. */
  readonly origin?: Origin
  /** The folder that the marketplace is in, from the top of the origin. */
  readonly base?: string
}

function toMarketplace(source: string, file: JsonObject, options: OriginOptions, home: Home): Marketplace {
  const { name, plugins, metadata } = file
  if (typeof name !== 'string' || name === '') throw refused(source, `${FILE} has no name.`, FILE)
  if (!Array.isArray(plugins)) throw refused(source, `${FILE} has no list of plugins.`, FILE)
  if (plugins.length > MAX_PLUGINS) {
    throw refused(source, `${FILE} has ${plugins.length} plugins, and ${MAX_PLUGINS} are the most.`, FILE)
  }
  const { pluginRoot = '' } = (typeof metadata === 'object' && metadata !== null ? metadata : {}) as JsonObject
  const root = pluginPath(pluginRoot)
  if ('problem' in root) throw refused(source, `its pluginRoot cannot be a folder of it: ${root.problem}.`, FILE)
  const names = plugins.map((each: unknown) => textOf(each, 'name'))
  return {
    name: showName(name.slice(0, 200)),
    plugins: plugins.map((each: unknown, index): MarketplacePlugin => {
      const plugin = typeof each === 'object' && each !== null ? (each as JsonObject) : {}
      const pluginName = names[index] ?? ''
      const place = readPluginSource(plugin['source'], root.path)
      const problem = entryProblem(plugin, names) ?? ('problem' in place ? place.problem : undefined)
      const description = textOf(plugin, 'description')
      const version = textOf(plugin, 'version')
      return {
        name: pluginName,
        description,
        version,
        problem,
        async open(wanted = {}) {
          checkOptions<typeof wanted>('open', { revision: anyText }, wanted)
          const { revision } = wanted
          if (problem !== undefined || 'problem' in place) {
            throw refused(source, `plugins[${index}], ${showName(pluginName)}: ${problem ?? ''}.`, FILE)
          }
          const named = { marketplace: home.text, name: pluginName }
          return openPlugin(source, plugin, place, home, named, withRevision(options, revision))
        },
      }
    }),
  }
}

function entryProblem({ name, strict }: JsonObject, names: readonly (string | undefined)[]): string | undefined {
  if (typeof name !== 'string' || !/^[\w.-]{1,100}$/.test(name)) return 'its name is not letters, digits and hyphens'
  if (names.filter((each) => each === name).length > 1) return 'there are two of that name'
  return strict === undefined || typeof strict === 'boolean'
    ? undefined
    : 'its field "strict" is neither true nor false'
}

function textOf(value: unknown, key: string): string | undefined {
  const text = typeof value === 'object' && value !== null ? (value as JsonObject)[key] : undefined
  return typeof text === 'string' ? showName(text.slice(0, 2000)) : undefined
}

/** What was asked for of the marketplace, a branch or a commit of it, says nothing of a plugin that is elsewhere. */
function withRevision({ ref: _ref, revision: _revision, ...rest }: OriginOptions, revision?: string): OriginOptions {
  return revision === undefined ? rest : { ...rest, revision }
}

async function openPlugin(
  source: string,
  plugin: JsonObject,
  place: PluginSource,
  { origin: own, base = '' }: Home,
  named: OriginPlugin,
  options: OriginOptions,
): Promise<Origin> {
  const { skills, strict } = plugin as { readonly skills?: unknown; readonly strict?: boolean }
  const listing = { skills, strict }
  if (place.kind === 'relative') {
    if (own === undefined) {
      const reason = 'a path needs a repository that it is in, and this marketplace is one file. Name its repository.'
      throw refused(source, reason)
    }
    if (options.revision !== undefined && options.revision !== own.resolved.revision) {
      throw refused(source, `its revision is ${own.resolved.revision ?? 'unknown'}, and ${options.revision} is wanted.`)
    }
    return narrowedOrigin(own, (tree) => pluginTree(source, tree, joinPath(base, place.path), listing), {
      plugin: named,
    })
  }
  const origin = await resolveOrigin(place.text, optionsFor(source, place, options))
  const path = place.kind === 'git' ? place.path : ''
  return narrowedOrigin(
    origin,
    (tree) => pluginTree(origin.resolved.source, tree, joinPath(tree.base, path), listing),
    { plugin: named },
  )
}

function optionsFor(
  source: string,
  place: Exclude<PluginSource, { kind: 'relative' }>,
  options: OriginOptions,
): OriginOptions {
  if (place.kind === 'git') {
    const revision = options.revision ?? place.commit
    return {
      ...options,
      ...(place.ref !== undefined && { ref: place.ref }),
      ...(revision !== undefined && { revision }),
    }
  }
  const { registry = REGISTRY } = options
  // A token for the user's registry would go to whatever a marketplace names.
  if (place.registry === undefined || URL.parse(place.registry)?.href === new URL(registry).href) return options
  const reason = `a plugin is in the registry ${showName(place.registry.slice(0, 200))}. Give it as \`registry\` if you know it.`
  throw refused(source, reason)
}
