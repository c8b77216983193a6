import { existsSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { visitorOfPart } from '../../catalog/fast-visit.ts'
import type { SOURCE_CODES } from '../../ports/diagnostic-codes.ts'
import { pathProblem, quoted } from '../../resources/path.ts'
import type { Diagnostic } from '../../ports/diagnostic.ts'
import type { SkillSource, SkillVisitor } from '../../ports/source.ts'
import { unicodeExpression } from '../../text/unicode-expression.ts'
import { directorySource } from './directory.ts'
import { isObject, readPackageJson } from './package-json.ts'
import type { PackageJson } from './package-json.ts'
import { untrusted } from './scan-report.ts'

/** Options of `packageSource`. */
export interface PackageSourceOptions {
  /** The folder of the project: the one that its package.json lies in, absolute or relative to the working folder. */
  readonly project: string
  /**
   * `direct`: the packages that the project's package.json names under `dependencies`, `devDependencies` and
   * `optionalDependencies`. What those depend on brings no skill, however it is hoisted. A list: these packages, whether
   * named there or not. Default `direct`.
   */
  readonly packages?: 'direct' | readonly string[]
  /** Default true. False: nothing is loaded, and that is said if the project has a package.json. */
  readonly trusted?: boolean
  /** Default `npm`. A skill's source is this with its package: `npm:pdf-tools@1.2.0`. */
  readonly id?: string
}

/** The package whose skills are the bundled layer's already. */
const OURS = '@repertoire/core'
const MANIFEST_FIELDS = ['dependencies', 'devDependencies', 'optionalDependencies'] as const

/**
 * Finds the skills in a project's installed npm packages, for the layer `plugin`: those of `skills/<name>/SKILL.md`, or,
 * if the package's package.json has it, those of the field `agentskills`: `{ "skills": [{ "path": "./docs/skill" }] }`,
 * each path the folder of a skill. Packages are found as Node finds them from the project: `node_modules` of the folder
 * and of those above it, links of pnpm and of workspaces followed.
 *
 * Packages come in the order of their names, looked up anew in each scan. A link inside a package, or a path that leads
 * out of it, is refused; hard links are read, since package managers make them. What is wrong with one package is a
 * diagnostic, and the others load. A package that is named by package.json and not installed is passed over.
 *
 * The convention `skills/` is that of pnpm and skills-npm; the field is that of the proposal agentskills/agentskills#81.
 * @throws {TypeError} if an option does not have the shape named here
 */
export function packageSource(options: PackageSourceOptions): SkillSource {
  const { packages = 'direct', trusted = true, id = 'npm' } = options
  if (typeof options.project !== 'string' || options.project === '') {
    throw new TypeError('packageSource: project is the path of a folder.')
  }
  const misnamed = packages === 'direct' ? undefined : packages.find((name) => !isPackageName(name))
  if (misnamed !== undefined) throw new TypeError(`packageSource: ${quoted(misnamed)} is not the name of a package.`)
  const project = resolve(options.project)
  return {
    id,
    layer: 'plugin',
    async scan(visitor) {
      if (!trusted) {
        const manifest = join(project, 'package.json')
        if (existsSync(manifest)) visitor.diagnostic(untrusted(manifest))
        return
      }
      const names = packages === 'direct' ? await directPackages(project, visitor) : [...new Set(packages)]
      const seen = new Set<string>()
      for (const name of names.toSorted((a, b) => (a < b ? -1 : 1))) {
        if (name === OURS) continue
        const folder = installedAt(project, name)
        if (folder === undefined) {
          if (packages !== 'direct') visitor.diagnostic(notInstalled(name, project))
        } else if (!seen.has(folder)) {
          seen.add(folder)
          await scanPackage(name, folder, visitor)
        }
      }
    },
  }
}

async function directPackages(project: string, visitor: SkillVisitor): Promise<readonly string[]> {
  const path = join(project, 'package.json')
  const read = await readPackageJson(path)
  if (!read.ok) {
    if (read.reason !== 'missing') visitor.diagnostic(brokenPackageJson(path, read.reason))
    return []
  }
  const names = new Set<string>()
  for (const field of MANIFEST_FIELDS) {
    const named = read.value[field]
    if (named === undefined) continue
    if (!isObject(named)) {
      visitor.diagnostic(brokenPackageJson(path, `"${field}" is not an object`))
      continue
    }
    for (const name of Object.keys(named)) {
      if (isPackageName(name)) names.add(name)
      else visitor.diagnostic(brokenPackageJson(path, `${quoted(name)} under "${field}" is not the name of a package`))
    }
  }
  return [...names]
}

const PACKAGE_NAME = unicodeExpression(
  String.raw`^(?:@[^@/\\\s\p{C}:.][^@/\\\s\p{C}:]*/)?[^@/\\\s\p{C}:.][^@/\\\s\p{C}:]*$`,
)

/** Whether a name can be looked up in `node_modules` without leaving it. */
function isPackageName(name: unknown): name is string {
  return typeof name === 'string' && name.length <= 214 && PACKAGE_NAME().test(name)
}

/** The package's folder without links, found from the project's as Node does. */
function installedAt(project: string, name: string): string | undefined {
  let folder = realOf(project) ?? project
  for (;;) {
    const candidate = join(folder, 'node_modules', name)
    if (basename(folder) !== 'node_modules' && isFolder(candidate)) return realOf(candidate)
    const above = dirname(folder)
    if (above === folder) return undefined
    folder = above
  }
}

async function scanPackage(name: string, folder: string, visitor: SkillVisitor): Promise<void> {
  const path = join(folder, 'package.json')
  const read = await readPackageJson(path)
  if (!read.ok) {
    visitor.diagnostic(brokenPackageJson(path, read.reason === 'missing' ? 'there is none' : read.reason))
    return
  }
  const { version } = read.value
  const part = typeof version === 'string' && /^[\w.+-]{1,128}$/.test(version) ? `${name}@${version}` : name
  for (const { root, depth } of skillRoots(folder, path, read.value, visitor)) {
    await directorySource({ root, layer: 'plugin', depth, hardLinks: 'allow' }).scan(visitorOfPart(visitor, part))
  }
}

/** So many entries of a package's list are looked at: each may cost a scan, or a finding. */
const MAX_ENTRIES = 1_000

interface SkillRoot {
  readonly root: string
  readonly depth: number
}

/** Where the package keeps its skills. All of it lies in the package, and no link leads there. */
function skillRoots(folder: string, path: string, manifest: PackageJson, visitor: SkillVisitor): readonly SkillRoot[] {
  const { agentskills } = manifest
  if (agentskills === undefined) {
    const root = join(folder, 'skills')
    if (!isFolder(root)) return []
    if (isItself(root)) return [{ root, depth: 1 }]
    visitor.diagnostic(linkInPackage(root))
    return []
  }
  const refuse = (reason: string): void => visitor.diagnostic(brokenField(path, reason))
  const skills = isObject(agentskills) ? agentskills['skills'] : undefined
  if (!Array.isArray(skills)) {
    refuse('it is not an object with a list "skills"')
    return []
  }
  const roots = new Map<string, SkillRoot>()
  if (skills.length > MAX_ENTRIES) refuse(`it lists ${skills.length} skills, and only ${MAX_ENTRIES} are looked at`)
  for (const [index, entry] of (skills as readonly unknown[]).slice(0, MAX_ENTRIES).entries()) {
    const given = isObject(entry) ? entry['path'] : undefined
    if (typeof given !== 'string') {
      refuse(`its entry ${index + 1} has no "path" that is a string`)
      continue
    }
    const inside = given.replace(/^\.\//, '').replace(/\/$/, '')
    const problem = inside === '.' || inside === '' ? undefined : problemInside(inside)
    const root = join(folder, inside)
    if (problem !== undefined) refuse(`the path ${quoted(given)} is not a folder of the package: ${problem}`)
    else if (!isFolder(root)) refuse(`there is no folder ${quoted(given)}`)
    else if (isItself(root)) roots.set(root, { root, depth: 0 })
    else visitor.diagnostic(linkInPackage(root))
  }
  return [...roots.values()]
}

function problemInside(path: string): string | undefined {
  // What a package depends on is not its own to offer.
  return pathProblem(path) ?? (path.split('/').includes('node_modules') ? 'it leads into node_modules' : undefined)
}

/** Whether no link leads there, given that the folder of the package is without links. */
function isItself(path: string): boolean {
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
    message: `${path} cannot be used: ${reason}. Skills that it would lead to were not loaded.`,
    hint: 'Mend it, or install the package again.',
  }
}

function brokenField(path: string, reason: string): Finding {
  return {
    code: 'PACKAGE_SKILLS_INVALID',
    severity: 'warning',
    path,
    message: `The field "agentskills" of ${path} cannot be used: ${reason}.`,
    hint: 'Its shape is { "skills": [{ "path": "./skills/my-skill" }] }, each path a folder of the package with a SKILL.md.',
  }
}

function linkInPackage(path: string): Finding {
  return {
    code: 'SKILL_FOLDER_LINKED',
    severity: 'error',
    path,
    message: `${path} is a link, lies behind one, or is spelled otherwise on the disk, so no skill was loaded from it.`,
    hint: 'The package must hold the folder itself, under the name that it is given by.',
  }
}

function notInstalled(name: string, project: string): Finding {
  return {
    code: 'PACKAGE_NOT_FOUND',
    severity: 'warning',
    path: project,
    message: `The package ${quoted(name)} is not installed for ${project}, so its skills were not loaded.`,
    hint: 'Install it, or take it off the list of packages.',
  }
}
