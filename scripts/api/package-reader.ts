import { type Declaration, type DeclarationFile, type ImportedName, readDeclarationFile } from './declarations.ts'

/** The declaration files of one package, each of which is read once. */
export interface PackageReader {
  readonly fileOf: (file: string) => DeclarationFile
  /** Follows re-exports to the file that declares a name, or out of the package. */
  readonly follow: (name: ImportedName) => ImportedName
  /** Undefined for a name of another package. */
  readonly declarationOf: (name: ImportedName) => Declaration | undefined
}

/** @param read gives the text of a declaration file */
export function createPackageReader(read: (file: string) => string): PackageReader {
  const files = new Map<string, DeclarationFile>()

  function fileOf(file: string): DeclarationFile {
    const known = files.get(file) ?? readDeclarationFile(file, read(file))
    files.set(file, known)
    return known
  }

  function follow(target: ImportedName): ImportedName {
    if (declarationOf(target) !== undefined || 'package' in target) return target
    const next = fileOf(target.file).exports.get(target.name)
    if (next === undefined) throw new TypeError(`${target.file} does not declare "${target.name}".`)
    return follow(next)
  }

  function declarationOf(target: ImportedName): Declaration | undefined {
    return 'file' in target ? fileOf(target.file).declarations.get(target.name) : undefined
  }

  return { fileOf, follow, declarationOf }
}
