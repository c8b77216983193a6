import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** A package that the workspace publishes. */
interface PublishedPackage {
  readonly name: string
  readonly folder: string
}

/** The packages that the workspace publishes. */
function publishedPackages(root = '.'): readonly PublishedPackage[] {
  return globSync('packages/*/package.json', { cwd: root })
    .toSorted()
    .flatMap((file) => {
      const manifest = JSON.parse(readFileSync(join(root, file), 'utf8')) as { name: string; private?: boolean }
      return manifest.private === true ? [] : [{ name: manifest.name, folder: dirname(file) }]
    })
}

/** Packs every published package into a folder. Returns the names of the tarballs there, by the names of the packages. */
export function packAll(to: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    publishedPackages().map(({ name, folder }) => {
      const tarball = `${basename(folder)}.tgz`
      run('pnpm', ['--dir', folder, '--silent', 'pack', '--out', join(to, tarball)])
      return [name, tarball]
    }),
  )
}

/** Runs a command, and throws if it fails. */
export function run(command: string, args: readonly string[], cwd = '.'): void {
  const { status, error } = spawnSync(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) throw new Error(`${command} failed: ${error?.message ?? `exit code ${status}`}`)
}
