import { isScriptPath } from '../gate/index.ts'
import { type ManifestParser, placeOfManifest } from '../manifest/index.ts'
import { measureFolder } from '../resources/digest.ts'
import type { FolderEntry, FolderListing } from '../ports/folder.ts'
import type { Manifest, Profile } from '../ports/manifest.ts'
import type { Skill } from '../ports/skill.ts'

/** A skill as its folder holds it now, read for an activation. */
export interface PreparedSkill {
  readonly skill: Skill
  /** The manifest as it is now, which may differ from the catalog's. */
  readonly manifest: Manifest
  readonly body: string
  readonly listing: FolderListing
  /** The manifest's file name. */
  readonly fileName: string
  readonly digest: string
  /** Whether the digest covers all that the folder holds. Else consent to it holds for one activation only. */
  readonly whole: boolean
  /** SHA-256 of each file that the digest is made of, hex, by its path. */
  readonly files: ReadonlyMap<string, string>
  /** What lies in a script's folder with a script's ending, or with a run bit. Hidden ones last. */
  readonly scripts: readonly string[]
  /** SHA-256 as `FolderSurvey.hash`, where the folder has one. */
  readonly hash?: (bytes: Uint8Array) => string
}

/** Folders whose files with a run bit are scripts, whatever their ending. */
const SCRIPT_FOLDERS: ReadonlySet<string> = new Set(['scripts', 'bin', 'tools'])

/** Such a folder anywhere in a path: most files lie in none. */
const MAY_HOLD_SCRIPTS = /(?:^|[/\\])(?:scripts|bin|tools)[/\\]/i

/**
 * Reads a skill's folder for an activation: the body, the files, and the digest that consent is bound to, over the
 * same bytes of SKILL.md that the body and the rights are taken from.
 * @throws {SkillError} what the folder's reading refuses
 */
export async function prepareSkill(
  skill: Skill,
  parser: ManifestParser,
  profile: Profile,
): Promise<PreparedSkill | { readonly broken: string }> {
  const survey = await skill.folder.survey?.()
  const bytes = survey?.manifest ?? (await skill.folder.readManifest())
  const place = placeOfManifest(skill.path)
  const document = await parser.content(bytes, { ...place, profile }, survey?.hash)
  const { manifest, body } = document
  if (manifest === undefined || body === undefined) {
    const first = document.diagnostics.find(({ severity }) => severity === 'error')
    return { broken: first === undefined ? 'its SKILL.md cannot be read' : first.message }
  }
  if (manifest.name !== skill.name) return { broken: `its SKILL.md names another skill now, "${manifest.name}"` }
  if (manifest.status !== 'active') return { broken: `its status is ${manifest.status} now` }
  const listing = survey?.listing ?? (await skill.folder.list())
  const { fileName } = place
  const measured = survey ?? (await measureFolder(skill.folder, listing, { path: fileName, bytes }))
  return {
    skill,
    manifest,
    body,
    listing,
    fileName,
    digest: measured.digest,
    whole: measured.whole,
    files: measured.files,
    scripts: scriptsOf(listing),
    ...(survey?.hash !== undefined && { hash: survey.hash }),
  }
}

function scriptsOf({ files, withheld }: FolderListing): readonly string[] {
  const scripts: string[] = []
  const look = ({ path, executable }: FolderEntry): void => {
    if (!MAY_HOLD_SCRIPTS.test(path)) return
    if (isScriptPath(path) || (executable && inScriptFolder(path))) scripts.push(path)
  }
  files.forEach(look)
  // Hidden ones too: they run as others do, and whoever agrees is told of them.
  withheld.files.forEach(look)
  return scripts
}

function inScriptFolder(path: string): boolean {
  const [top = ''] = path.split('/', 1)
  return path.includes('/') && SCRIPT_FOLDERS.has(top.toLowerCase())
}
