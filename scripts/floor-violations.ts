import { dirname, join } from 'node:path/posix'
import type { Floor, SidewaysEdge } from './floors.ts'
import { importsOf } from './imports.ts'

/** A package of the workspace. */
export interface WorkspacePackage {
  readonly name: string
  /** From the root of the repository, as in `packages/core`. */
  readonly folder: string
  /** The files of its entries, from its folder, by what follows its name: `.`, `./node`. */
  readonly entries: Readonly<Record<string, string>>
}

/** What is judged: sources by their paths from the root of the repository, and the packages that they belong to. */
export interface House {
  readonly sources: ReadonlyMap<string, string>
  readonly packages: readonly WorkspacePackage[]
}

/** The rules that it is judged by. */
export interface FloorTable {
  readonly floors: readonly Floor[]
  readonly sideways: readonly SidewaysEdge[]
}

/**
 * One sentence for everything in which the sources and the table do not agree: an import that runs upwards, or sideways
 * where that is not allowed, one of another package's inside, a file or an entry of the table that has no counterpart.
 */
export function floorViolations(house: House, table: FloorTable): readonly string[] {
  const used = new Set<SidewaysEdge>()
  const imports = [...house.sources].flatMap(([file, text]) =>
    importsOf(text).flatMap((specifier) => importViolation(file, specifier, house.packages, table, used) ?? []),
  )
  return [...new Set([...unknownFolders(house, table), ...imports, ...staleEntries(house, table, used)])]
}

/** The sources of folders that the table does not name, once for each folder. */
function unknownFolders({ sources }: House, { floors }: FloorTable): readonly string[] {
  return [...sources.keys()]
    .filter((file) => placeOf(file, floors) === undefined)
    .map((file) => `${dirname(file)} is not in the table of floors (it holds ${file}). Add it to scripts/floors.ts.`)
}

function importViolation(
  file: string,
  specifier: string,
  packages: readonly WorkspacePackage[],
  { floors, sideways }: FloorTable,
  used: Set<SidewaysEdge>,
): string | undefined {
  const target = targetOf(file, specifier, packages)
  if (target === 'elsewhere') return undefined
  if (target === 'inside') {
    return `${file} imports "${specifier}", which is the inside of another package. Import one of its entries.`
  }
  const [from, to] = [placeOf(file, floors), placeOf(target, floors)]
  // Files without a place are reported once, not with every import.
  if (from === undefined || to === undefined || to.floor < from.floor || to.path === from.path) return undefined
  const edge = sideways.find((each) => each.from === from.path && each.to === to.path)
  if (to.floor === from.floor && edge !== undefined) {
    used.add(edge)
    return undefined
  }
  const direction = to.floor > from.floor ? 'upwards' : 'sideways'
  return `${file} imports "${specifier}": ${direction}, from ${from.path} (floor ${from.floor}) to ${to.path} (floor ${to.floor}).`
}

/**
 * The source that a specifier names.
 * @returns `elsewhere`: not a source of the workspace. `inside`: of another package, and not one of its entries
 */
function targetOf(file: string, specifier: string, packages: readonly WorkspacePackage[]): string {
  if (specifier.startsWith('.')) {
    const target = join(dirname(file), specifier)
    const isInside = owner(file, packages) !== owner(target, packages)
    return isInside ? 'inside' : target
  }
  const imported = packages.find(({ name }) => specifier === name || specifier.startsWith(`${name}/`))
  if (imported === undefined) return 'elsewhere'
  const entry = imported.entries[`.${specifier.slice(imported.name.length)}`]
  return entry === undefined ? 'inside' : join(imported.folder, entry)
}

function owner(file: string, packages: readonly WorkspacePackage[]): WorkspacePackage | undefined {
  return packages.find(({ folder }) => file.startsWith(`${folder}/`))
}

/** Places and edges that have no counterpart in the sources, or no longer. */
function staleEntries(
  { sources }: House,
  { floors, sideways }: FloorTable,
  used: ReadonlySet<SidewaysEdge>,
): readonly string[] {
  const files = [...sources.keys()]
  const exists = (place: string): boolean => files.some((file) => isIn(file, place))
  return [
    ...floors
      .flatMap(({ places }) => places)
      .filter((place) => !exists(place))
      .map((place) => `${place} is in the table of floors and holds no source.`),
    ...floors
      .flatMap(({ planned = [] }) => planned)
      .filter(exists)
      .map((place) => `${place} is there now. Move it from "planned" to "places" in scripts/floors.ts.`),
    ...sideways
      .filter((edge) => !used.has(edge))
      .map(({ from, to }) => `Nothing in ${from} imports from ${to} any more. Remove the edge from scripts/floors.ts.`),
  ]
}

/** The floor of a file, the lowest being 1. */
function placeOf(
  file: string,
  floors: readonly Floor[],
): { readonly path: string; readonly floor: number } | undefined {
  return floors
    .flatMap(({ places, planned = [] }, index) => [...places, ...planned].map((path) => ({ path, floor: index + 1 })))
    .filter(({ path }) => isIn(file, path))
    .toSorted((one, other) => other.path.length - one.path.length)[0]
}

function isIn(file: string, place: string): boolean {
  return file === place || file === `${place}.ts` || file.startsWith(`${place}/`)
}
