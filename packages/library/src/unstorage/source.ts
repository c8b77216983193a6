import {
  anyText,
  checkOptions,
  layerKind,
  required,
  text,
  type OptionTable,
  withDefault,
  withMethods,
} from '@repertoire/core/options'
import { isSkillError, SkillError } from '@repertoire/core'
import type { Diagnostic, Layer, SkillSource, SkillVisitor } from '@repertoire/core'
import { checkResource } from '@repertoire/core/stores'
import { storageFolder, createListedValues, type ListedValues } from './folder.ts'
import { sortKeys, type StoredKeys, type UnusableKey } from './keys.ts'
import { readValue, type UnstorageReader } from './reader.ts'

/** Options of `unstorageSource`. */
export interface UnstorageSourceOptions {
  /** A driver, or a storage made with one. */
  readonly storage: UnstorageReader
  /** How far its skills are trusted. The host chooses it, since skills do not show that. Default `project`. */
  readonly layer?: Layer | undefined
  /** The source's id, part of every location: `unstorage:<id>/<skill>`. Default `unstorage`. */
  readonly id?: string | undefined
  /** The keys below which the skills are, as `skills` in `skills:pdf:SKILL.md`. Default: all keys. */
  readonly base?: string | undefined
}

const OPTIONS: OptionTable<UnstorageSourceOptions> = {
  storage: required(withMethods('a driver or a storage of unstorage', 'getKeys', 'getItem')),
  layer: withDefault('project', layerKind),
  id: withDefault('unstorage', text),
  base: withDefault('all keys', anyText),
}

/** Values that are asked for at once. */
const MAX_READS = 16

/** The most skills of a storage that are read. */
const MAX_SKILLS = 10_000

/**
 * Returns a source of skills in any storage that `unstorage` has a driver for: `<base>:<skill>:SKILL.md` and what is beside
 * it. It only reads. Keys that no file can have, and values that are neither text nor bytes, are diagnostics; no mode is
 * kept, so that no file is executable.
 * @throws {TypeError} an option is unknown or has the wrong type, or the storage cannot be read from
 */
export function unstorageSource(options: UnstorageSourceOptions): SkillSource {
  checkOptions('unstorageSource', OPTIONS, options, 'unstorageSource({ storage })')
  const { storage, layer = 'project', id = 'unstorage', base = '' } = options
  const clean = base.replaceAll(/^[:/\\]+|[:/\\]+$/g, '')
  const root = `unstorage:${id}`
  const listed = createListedValues()
  return {
    id: root,
    layer,
    async scan(visitor) {
      const keys = await storage.getKeys(clean, {})
      const { skills, unusable } = sortKeys(keys, clean)
      const broken = new Set<string>()
      const report = (key: UnusableKey): void => {
        if (key.folderName !== undefined) broken.add(key.folderName)
        visitor.diagnostic(unusableKey(root, key))
      }
      unusable.forEach(report)
      const found = skills.filter((skill) => skill.files.has('SKILL.md') && !broken.has(skill.folderName))
      const named = found.filter((skill) => {
        const problem = nameProblem(skill)
        if (problem !== undefined) report(problem)
        return problem === undefined
      })
      if (skills.length === 0 && unusable.length === 0) visitor.diagnostic(withoutSkills(root, clean))
      if (named.length > MAX_SKILLS) visitor.diagnostic(tooMany(root, named.length))
      for (let from = 0; from < Math.min(named.length, MAX_SKILLS); from += MAX_READS) {
        const some = named.slice(from, Math.min(from + MAX_READS, MAX_SKILLS))
        const manifests = await Promise.all(some.map(({ files }) => settled(storage, files.get('SKILL.md')!)))
        for (const [index, skill] of some.entries()) visit(visitor, root, skill, manifests[index], { storage, listed })
      }
    },
  }
}

/** One value that cannot be read does not end the scan. */
async function settled(storage: UnstorageReader, key: string): Promise<Uint8Array | string> {
  try {
    const value = await readValue(storage, key)
    if (value === undefined) return 'There is no value any more.'
    return 'not' in value ? `It is ${value.not}, and a file is text or bytes.` : value
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function visit(
  visitor: SkillVisitor,
  root: string,
  skill: StoredKeys,
  manifest: Uint8Array | string | undefined,
  { storage, listed }: { readonly storage: UnstorageReader; readonly listed: ListedValues },
): void {
  const { folderName } = skill
  const location = `${root}/${folderName}`
  const path = `${location}/SKILL.md`
  if (!(manifest instanceof Uint8Array)) {
    const message = `The manifest cannot be read. ${manifest ?? ''}`.trim()
    visitor.diagnostic({ code: 'MANIFEST_UNREADABLE', severity: 'error', path, message })
    return
  }
  const folder = storageFolder(location, skill, storage, listed)
  const head = (length: number): Uint8Array => manifest.subarray(0, length)
  const hasAgentFile = skill.files.has('agents/openai.yaml')
  visitor.skill({ folder, folderName, path, fileName: 'SKILL.md', size: manifest.length, head, hasAgentFile })
}

/** A file that no folder could have: what it is called is judged as where skills are stored in folders. */
function nameProblem({ folderName, files }: StoredKeys): UnusableKey | undefined {
  for (const [path, key] of files) {
    try {
      checkResource(folderName, path, { bytes: new Uint8Array() }, true)
    } catch (error) {
      if (!isSkillError(error)) throw error
      return { key, folderName, reason: reasonOf(error) }
    }
  }
  return undefined
}

function reasonOf(error: SkillError): string {
  return error.code === 'RESOURCE_PATH_INVALID' ? 'not every system can have a file of that name' : error.message
}

function unusableKey(root: string, { key, folderName, reason }: UnusableKey): Diagnostic {
  return {
    code: 'KEY_UNUSABLE',
    severity: folderName === undefined ? 'warning' : 'error',
    path: `${root}/${folderName ?? ''}`,
    message: `The key ${JSON.stringify(key)} is not read: ${reason}.`,
    hint: folderName === undefined ? 'Rename it.' : 'Rename it. Its skill is not loaded as long as it is there.',
  }
}

function withoutSkills(root: string, base: string): Diagnostic {
  const where = base === '' ? 'The storage' : `The storage, below ${JSON.stringify(base)},`
  const message = `${where} holds no skill.`
  const hint = 'Check `storage` and `base`: skills are values such as `pdf:SKILL.md` below it.'
  return { code: 'ROOT_WITHOUT_SKILLS', severity: 'warning', path: root, message, hint }
}

function tooMany(root: string, count: number): Diagnostic {
  const message = `The storage holds ${count} skills, and ${MAX_SKILLS} are the most that are read.`
  return { code: 'SCAN_FOLDERS_REACHED', severity: 'warning', path: root, message, hint: 'Give a `base`.' }
}
