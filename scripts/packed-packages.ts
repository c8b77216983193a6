import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** The root of the workspace. */
export const ROOT = join(import.meta.dirname, '..')

interface PackageJson {
  readonly name: string
  readonly private?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
}

/** Where the packed packages are: the address of each tarball, by the name of the package. */
export type Tarballs = Readonly<Record<string, string>>

/** Packs every public package, as it would be published, into a folder. The packages must be built. */
export function packPackages(folder: string): Tarballs {
  mkdirSync(folder, { recursive: true })
  const tarballs: Record<string, string> = {}
  for (const file of globSync('packages/*/package.json', { cwd: ROOT }).toSorted()) {
    const { name, private: isPrivate } = readPackage(join(ROOT, file))
    if (isPrivate === true) continue
    const tarball = join(folder, `${basename(dirname(file))}.tgz`)
    execFileSync('pnpm', ['--dir', dirname(file), '--silent', 'pack', '--out', tarball], { cwd: ROOT })
    tarballs[name] = `file:${tarball}`
  }
  return tarballs
}

const isSource = (path: string): boolean =>
  !/^(?:node_modules|\.next|generated|package-lock\.json)$/.test(basename(path))

/** Copies an example, without anything that was installed or built. */
export function copyExample(name: string, folder: string): void {
  cpSync(join(ROOT, 'examples', name), folder, { recursive: true, filter: isSource })
}

/** Lets `npm install` in a folder take the tarballs in place of published packages. */
export function useTarballs(folder: string, tarballs: Tarballs): void {
  const file = join(folder, 'package.json')
  const manifest = readPackage(file)
  const dependencies = Object.entries(manifest.dependencies ?? {}).map(([name, range]) => [
    name,
    tarballs[name] ?? range,
  ])
  writeFileSync(
    file,
    JSON.stringify({ ...manifest, dependencies: Object.fromEntries(dependencies), overrides: tarballs }),
  )
}

function readPackage(file: string): PackageJson {
  return JSON.parse(readFileSync(file, 'utf8')) as PackageJson
}
