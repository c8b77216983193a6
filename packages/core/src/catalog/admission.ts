import {
  formatRule,
  parseAllowedTools,
  type Diagnostic,
  type FolderListing,
  type Manifest,
  type ToolRule,
  type Skill,
  quote,
  quoteName,
  showName,
} from '@repertoire/skill-md/internal'
import { liesWithin, loadCommands, type Toolset } from '@repertoire/gate/internal'
import type { Admission } from '../ports/admission.ts'
import { hasCode, listSome, messageOf } from '../text/message.ts'

/** Judges which skills may load. */
export type SkillAdmission = Awaited<ReturnType<typeof openAdmission>>

/** A skill that the host does not admit. */
export interface RefusedSkill {
  readonly skill: Skill
  /** Sentences. At least one. */
  readonly reasons: readonly string[]
}

const MAX_LISTINGS = 16

/** The most rules or files that a reason names, and the most of each in characters. */
const MAX_NAMED = 5
const MAX_NAMED_CHARS = 200

/**
 * Returns what judges by a host's option `admit`.
 * @throws {TypeError} the option does not have the shape of `Admission`, or contradicts itself
 */
export async function openAdmission(options: Admission, hostTools: Toolset) {
  await loadCommands()
  const { scripts = true, hooks = true, withoutAllowedTools } = options
  const tools = options.tools === undefined ? undefined : readRules('tools', options.tools)
  const given = readGiven(withoutAllowedTools, tools)
  const isAdmitted = (rule: ToolRule): boolean => tools?.some((bound) => liesWithin(rule, bound, hostTools)) ?? true
  const tooWide = given?.find((rule) => !isAdmitted(rule))
  if (tooWide !== undefined) {
    throw new TypeError(
      `\`admit.withoutAllowedTools\` holds ${quote(formatRule(tooWide))}, which is not within \`admit.tools\`: a skill would get more by naming nothing. Add it there, or leave it out here.`,
    )
  }

  /** Returns why a manifest is not admitted, a sentence for each reason. None: it is. */
  function refusals(manifest: Manifest): readonly string[] {
    const { allowedTools = [], hooks: own, toolsets, type } = manifest
    const outside = allowedTools.filter((rule) => !isAdmitted(rule)).map(formatRule)
    const commands = [...own.pre, ...own.post]
    return [
      ...(outside.length > 0 ? [`It asks for ${named(outside)}, and not all of that is within \`admit.tools\`.`] : []),
      ...(!hooks && commands.length > 0 ? [`It has hooks (${named(commands)}), and \`admit.hooks\` is false.`] : []),
      ...(!scripts && type === 'script' ? ['Its type is `script`, and `admit.scripts` is false.'] : []),
      ...(!scripts && toolsets.length > 0
        ? [`It brings tools (${named(toolsets)}), and \`admit.scripts\` is false.`]
        : []),
    ]
  }

  /** Returns the same of the files of a skill, as its folder lists them. */
  function fileRefusals({ files, truncated, refused, withheld }: FolderListing): readonly string[] {
    if (scripts) return []
    const runnable = [...files, ...withheld.files].filter((file) => !isDataFile(file)).map(({ path }) => path)
    if (runnable.length > 0) return [`It holds ${named(runnable)}, which may be run, and \`admit.scripts\` is false.`]
    const unread = [...refused, ...withheld.refused].map(({ path }) => path)
    if (unread.length === 0 && !truncated && !withheld.truncated) return []
    const what = unread.length === 0 ? 'more files than are listed' : `${named(unread)}, which is not read`
    return [`It holds ${what}, and \`admit.scripts\` is false.`]
  }

  async function refuse(skill: Skill, hanging: Set<string>): Promise<RefusedSkill | undefined> {
    const reasons = refusals(skill.manifest)
    if (reasons.length > 0) return { skill, reasons }
    const files = scripts ? [] : await listAndJudge(skill, hanging)
    return files.length > 0 ? { skill, reasons: files } : undefined
  }

  /** @param hanging sources with a folder that has not answered in this scan: their other folders are skipped */
  async function listAndJudge({ folder, source }: Skill, hanging: Set<string>): Promise<readonly string[]> {
    try {
      if (hanging.has(source))
        return ['Its files were not listed, since its source does not answer, and `admit.scripts` is false.']
      return fileRefusals(await folder.list())
    } catch (error) {
      if (hasCode(error, 'TIMED_OUT')) hanging.add(source)
      return [`Its files could not be listed (${messageOf(error)}), and \`admit.scripts\` is false.`]
    }
  }

  return {
    refusals,
    fileRefusals,
    /** Returns the rules of a skill that has no `allowed-tools`. Undefined: it has some, or it is not restricted. */
    assumedRules: ({ allowedTools }: Manifest) => (allowedTools === undefined ? given : undefined),
    /** Divides the skills of a scan by whether they may load. The files of a skill are listed only where they count. */
    async divide(skills: readonly Skill[]) {
      const admitted: Skill[] = []
      const refused: RefusedSkill[] = []
      const hanging = new Set<string>()
      for (let at = 0; at < skills.length; at += MAX_LISTINGS) {
        const some = skills.slice(at, at + MAX_LISTINGS)
        const results = await Promise.all(some.map((skill) => refuse(skill, hanging)))
        for (const [index, skill] of some.entries()) {
          const result = results[index]
          if (result === undefined) admitted.push(skill)
          else refused.push(result)
        }
      }
      return { admitted, refused }
    },
  }
}

