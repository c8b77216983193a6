import { untimedFolder } from '../catalog/timed-folder.ts'
import { type ManifestParser, parseManifestPath, type SkillDocument } from '../manifest/index.ts'
import { withOrigin } from '../manifest/with-origin.ts'
import { measureFolder } from '../resources/digest.ts'
import { isScriptFile } from '../resources/script-path.ts'
import { meansOf, surveyAtOnce, type SurveyMeans } from '../resources/survey-means.ts'
import type { ConsentExecution, ConsentRunner } from '../ports/consent.ts'
import type { FolderEntry, FolderListing, FolderSurvey, SkillFolder } from '../ports/folder.ts'
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
}

/** A skill as its folder is now; or why it is broken. */
export type Inspection = InspectedSkill | { readonly broken: string }

/**
 * Reads a skill's folder for an activation: the body, the files, and the digest that consent is bound to, over the
 * same bytes of SKILL.md that the body and the rights are taken from. If the skill is broken, returns why.
 * @param options.isTimed whether the caller waits for all of it no longer than one read may take: then the reads have no
 * deadlines of their own, and nothing is returned as a promise that need not be waited for
 * @throws {SkillError} if the folder cannot be read, or refuses to be
 */
export function inspectSkill(
  skill: Skill,
  parser: ManifestParser,
  profile: Profile,
  { isTimed = false }: { readonly isTimed?: boolean } = {},
): Inspection | Promise<Inspection> {
  const { folder } = skill
  const inspecting = { skill, folder, parser, profile }
  if (!isTimed) return readAndInspect(inspecting, folder)
  const untimed = untimedFolder(folder)
  const survey = surveyAtOnce(untimed)
  return survey === undefined ? readAndInspect(inspecting, untimed) : inspectSurvey(inspecting, survey)
}

interface Inspecting {
  readonly skill: Skill
  readonly folder: SkillFolder
  readonly parser: ManifestParser
  readonly profile: Profile
}

async function readAndInspect(inspecting: Inspecting, folder: SkillFolder): Promise<Inspection> {
  const survey = await folder.survey?.()
  if (survey !== undefined) return inspectSurvey(inspecting, survey)
  const bytes = await folder.readManifest()
  const document = await contentOf(inspecting, bytes)
  const broken = brokenBy(inspecting.skill, document)
  // The rest of what nobody can use is not read.
  if (broken !== undefined) return { broken }
  const listing = await folder.list()
  const { fileName } = parseManifestPath(inspecting.skill.path)
  const measured = await measureFolder(folder, listing, { path: fileName, bytes })
  return inspectionOf(inspecting, document, { listing, ...measured })
}

function inspectSurvey(inspecting: Inspecting, survey: FolderSurvey): Inspection | Promise<Inspection> {
  const means = meansOf(survey)
  const content = contentOf(inspecting, survey.manifest, means)
  const toInspection = (document: SkillDocument): Inspection => inspectionOf(inspecting, document, survey, means)
  return content instanceof Promise ? content.then(toInspection) : toInspection(content)
}

function contentOf(
  { skill, parser, profile }: Inspecting,
  bytes: Uint8Array,
  means?: SurveyMeans,
): SkillDocument | Promise<SkillDocument> {
  const { path, folderName, fileName } = parseManifestPath(skill.path)
  return parser.content(bytes, { path, folderName, fileName, profile }, means?.characters)
}

function brokenBy({ name }: Skill, { manifest, body, definition, diagnostics }: SkillDocument): string | undefined {
  if (manifest === undefined || body === undefined || definition === undefined) {
    const first = diagnostics.find(({ severity }) => severity === 'error')
    return first === undefined ? 'its SKILL.md cannot be read' : first.message
  }
  if (manifest.name !== name) return `its SKILL.md names another skill now, ${quoteName(manifest.name)}`
  return manifest.status === 'active' ? undefined : `its status is ${manifest.status} now`
}

function inspectionOf(
  { skill, folder }: Inspecting,
  document: SkillDocument,
  { listing, digest, whole, files }: Pick<FolderSurvey, 'listing' | 'digest' | 'whole' | 'files'>,
  means?: SurveyMeans,
): Inspection {
  const broken = brokenBy(skill, document)
  if (broken !== undefined) return { broken }
  return {
    skill,
    folder,
    manifest: withOrigin(document.manifest!, skill.origin),
    body: document.body!,
    definition: document.definition!,
    listing,
    fileName: parseManifestPath(skill.path).fileName,
    digest,
    whole,
    files,
    scripts: scriptsOf(listing),
    sha256: means?.hex,
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
