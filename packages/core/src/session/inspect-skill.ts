import { untimedFolder } from '../catalog/timed-folder.ts'
import { type ManifestParser, parseManifestPath } from '../manifest/index.ts'
import { measureFolder } from '../resources/digest.ts'
import { isScriptFile } from '../resources/script-path.ts'
import { meansOf, type SurveyMeans } from '../resources/survey-means.ts'
import type { ConsentExecution, ConsentRunner } from '../ports/consent.ts'
import type { FolderEntry, FolderListing, SkillFolder } from '../ports/folder.ts'
import type { Manifest, Profile, SkillDefinition, ToolRule } from '../ports/manifest.ts'
import type { Skill } from '../ports/skill.ts'
import { quoteName } from '../text/quote.ts'

/** A skill with what its folder holds now, read for an activation. */
export interface InspectedSkill {
  readonly skill: Skill
  /** The folder that was read. */
  readonly folder: SkillFolder
  /** The manifest as it is now, which may differ from the catalog's. */
  readonly manifest: Manifest
  /** What the host's `admit` gives it while it is active, since its manifest names no tools. Absent: nothing is given. */
  readonly assumedRules?: readonly ToolRule[] | undefined
  readonly body: string
  /** What the body defines, by the manifest's type. */
  readonly definition: SkillDefinition
  readonly listing: FolderListing
  /** The manifest's file name. */
  readonly fileName: string
  readonly digest: string
  /** Whether the digest covers all that the folder holds. Otherwise consent holds for one activation only. */
  readonly whole: boolean
  /** SHA-256 of each file that the digest is made of, hex, by its path. */
  readonly files: ReadonlyMap<string, string>
  /** Files with a script's ending, and executable files in a folder for scripts. Hidden ones last. */
  readonly scripts: readonly string[]
  /** What would run them. Absent: nothing would. */
  readonly runner?: ConsentRunner | undefined
  /** What a call of it does, as consent is asked for it. Absent: it is activated. */
  readonly execution?: ConsentExecution | undefined
  /** A faster SHA-256 of texts, where the folder's survey came with one. */
  readonly sha256?: SurveyMeans['hex'] | undefined
  /** Whether nothing was written there since, where the folder's survey came with a way to tell. */
  readonly isUntouched?: SurveyMeans['isUntouched'] | undefined
}

/**
 * Reads a skill's folder for an activation: the body, the files, and the digest that consent is bound to, over the
 * same bytes of SKILL.md that the body and the rights are taken from. If the skill is broken, returns why.
 * @param options.isTimed whether the caller waits for all of it no longer than one read may take: then the reads have no
 * deadlines of their own
 * @throws {SkillError} if the folder cannot be read, or refuses to be
 */
export async function inspectSkill(
  skill: Skill,
  parser: ManifestParser,
  profile: Profile,
  { isTimed = false }: { readonly isTimed?: boolean } = {},
): Promise<InspectedSkill | { readonly broken: string }> {
  const { folder } = skill
  const read = isTimed ? untimedFolder(folder) : folder
  const survey = await read.survey?.()
  const bytes = survey?.manifest ?? (await read.readManifest())
  const { path, folderName, fileName } = parseManifestPath(skill.path)
  const means = meansOf(survey)
  const content = parser.content(bytes, { path, folderName, fileName, profile }, means?.characters)
  const document = content instanceof Promise ? await content : content
  const { manifest, body, definition } = document
  if (manifest === undefined || body === undefined || definition === undefined) {
    const first = document.diagnostics.find(({ severity }) => severity === 'error')
    return { broken: first === undefined ? 'its SKILL.md cannot be read' : first.message }
  }
  if (manifest.name !== skill.name)
    return { broken: `its SKILL.md names another skill now, ${quoteName(manifest.name)}` }
  if (manifest.status !== 'active') return { broken: `its status is ${manifest.status} now` }
  const listing = survey?.listing ?? (await read.list())
  const measured = survey ?? (await measureFolder(read, listing, { path: fileName, bytes }))
  return {
    skill,
    folder,
    manifest,
    body,
    definition,
    listing,
    fileName,
    digest: measured.digest,
    whole: measured.whole,
    files: measured.files,
    scripts: scriptsOf(listing),
    sha256: means?.hex,
    isUntouched: means?.isUntouched,
  }
}

function scriptsOf({ files, withheld }: FolderListing): readonly string[] {
  const scripts: string[] = []
  addScripts(files, scripts)
  // Hidden ones too: they run as others do, and the request for consent names them.
  addScripts(withheld.files, scripts)
  return scripts
}

function addScripts(files: readonly FolderEntry[], scripts: string[]): void {
  for (const file of files) if (isScriptFile(file)) scripts.push(file.path)
}
