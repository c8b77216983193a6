import { existsSync, realpathSync, statSync } from 'node:fs'
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
import { pathProblem, quoted } from '../../resources/path.ts'
import type { FoundSkill, SkillSource } from '../../ports/source.ts'
import { readJsonFile } from '../folder/reading.ts'
import { directorySource } from './directory.ts'
import { rootWithoutSkills } from './report-sources.ts'
import { untrusted } from './scan-report.ts'
import { byText } from '../../text/order.ts'

/** Options of `packageSource`. */
export interface PackageSourceOptions {
  /** The project's folder, which holds its package.json. Absolute or relative to the working folder. */
  readonly project: string
  /**
   * `direct`: the packages in `dependencies`, `devDependencies` and `optionalDependencies` of the project's package.json.
   * Transitive dependencies bring no skills, even if they are hoisted. A list: these packages, whether they are named
   * there or not. Default `direct`.
   */
  readonly packages?: 'direct' | readonly string[] | undefined
  /** Whether its skills may be loaded. False: none is, which is reported if the project has a package.json. Default true. */
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
 * `skills/<name>/SKILL.md`, or, if the package's package.json has the field `agentskills`, those named there:
 * `{ "skills": [{ "path": "./docs/skill" }] }`, where each path is a skill's folder. Packages are found as Node finds
 * them from the project: in `node_modules` of its folder and of all parent folders; links of pnpm and of workspaces are
 * followed.
 *
 * Packages are visited by name and looked up again in each scan. A link inside a package, or a path that leaves it, is
 * refused; hard links are read, since package managers create them. A problem with one package is a diagnostic, and the
 * others load. A package in package.json that is not installed is skipped.
 *
 * The convention `skills/` comes from pnpm and skills-npm; the field from the proposal agentskills/agentskills#81.
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
  const manifest = yield* readPackageJson(path, false)
  if (manifest === undefined) return []
  const names = DEPENDENCY_FIELDS.flatMap((field) => Object.keys(Object(manifest[field]) as object))
  // What is not the name of a package cannot be installed either.
  return [...new Set(names.filter(isPackageName))]
}

const PACKAGE_NAME = unicodeExpression(
  String.raw`^(?:@[^@/\\\s\p{C}:.][^@/\\\s\p{C}:]*/)?[^@/\\\s\p{C}:.][^@/\\\s\p{C}:]*$`,
)

/** Whether a name can be looked up in `node_modules` without leaving it. */
function isPackageName(name: unknown): name is string {
  return typeof name === 'string' && name.length <= 214 && PACKAGE_NAME().test(name)
}

/** Returns the package's folder with links resolved, found from the project as Node finds it. */
function installedAt(project: string, name: string): string | undefined {
  let folder = realOf(project) ?? project
  for (;;) {
    const candidate = join(folder, 'node_modules', name)
    if (basename(folder) !== 'node_modules' && isFolder(candidate)) return realOf(candidate)
    const parent = dirname(folder)
    if (parent === folder) return undefined
    folder = parent
  }
}

/** The content of a package.json: an object with unchecked properties. */
type PackageJson = Readonly<Record<string, unknown>>

/** Yields why a file cannot be used, and returns its content; undefined if it cannot be used, or is missing. */
async function* readPackageJson(
  path: string,
  mustExist: boolean,
): AsyncGenerator<Finding, PackageJson | undefined, undefined> {
  const file = await readJsonFile(path)
  if (file.state === 'read' && isObject(file.value)) return file.value
  const problem = file.state === 'failed' ? `it ${file.problem}` : 'it is not there, or not an object'
  if (file.state !== 'missing' || mustExist) yield brokenPackageJson(path, problem)
  return undefined
}

async function* scanPackage(
  name: string,
  folder: string,
  optional: boolean,
): AsyncGenerator<FoundSkill | Diagnostic, void, undefined> {
  const path = join(folder, 'package.json')
  const manifest = yield* readPackageJson(path, true)
  if (manifest === undefined) return
  const { version, agentskills } = manifest
  const part = typeof version === 'string' && /^[\w.+-]{1,128}$/.test(version) ? `${name}@${version}` : name
  const roots = yield* agentskills === undefined ? defaultRoot(folder) : listedRoots(folder, path, agentskills)
  if (roots.length === 0 && agentskills === undefined && !optional) yield rootWithoutSkills(folder)
  for (const { root, depth } of roots) {
    const source = directorySource({ root, layer: 'plugin', depth, hardLinks: 'allow', optional })
    for await (const found of source.scan()) yield 'code' in found ? found : { ...found, part }
  }
}

/** The most entries of a package's list that are used: each may cause a scan or a diagnostic. */
const MAX_ENTRIES = 1_000

interface SkillRoot {
  readonly root: string
  readonly depth: number
}

/** Yields what is wrong, and returns the folder in which a package has its skills by convention. */
function* defaultRoot(folder: string): Generator<Finding, readonly SkillRoot[], undefined> {
  const root = join(folder, 'skills')
  if (!isFolder(root)) return []
  if (isResolved(root)) return [{ root, depth: 1 }]
  yield linkInPackage(root)
  return []
}

/**
 * Yields what is wrong, and returns the folders that a package lists. All are inside it and are reached without links.
 */
function* listedRoots(
  folder: string,
  path: string,
  agentskills: unknown,
): Generator<Finding, readonly SkillRoot[], undefined> {
  const { skills } = Object(agentskills) as Readonly<Record<string, unknown>>
  if (!Array.isArray(skills)) {
    yield brokenField(path, 'it is not an object with a list "skills"')
    return []
  }
  if (skills.length > MAX_ENTRIES)
    yield brokenField(path, `it lists ${skills.length} skills, and only ${MAX_ENTRIES} are looked at`)
  const roots = new Map<string, SkillRoot>()
  for (const [index, entry] of (skills as readonly unknown[]).slice(0, MAX_ENTRIES).entries()) {
    const { path: entryPath } = Object(entry) as Readonly<Record<string, unknown>>
    if (typeof entryPath !== 'string') {
      yield brokenField(path, `its entry ${index + 1} has no "path" that is a string`)
      continue
    }
    const inside = entryPath.replace(/^\.\//, '').replace(/\/$/, '')
    const problem = inside === '.' || inside === '' ? undefined : problemInside(inside)
    const root = join(folder, inside)
    if (problem !== undefined)
      yield brokenField(path, `the path ${quoted(entryPath)} is not a folder of the package: ${problem}`)
    else if (!isFolder(root)) yield brokenField(path, `there is no folder ${quoted(entryPath)}`)
    else if (isResolved(root)) roots.set(root, { root, depth: 0 })
    else yield linkInPackage(root)
  }
  return [...roots.values()]
}

function problemInside(path: string): string | undefined {
  // A package may not offer the skills of its dependencies.
  return pathProblem(path) ?? (path.split('/').includes('node_modules') ? 'it leads into node_modules' : undefined)
}

/** Whether the path holds no links. */
function isResolved(path: string): boolean {
  return realOf(path) === path
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    return undefined
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
    message: `${showName(path)} cannot be used: ${reason}. Skills that it would lead to were not loaded.`,
    hint: 'Fix it, or install the package again.',
  }
}

function brokenField(path: string, reason: string): Finding {
  return {
    code: 'PACKAGE_SKILLS_INVALID',
    severity: 'warning',
    path,
    message: `The field "agentskills" of ${showName(path)} cannot be used: ${reason}.`,
    hint: 'Its shape is { "skills": [{ "path": "./skills/my-skill" }] }, each path a folder of the package with a SKILL.md.',
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
