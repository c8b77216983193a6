import { type FoundSkill, type Profile, isSkillError, showName } from '@repertoire/core'
import { adviseSkill, parseSkill } from '@repertoire/core/authoring'
import { directorySource } from '@repertoire/core/node'
import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type Finding, pathProblem } from '../finding.ts'
import { RECURSIVE_SCAN } from './options.ts'
import { inspectPath, linkProblem } from './path-arguments.ts'

/** A SKILL.md that was checked. */
export interface CheckedFile {
  readonly path: string
  /** Whether no error was found in it. */
  readonly valid: boolean
}

/** What was found at some paths, in the order of the paths, each file and finding once. */
export interface Checked {
  readonly files: readonly CheckedFile[]
  readonly diagnostics: readonly Finding[]
}

interface Found {
  readonly files: readonly string[]
  readonly diagnostics: readonly Finding[]
}

/** Checks every SKILL.md that absolute paths lead to. A path without any has an error among the diagnostics. */
export async function checkPaths(paths: readonly string[], profile: Profile): Promise<Checked> {
  const files = new Set<string>()
  const diagnostics = new Map<string, Finding>()
  for (const path of paths) {
    const found = await checkPath(path, profile)
    for (const file of found.files) files.add(file)
    for (const diagnostic of found.diagnostics) diagnostics.set(JSON.stringify(diagnostic), diagnostic)
  }
  const all = [...diagnostics.values()]
  const broken = new Set(all.filter(isError).map((diagnostic) => diagnostic.path))
  return { files: [...files].map((path) => ({ path, valid: !broken.has(path) })), diagnostics: all }
}

async function checkPath(path: string, profile: Profile): Promise<Found> {
  const inspected = inspectPath(path)
  if ('problem' in inspected) return only(inspected.problem)
  const { stats } = inspected
  if (stats.isSymbolicLink()) return only(linkProblem(path))
  if (stats.isDirectory()) {
    const found = await scan(path, manifestNames(path).length > 0 ? {} : RECURSIVE_SCAN, profile)
    if (found.files.length > 0 || found.diagnostics.some(isError)) return found
    return { ...found, diagnostics: [...found.diagnostics, pathProblem('PATH_WITHOUT_SKILL', path)] }
  }
  if (!stats.isFile()) return only(pathProblem('PATH_NOT_A_FILE', path))
  if (!isManifestName(basename(path))) return only(pathProblem('PATH_NOT_A_MANIFEST', path))
  const found = await scan(dirname(path), {}, profile)
  const isReported = found.files.includes(path) || found.diagnostics.some((each) => isError(each) && each.path === path)
  return isReported ? found : { ...found, diagnostics: [...found.diagnostics, pathProblem('PATH_NOT_READ', path)] }
}

function only(problem: Finding): Found {
  return { files: [], diagnostics: [problem] }
}

async function scan(root: string, options: Partial<typeof RECURSIVE_SCAN>, profile: Profile): Promise<Found> {
  const found: FoundSkill[] = []
  const diagnostics: Finding[] = []
  const source = directorySource({ root, layer: 'project', depth: 0, optional: true, ...options })
  for await (const item of source.scan()) {
    if ('code' in item) diagnostics.push(forValidation(item))
    else found.push(item)
  }
  for (const skill of found) diagnostics.push(...(await checkSkill(skill, profile)), ...otherSpellings(skill))
  return { files: found.map(({ path }) => path), diagnostics }
}

/** Reads the whole file, not only its head as for a list: problems in the body must be reported, too. */
async function checkSkill({ folder, ...file }: FoundSkill, profile: Profile): Promise<readonly Finding[]> {
  const { path, folderName, fileName } = file
  try {
    const document = await parseSkill(await folder.readManifest(), { path, folderName, fileName, profile })
    return [...document.diagnostics, ...(await adviseSkill(document, folder, { path }))]
  } catch (error) {
    if (!isSkillError(error)) throw error
    const code = error.code === 'RESOURCE_TOO_LARGE' ? 'MANIFEST_TOO_LARGE' : 'MANIFEST_UNREADABLE'
    return [{ code, severity: 'error', path, message: error.message }]
  }
}

/** Reports every file beside a SKILL.md whose name differs from it only in case. */
function otherSpellings({ path, fileName }: FoundSkill): readonly Finding[] {
  const folder = dirname(path)
  return manifestNames(folder)
    .filter((name) => name !== fileName)
    .map((name) => ({
      code: 'MANIFEST_SPELLINGS',
      severity: 'warning',
      path: join(folder, name),
      message: `${showName(folder)} holds both ${fileName} and ${name}, and only ${fileName} is read.`,
      hint: `Remove ${name}, or merge it into ${fileName}.`,
    }))
}

/** A list can do without some folders, but the result "valid" requires that all of them were read. */
const UNREAD_FOLDER_CODES: ReadonlySet<string> = new Set([
  'FOLDER_UNREADABLE',
  'SCAN_DEPTH_REACHED',
  'SCAN_FOLDERS_REACHED',
])

function forValidation(finding: Finding): Finding {
  if (finding.code === 'SKILL_FOLDER_LINKED') return { ...finding, hint: 'Put the folder itself there.' }
  return UNREAD_FOLDER_CODES.has(finding.code) ? { ...finding, severity: 'error' } : finding
}

/** The files in a folder that are named SKILL.md in any spelling. */
function manifestNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter(isManifestName).toSorted()
  } catch {
    // The scan says why it cannot be read.
    return []
  }
}

function isManifestName(name: string): boolean {
  return /^skill\.md$/i.test(name)
}

function isError({ severity }: Finding): boolean {
  return severity === 'error'
}