export function notAdmitted({ skill, reasons }: RefusedSkill): Diagnostic {
  return {
    code: 'SKILL_NOT_ADMITTED',
    severity: 'warning',
    path: skill.path,
    message: `The skill ${quoteName(skill.name)} is not admitted: ${reasons.join(' ')}`,
    hint: 'Let the skill ask for less, or admit more in the option `admit`.',
  }
}

function named(texts: readonly string[]): string {
  return listSome(texts, MAX_NAMED, (text) => showName(text.slice(0, MAX_NAMED_CHARS)))
}

/** Returns what a skill without `allowed-tools` gets. Undefined: everything. */
function readGiven(
  without: Admission['withoutAllowedTools'],
  tools: readonly ToolRule[] | undefined,
): readonly ToolRule[] | undefined {
  if (without === undefined) return tools
  if (without === 'nothing') return []
  if (without !== 'everything') return readRules('withoutAllowedTools', without)
  if (tools === undefined) return undefined
  throw new TypeError(
    '`admit.withoutAllowedTools` is "everything", and `admit.tools` is a list: a skill would get more by naming nothing. Leave one of the two out.',
  )
}

function readRules(key: 'tools' | 'withoutAllowedTools', rules: readonly string[]): readonly ToolRule[] {
  const result = parseAllowedTools(rules)
  if (result.ok) return Object.freeze([...result.rules])
  throw new TypeError(`\`admit.${key}\` holds ${quote(result.rule)}, which ${result.problem}. ${result.hint}.`)
}

/** Endings of documents, data, pictures, sounds, fonts and plain templates: what no interpreter runs by itself. */
const DATA: ReadonlySet<string> = new Set(
  (
    'md markdown txt text rst adoc tex bib csv tsv json jsonl json5 yaml yml toml xml xsd dtd ini cfg conf properties ' +
    'log pdf docx xlsx pptx odt ods odp epub rtf png jpg jpeg gif webp avif bmp ico tif tiff heic mp3 wav ogg flac mp4 ' +
    'webm mov ttf otf woff woff2 css hbs mustache j2 jinja liquid tmpl proto graphql avsc lock po'
  ).split(' '),
)

/** Files without an ending that are documents by convention. */
const DOCUMENTS: ReadonlySet<string> = new Set(
  'license licence notice readme changelog authors contributors copying version .gitignore .gitattributes .gitkeep .placeholder'.split(
    ' ',
  ),
)

/** Whether a file is certainly not meant to be run: by its name, and no run bit. An unknown ending is not certain. */
function isDataFile({ path, executable }: { readonly path: string; readonly executable: boolean }): boolean {
  if (executable) return false
  const name = path.split('/').at(-1)!.toLowerCase()
  const dot = name.lastIndexOf('.')
  return DOCUMENTS.has(name) || (dot > 0 && DATA.has(name.slice(dot + 1)))
}
