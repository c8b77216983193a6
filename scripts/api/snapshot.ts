import type { Declaration, ImportedName } from './declarations.ts'
import { createPackageReader, type PackageReader } from './package-reader.ts'

/** An entry of a package, and what its exports are declared as, re-exports followed. */
interface Entry {
  /** As it is imported: `@repertoire/core/node`. */
  readonly specifier: string
  readonly exports: ReadonlyMap<string, ImportedName>
  readonly augmentations: readonly string[]
}

/** A declaration as the snapshot shows it. */
interface Block {
  readonly name: string
  readonly text: string
}

/**
 * The public API of a package, entry by entry: every export with its declaration, and the declarations that they refer
 * to and that no entry exports, since a change of those is a change too. Comments are left out and names are sorted, so
 * that a snapshot changes where the API does and nowhere else.
 * @param entries the declaration file of each entry, by the name that the entry is imported by: `@repertoire/core/node`
 * @param read gives the text of a declaration file
 * @returns a snapshot for each entry, by the same names
 */
export function apiSnapshots(
  entries: ReadonlyMap<string, string>,
  read: (file: string) => string,
): ReadonlyMap<string, string> {
  const reader = createPackageReader(read)
  const all = [...entries].map(([specifier, file]): Entry => {
    const { exports, augmentations } = reader.fileOf(file)
    const followed = [...exports].map(([name, target]) => [name, reader.follow(target)] as const)
    return { specifier, exports: new Map(followed), augmentations }
  })
  return new Map(all.map((entry) => [entry.specifier, snapshotOf(entry, all, reader)]))
}

function snapshotOf(entry: Entry, all: readonly Entry[], reader: PackageReader): string {
  const values: Block[] = []
  const types: Block[] = []
  for (const [name, target] of entry.exports) {
    const declaration = reader.declarationOf(target)
    const isRenamed = declaration === undefined || target.name !== name
    const text = isRenamed ? reexportOf(name, target) : declaration.texts.map((each) => `export ${each}`).join('\n')
    ;(declaration?.isType ? types : values).push({ name, text })
  }
  const { internal, imports } = referredTo(entry, all, reader)
  const augmentations = entry.augmentations.map((text) => ({ name: text, text }))
  return [
    `// The public API of ${entry.specifier} (values: ${values.length}, types: ${types.length}). Written by "npm run api".\n`,
    ...(imports.length > 0 ? [`${imports.toSorted().join('\n')}\n`] : []),
    ...section('Values', values),
    ...section('Types', types),
    ...section('Added to other modules', augmentations),
    ...section('Not exported, but part of the above', internal),
  ].join('\n')
}

/** What the declarations of an entry refer to beside its own exports: blocks of its own, or imports of other entries. */
function referredTo(
  entry: Entry,
  all: readonly Entry[],
  reader: PackageReader,
): { readonly internal: readonly Block[]; readonly imports: readonly string[] } {
  const shown = new Set([...entry.exports].flatMap(([name, target]) => (target.name === name ? [keyOf(target)] : [])))
  const elsewhere = new Map(
    all.flatMap(({ specifier, exports }) =>
      specifier === entry.specifier ? [] : [...exports].map(([name, to]) => [keyOf(to), importOf(name, specifier)]),
    ),
  )
  const internal: Block[] = []
  const imports = new Set<string>()

  function visit(target: ImportedName): void {
    const key = keyOf(target)
    if (shown.has(key)) return
    const declaration = reader.declarationOf(target)
    const imported = 'package' in target ? importOf(target.name, target.package) : elsewhere.get(key)
    if (imported !== undefined) imports.add(imported)
    if (imported !== undefined || declaration === undefined) return
    shown.add(key)
    internal.push({ name: target.name, text: declaration.texts.join('\n') })
    visitReferences(declaration)
  }

  function visitReferences({ references }: Declaration): void {
    for (const reference of references) visit(reader.follow(reference))
  }

  for (const target of entry.exports.values()) {
    const declaration = reader.declarationOf(target)
    if (declaration === undefined) continue
    // What is exported under another name alone is shown by its own name among what is not exported.
    if (shown.has(keyOf(target))) visitReferences(declaration)
    else visit(target)
  }
  return { internal, imports: [...imports] }
}

function keyOf(target: ImportedName): string {
  return `${'file' in target ? target.file : target.package} ${target.name}`
}

function importOf(name: string, from: string): string {
  return `import { ${name} } from '${from}'`
}

function reexportOf(name: string, target: ImportedName): string {
  const names = target.name === name ? name : `${target.name} as ${name}`
  return `export { ${names} }${'package' in target ? ` from '${target.package}'` : ''};`
}

/** A heading with its blocks by name, an empty line behind each; nothing where there is no block. */
function section(heading: string, blocks: readonly Block[]): readonly string[] {
  const order = (a: Block, b: Block): number => compare(a.name, b.name) || compare(a.text, b.text)
  return blocks.length === 0 ? [] : [`// ${heading}\n`, ...blocks.toSorted(order).map(({ text }) => `${text}\n`)]
}

/** By code units: the same order on every machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
