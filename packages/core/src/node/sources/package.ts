import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import {
  type SOURCE_CODES,
  isObject,
  either,
  flag,
  listOf,
  oneOf,
  required,
  text,
  withDefault,
  checkOptions,
  type OptionTable,
  type Diagnostic,
  unicodeExpression,
  showName,
} from '@repertoire/skill-md/internal'
import { quoted } from '../../resources/path.ts'
import type { FoundSkill, SkillSource } from '../../ports/source.ts'
import { readJsonFile } from '../folder/reading.ts'
import { directorySource } from './directory.ts'
import { realOrResolved, rootWithoutSkills } from './report-sources.ts'
import { untrusted } from './scan-report.ts'
import { byText } from '../../text/order.ts'

/** Options of `packageSource`. */
export interface PackageSourceOptions {
  /** The project's folder, which holds its package.json. Absolute or relative to the working folder. */
  readonly project: string
  /**
   * `direct`: the packages in `dependencies`, `devDependencies` and `optionalDependencies` of the project's
   * package.json. Transitive dependencies bring no skills, even if they are hoisted. A list: these packages, whether
   * they are named there or not. Default `direct`.
   */
  readonly packages?: 'direct' | readonly string[] | undefined
  /** Whether its skills may be loaded. False: none is, which is reported beside a package.json. Default true. */
  readonly trusted?: boolean | undefined
  /** The source's id. A skill's source is this id and its package: `npm:pdf-tools@1.2.0`. Default `npm`. */
  readonly id?: string | undefined
}

const PACKAGE_SOURCE_OPTIONS: OptionTable<PackageSourceOptions> = {
  project: required(text),
  packages: withDefault('direct', either(oneOf('direct'), listOf(text, 'a list of package names'))),
  trusted: withDefault(true, flag),
  id: withDefault('npm', text),
}

/** This package, whose skills are already in the layer `bundled`. */
const OWN_PACKAGE = '@repertoire/core'
const DEPENDENCY_FIELDS = ['dependencies', 'devDependencies', 'optionalDependencies'] as const

/**
 * Returns a source that finds the skills in a project's installed npm packages, for the layer `plugin`: those in
 * `skills/<name>/SKILL.md`. Packages are found as Node finds them from the project: in `node_modules` of its folder and
 * of all parent folders; links of pnpm and of workspaces are followed.
 *
 * Packages are visited by name and looked up again in each scan. A link inside a package is refused; hard links are
 * read, since package managers create them. A problem with one package is a diagnostic, and the others load. A package
 * in package.json that is not installed is skipped.
 * @throws {TypeError} an option is unknown or has the wrong type, or a name is not that of a package
 */
export function packageSource(options: PackageSourceOptions): SkillSource {
  checkOptions('packageSource', PACKAGE_SOURCE_OPTIONS, options, 'packageSource({ project: process.cwd() })')
  const { packages = 'direct', trusted = true, id = 'npm' } = options
  const misnamed = packages === 'direct' ? undefined : packages.find((name) => !isPackageName(name))
  if (misnamed !== undefined) throw new TypeError(`packageSource: ${quoted(misnamed)} is not the name of a package.`)
  const project = resolve(options.project)
  return {
    id,
    layer: 'plugin',
    places: [`the npm packages of ${project}`],
    async *scan() {
      if (!trusted) {
        const manifest = join(project, 'package.json')
        if (existsSync(manifest)) yield untrusted(manifest)
        return
      }
      const names = packages === 'direct' ? yield* directPackages(project) : [...new Set(packages)]
      const seen = new Set<string>()
      for (const name of names.toSorted(byText(String))) {
        if (name === OWN_PACKAGE) continue
        const folder = installedAt(project, name)
        if (folder === undefined) {
          if (packages !== 'direct') yield notInstalled(name, project)
        } else if (!seen.has(folder)) {
          seen.add(folder)
          yield* scanPackage(name, folder, packages === 'direct')
        }
      }
    },
  }
}

/** Yields what is wrong, and returns the names. */
async function* directPackages(project: string): AsyncGenerator<Finding, readonly string[], undefined> {
  const path = join(project, 'package.json')
  const file = readJsonFile(path)
  if (file.state === 'missing') return []
  if (file.state === 'failed' || !isObject(file.value)) {
    yield brokenPackageJson(path, file.state === 'failed' ? `it ${file.problem}` : 'it is not an object')
    return []
  }
  const { value } = file
  const names = DEPENDENCY_FIELDS.flatMap((field) => Object.keys(Object(value[field]) as object))
  // What is not the name of a package cannot be installed either.
  return [...new Set(names.filter(isPackageName))]
}

const PACKAGE_NAME = unicodeExpression(
  String.raw`^(?:@[^@/\\\s\p{C}:.][^@/\\\s\p{C}:]*/)?[^@/\\\s\p{C}:.][^@/\\\s\p{C}:]*$`,
)

function isPackageName(name: unknown): name is string {
  return typeof name === 'string' && name.length <= 214 && PACKAGE_NAME().test(name)
}

/** Returns the package's folder with links resolved, found from the project as Node finds it. */
function installedAt(project: string, name: string): string | undefined {
  let folder = realOrResolved(project)
  for (;;) {
    const candidate = join(folder, 'node_modules', name)
    if (basename(folder) !== 'node_modules' && isFolder(candidate)) return realOrResolved(candidate)
    const parent = dirname(folder)
    if (parent === folder) return undefined
    folder = parent
  }
}

async function* scanPackage(
  name: string,
  folder: string,
  optional: boolean,
): AsyncGenerator<FoundSkill | Diagnostic, void, undefined> {
  const file = readJsonFile(join(folder, 'package.json'))
  const { version } = Object(file.state === 'read' && file.value) as { readonly version?: unknown }
  const part = typeof version === 'string' && /^[\w.+-]{1,128}$/.test(version) ? `${name}@${version}` : name
  const root = join(folder, 'skills')
  if (!isFolder(root)) {
    if (!optional) yield rootWithoutSkills(folder)
  } else if (realOrResolved(root) === root) {
    const source = directorySource({ root, layer: 'plugin', hardLinks: 'allow', optional })
    for await (const found of source.scan()) yield 'code' in found ? found : { ...found, part }
  } else yield linkInPackage(root)
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

interface Finding extends Diagnostic {
  readonly code: keyof typeof SOURCE_CODES
}

function brokenPackageJson(path: string, reason: string): Finding {
  return {
    code: 'PACKAGE_JSON_INVALID',
    severity: 'warning',
    path,
    message: `${showName(path)} cannot be used: ${reason}. Skills of packages that it names were not loaded.`,
    hint: 'Fix it.',
  }
}

function linkInPackage(path: string): Finding {
  return {
    code: 'SKILL_FOLDER_LINKED',
    severity: 'error',
    path,
    message: `${showName(path)} is a link, lies behind one, or is spelled differently on the disk, so no skill was loaded from it.`,
    hint: 'The package must hold the folder itself, under exactly that name.',
  }
}

function notInstalled(name: string, project: string): Finding {
  return {
    code: 'PACKAGE_NOT_FOUND',
    severity: 'warning',
    path: project,
    message: `The package ${quoted(name)} is not installed for ${showName(project)}, so its skills were not loaded.`,
    hint: 'Install it, or take it off the list of packages.',
  }
}
