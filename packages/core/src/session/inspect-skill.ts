import {
  type ManifestParser,
  parseManifestPath,
  type SkillDocument,
  withOrigin,
  type FolderListing,
  type FolderSurvey,
  type SkillFolder,
  type Manifest,
  type Profile,
  type SkillDefinition,
  type ToolRule,
  type Skill,
  quoteName,
} from '@repertoire/skill-md/internal'
import { measureFolder } from '../resources/digest.ts'
import { isScriptFile } from '@repertoire/gate/internal'
import type { ConsentExecution, ConsentRunner } from '../ports/consent.ts'

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
}

/** A skill as its folder is now; or why it is broken. */
export type Inspection = InspectedSkill | { readonly broken: string }

/**
 * Reads a skill's folder for an activation: the body, the files, and the digest that consent is bound to, over the
 * same bytes of SKILL.md that the body and the rights are taken from. If the skill is broken, returns why.
 * @param folder the skill's folder. Default: with a deadline for each read
 * @throws {SkillError} if the folder cannot be read, or refuses to be
 */
export async function inspectSkill(
  skill: Skill,
  parser: ManifestParser,
  profile: Profile,
  folder: SkillFolder = skill.folder,
): Promise<Inspection> {
  const context = { ...parseManifestPath(skill.path), profile }
  const survey = await folder.survey?.()
  const bytes = survey?.manifest ?? (await folder.readManifest())
  const document = await parser.content(bytes, context)
  const broken = brokenBy(skill, document)
  // The rest of what nobody can use is not read.
  if (broken !== undefined) return { broken }
  const { fileName } = context
  const { listing, digest, whole, files } = survey ?? (await measureWith(folder, { path: fileName, bytes }))
  return {
    skill,
    folder: skill.folder,
    manifest: withOrigin(document.manifest!, skill.origin),
    body: document.body!,
    definition: document.definition!,
    listing,
    fileName,
    digest,
    whole,
    files,
    scripts: scriptsOf(listing),
  }
}

async function measureWith(
  folder: SkillFolder,
  manifest: { readonly path: string; readonly bytes: Uint8Array },
): Promise<Pick<FolderSurvey, 'listing' | 'digest' | 'whole' | 'files'>> {
  const listing = await folder.list()
  return { listing, ...(await measureFolder(folder, listing, manifest)) }
}

function brokenBy({ name }: Skill, { manifest, body, definition, diagnostics }: SkillDocument): string | undefined {
  if (manifest === undefined || body === undefined || definition === undefined) {
    const first = diagnostics.find(({ severity }) => severity === 'error')
    return first === undefined ? 'its SKILL.md cannot be read' : first.message
  }
  if (manifest.name !== name) return `its SKILL.md names another skill now, ${quoteName(manifest.name)}`
  return manifest.status === 'active' ? undefined : `its status is ${manifest.status} now`
}

/** Hidden scripts too: they run as others do, and the request for consent names them. */
function scriptsOf({ files, withheld }: FolderListing): readonly string[] {
  return [...files, ...withheld.files].filter(isScriptFile).map(({ path }) => path)
}
