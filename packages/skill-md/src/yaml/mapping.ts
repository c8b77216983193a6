import type { Fault, Report } from '../diagnostics.ts'
import type { Profile } from '../ports/manifest.ts'
import { quote } from '../text/escape.ts'
import { nameCodePoint } from '../text/hidden.ts'
import { readPlainYaml } from './plain.ts'
import { leaveOut, type LeftOut, type Repair, repairLine } from './repair.ts'
import { describeType, type YamlMap, type YamlReader } from './tree.ts'

/** More errors of this kind in one frontmatter are not a slip, so they are not repaired. */
const MAX_REPAIRS = 8

/** The fields; or an undefined `root` if an error was reported; or what must be loaded first, with nothing reported. */
type MappingResult = { readonly root: YamlMap | undefined } | { readonly needs: 'yaml' }

/**
 * Reads a frontmatter's fields and repairs values that can have only one meaning.
 * @param line the file's line on which `text` begins, 1-based
 * @param readYaml undefined: it is not loaded yet
 */
export function readMapping(
  text: string,
  line: number,
  profile: Profile,
  report: Report,
  readYaml: YamlReader | undefined,
): MappingResult {
  const root = readPlainYaml(text, line)
  if (root !== undefined) return { root }
  return readYaml === undefined ? { needs: 'yaml' } : { root: readFully(text, line, profile, report, readYaml) }
}

function readFully(
  text: string,
  line: number,
  profile: Profile,
  report: Report,
  readYaml: YamlReader,
): YamlMap | undefined {
  let { result, repairs, fault } = readRepaired(text, line, readYaml)
  let leftOut: readonly LeftOut[] = []
  if (fault !== undefined && profile === 'lenient' && fault.code === 'YAML_INVALID') {
    const isBroken = (block: string): boolean => 'fault' in readRepaired(block, 1, readYaml).result
    const rest = leaveOut(text, isBroken)
    const reread = rest && readRepaired(rest.text, line, readYaml)
    if (reread !== undefined && !('fault' in reread.result)) {
      ;({ result, repairs } = reread)
      ;({ leftOut } = rest!)
    }
  }
  if ('fault' in result || (profile === 'strict' && repairs.length > 0)) {
    const [first] = repairs
    const hint =
      first === undefined
        ? (strangeBlank(text) ?? fault!.hint)
        : `Put the value of "${first.key}" in quotes: it ${first.reason}.`
    return report.error(fault!.code, { ...fault!, hint })
  }
  for (const { key, line: offset, reason } of repairs) {
    const message = `The value of "${key}" ${reason}. It was read as text.`
    report.warning('YAML_REPAIRED', { line: line + offset, message, hint: 'Put it in quotes.' })
  }
  for (const { key, line: offset } of leftOut) {
    const message = `The field ${quote(key)} cannot be read as YAML, and was left out. All others were read.`
    const hint = 'Mend it: indent with spaces, and quote text.'
    report.warning('FIELD_LEFT_OUT', { line: line + offset, message, hint })
  }
  if (result.root.kind === 'map') return result.root
  const message = `The frontmatter is ${describeType(result.root)}, not a mapping of fields.`
  const hint = strangeBlank(text) ?? 'Write one "field: value" on each line.'
  return report.error('YAML_NOT_MAPPING', { line, message, hint })
}

/** The remedy if a blank that is not a space to YAML follows a field's colon. */
function strangeBlank(text: string): string | undefined {
  const [, key, blank] = /^ *([\w.-]+):(?! )(\p{Zs})/mu.exec(text) ?? []
  if (key === undefined || blank === undefined) return undefined
  return `Write a plain space behind "${key}:", in place of ${nameCodePoint(blank)} (a no-break space or the like).`
}

/** Reads with repairs. `fault` is the first one, before any repair. */
function readRepaired(
  text: string,
  line: number,
  readYaml: YamlReader,
): {
  readonly result: ReturnType<YamlReader>
  readonly repairs: readonly Repair[]
  readonly fault: Fault | undefined
} {
  const repairs: Repair[] = []
  let result = readYaml(text, line)
  const fault = 'fault' in result ? result.fault : undefined
  while ('fault' in result && repairs.length < MAX_REPAIRS) {
    const { code, line: faultLine = line } = result.fault
    // Emphasis, `*word* and more`, is taken for an alias.
    if (code !== 'YAML_INVALID' && code !== 'YAML_ALIAS') break
    const repair = repairLine(repairs.at(-1)?.text ?? text, faultLine - line, code === 'YAML_ALIAS')
    if (repair === undefined) break
    repairs.push(repair)
    result = readYaml(repair.text, line)
  }
  return { result, repairs, fault }
}
