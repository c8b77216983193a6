import { showName } from '@repertoire/core'
import { type JsonObject, parseJsonObject } from './json-file.ts'
import { MAX_SKILL_DEPTH } from './limits.ts'
import type { OriginTree, TreeEntry } from './tree.ts'

/** A SKILL.md in an origin. */
export interface FoundManifest {
  readonly entry: TreeEntry
  /** The folder that holds it; empty: the top. */
  readonly folder: string
  /** The name of that folder; absent where the origin does not name it, at its top. */
  readonly folderName?: string
}

/** The manifests of an origin. */
export interface FoundManifests {
  /** The skills that the origin offers: those of the first place that has any. */
  readonly offered: readonly FoundManifest[]
  /** The others, place by place. They are found by name. */
  readonly others: readonly (readonly FoundManifest[])[]
}

/** Folders whose skills do not belong to the origin. */
const SKIPPED: ReadonlySet<string> = new Set(['.git', 'node_modules', '__MACOSX'])

/** Where a repository keeps its skills, in this order. A SKILL.md at its top comes first, any other folder last. */
const PLACES = [/^skills\//, /^\.agents\/skills\//, /^\.claude\/skills\//, /^plugins\/[^/]+\/skills\//]

/** Folders that hold skills for a project's own use or tests. */
const PRIVATE = /^(?:\..*|_*(?:tests?|testdata|fixtures?|examples?)_*)$/i

/** Finds the manifests of an origin. */
export function findManifests({ entries, base }: OriginTree): FoundManifests {
  const found = entries
    .filter(({ path }) => path === 'SKILL.md' || path.endsWith('/SKILL.md'))
    .map((entry) => manifestAt(entry, base))
    .filter((manifest) => manifest !== undefined)
    .toSorted((a, b) => (a.folder < b.folder ? -1 : 1))
  const all = new Set(found.map(({ folder }) => folder))
  const places = Map.groupBy(found, ({ folder }) => placeOf(folder, base, all))
  const ordered = [...places].toSorted(([a], [b]) => a - b)
  const [first] = ordered
  const isOffered = first !== undefined && first[0] !== BY_NAME_ALONE
  return {
    offered: isOffered ? first[1] : [],
    others: ordered.slice(isOffered ? 1 : 0).map(([, manifests]) => manifests),
  }
}

const TOP = -1
const ANYWHERE = PLACES.length
const BY_NAME_ALONE = ANYWHERE + 1

function placeOf(folder: string, base: string, all: ReadonlySet<string>): number {
  const parts = relativeParts(folder, base)
  const top = base === '' ? [] : [base]
  if (parts.length === 0) return TOP
  // A skill inside of another skill is one of its files.
  if (parts.some((_part, end) => all.has([...top, ...parts.slice(0, end)].join('/')))) return BY_NAME_ALONE
  const place = PLACES.findIndex((each) => each.test(parts.join('/')))
  if (place !== -1) return place
  return parts.some((part) => PRIVATE.test(part)) ? BY_NAME_ALONE : ANYWHERE
}

function manifestAt(entry: TreeEntry, base: string): FoundManifest | undefined {
  const folder = entry.path.slice(0, Math.max(0, entry.path.length - '/SKILL.md'.length))
  const parts = relativeParts(folder, base)
  if (parts.length > MAX_SKILL_DEPTH || parts.some((part) => SKIPPED.has(part))) return undefined
  const folderName = parts.at(-1)
  return { entry, folder, folderName }
}

function relativeParts(folder: string, base: string): readonly string[] {
  const relative = base === '' ? folder : folder === base ? '' : folder.slice(base.length + 1)
  return relative === '' ? [] : relative.split('/')
}

/** Says how to go on where an origin offers no skill. */
export async function hintForNone(source: string, tree: OriginTree, { others }: FoundManifests): Promise<string> {
  const [other] = others.flat()
  if (other !== undefined) {
    return `Its skills are inside of tests, examples or hidden folders, such as ${showName(other.folder)}. Take one with --skill (in code: \`skills\`), or name the folder.`
  }
  const odd = tree.entries.find(({ path }) => /(?:^|\/)skill\.md$/i.test(path) && !path.endsWith('SKILL.md'))?.path
  if (odd !== undefined) return `${showName(odd)} would have to be named SKILL.md.`
  const elsewhere = await pluginsElsewhere(source, tree)
  if (elsewhere.length === 0) return 'Name the folder that holds it.'
  return `Its marketplace names plugins elsewhere: ${elsewhere.join(', ')}. Add them from there.`
}

const MARKETPLACE = '.claude-plugin/marketplace.json'
const MAX_NAMED = 10

/** The plugins that a marketplace file says to be in other places, each with its place, at most ten. */
export async function pluginsElsewhere(source: string, tree: OriginTree): Promise<readonly string[]> {
  const { plugins } = await readMarketplace(source, tree).catch((): JsonObject => ({}))
  if (!Array.isArray(plugins)) return []
  return plugins
    .flatMap((plugin: unknown) => {
      const { name, source: place } = Object(plugin) as Readonly<Record<string, unknown>>
      if (typeof name !== 'string' || typeof place !== 'object' || place === null) return []
      const { repo, url, package: npm } = place as Readonly<Record<string, unknown>>
      const where = [repo, url, npm].find((each) => typeof each === 'string')
      return where === undefined ? [] : [`${showName(name.slice(0, 100))} (${showName(where.slice(0, 200))})`]
    })
    .slice(0, MAX_NAMED)
}

async function readMarketplace(source: string, tree: OriginTree): Promise<JsonObject> {
  const path = tree.base === '' ? MARKETPLACE : `${tree.base}/${MARKETPLACE}`
  const entry = tree.entries.find((each) => each.path === path && each.kind === 'file')
  if (entry === undefined) return {}
  return parseJsonObject(source, path, (await tree.read([entry])).get(path)!)
}
