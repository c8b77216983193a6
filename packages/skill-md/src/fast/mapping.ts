import type { Profile } from '../ports/manifest.ts'
import type { Fault, Report } from '../diagnostics.ts'
import type { PlainYamlResult } from './plain-yaml.ts'
import { excerpt } from '../text/hidden.ts'
import { leaveOut, type LeftOut, repairLine, type Repair } from '../yaml/repair.ts'
import { describeType, type YamlMap, type YamlReader } from '../yaml/tree.ts'

/** More errors of this kind in one frontmatter are not a slip, so they are not repaired. */
const MAX_REPAIRS = 8

/**
 * The most colons in all repaired values together. For the full reader each colon adds a level, on the lines below too,
 * until it refuses the depth; with this many it never does.
 */
const MAX_COLONS = 8

/** Returns the same tree as full YAML, or none. */
export type PlainYamlReader = (text: string, firstLine: number) => PlainYamlResult

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
  readPlain: PlainYamlReader,
  readYaml: YamlReader | undefined,
): MappingResult {
  const plain = readPlain(text, line)
  if (plain !== undefined && 'root' in plain) return plain
  // In `lenient` the full reader finds what can be read all the same.
  if (plain !== undefined && 'fault' in plain && profile !== 'lenient') {
    return { root: report.error(plain.fault.code, plain.fault) }
  }
  const repaired =
    plain !== undefined && 'faultLine' in plain
      ? repairPlainly(text, line, profile, plain.faultLine, readPlain)
      : undefined
  if (repaired !== undefined) {
    reportRepairs(repaired.repairs, line, report)
    return repaired
  }
  return readYaml === undefined ? { needs: 'yaml' } : { root: readFully(text, line, profile, report, readYaml) }
}

/**
 * Repairs without the full reader. What needs repair is certain; only the wording of the full reader's error is not known
 * here, so `strict`, which reports it, returns undefined.
 */
function repairPlainly(
  text: string,
  line: number,
  profile: Profile,
  firstFault: number,
  readPlain: PlainYamlReader,
): { readonly root: YamlMap; readonly repairs: readonly Repair[] } | undefined {
  if (profile === 'strict') return undefined
  const repairs: Repair[] = []
  let current = text
  let colons = 0
  for (let faultLine = firstFault; repairs.length < MAX_REPAIRS;) {
    const repair = repairLine(current, faultLine - line)
    if (repair === undefined || (colons += repair.colons) > MAX_COLONS) return undefined
    repairs.push(repair)
    current = repair.text
    const result = readPlain(current, line)
    if (result === undefined || 'fault' in result) return undefined
    if ('root' in result) return { root: result.root, repairs }
    ;({ faultLine } = result)
  }
  return undefined
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
    const hint = first === undefined ? fault!.hint : `Put the value of "${first.key}" in quotes: it ${first.reason}.`
    return report.error(fault!.code, { ...fault!, ...(hint === undefined ? {} : { hint }) })
  }
  reportRepairs(repairs, line, report)
  for (const { key, line: offset } of leftOut) {
    const message = `The field ${excerpt(key)} cannot be read as YAML, and was left out. All others were read.`
    report.warning('FIELD_LEFT_OUT', {
      line: line + offset,
      message,
      hint: 'Mend it: indent with spaces, and quote text.',
    })
  }
  if (result.root.kind === 'map') return result.root
  const message = `The frontmatter is ${describeType(result.root)}, not a mapping of fields.`
  return report.error('YAML_NOT_MAPPING', { line, message, hint: 'Write one "field: value" on each line.' })
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
  while ('fault' in result && REPAIRED_CODES.has(result.fault.code) && repairs.length < MAX_REPAIRS) {
    const { code, line: faultLine = line } = result.fault
    const repair = repairLine(repairs.at(-1)?.text ?? text, faultLine - line, code === 'YAML_ALIAS')
    if (repair === undefined) break
    repairs.push(repair)
    result = readYaml(repair.text, line)
  }
  return { result, repairs, fault }
}

/** Emphasis, `*word* and more`, is taken for an alias. */
const REPAIRED_CODES: ReadonlySet<string> = new Set(['YAML_INVALID', 'YAML_ALIAS'] satisfies Fault['code'][])

function reportRepairs(repairs: readonly Repair[], line: number, report: Report): void {
  for (const { key, line: offset, reason } of repairs) {
    const message = `The value of "${key}" ${reason}. It was read as text.`
    report.warning('YAML_REPAIRED', { line: line + offset, message, hint: 'Put it in quotes.' })
  }
}
