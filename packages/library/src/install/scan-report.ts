import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * What a scanner decides. `passed`: nothing speaks against it. `caution`: a person should look at the findings.
 * `refused`: it must not be installed. `failed`: there is no answer.
 */
export type ScanVerdict = 'passed' | 'caution' | 'refused' | 'failed'

/** One finding of a scanner, in its own words. */
export interface ScanFinding {
  readonly level: 'error' | 'warning' | 'note'
  /** The scanner's name of the rule. */
  readonly rule: string
  readonly message: string
  /** Relative to the skill's folder. */
  readonly file?: string
  readonly line?: number
}

/** A scanner's report on one skill. */
export interface ScanReport {
  /** As it calls itself, or else the name of its program. */
  readonly scanner: string
  readonly version?: string
  readonly verdict: ScanVerdict
  readonly findings: readonly ScanFinding[]
}

/** What a report is read with: the skill's folder, and what the scanner is called if it does not say. */
interface ReportContext {
  readonly folder: string
  readonly scanner: string
}

/** Reads SARIF 2.1.0 or the JSON of SkillSpector. Returns the reason if it is neither, or without a verdict. */
export function readReport(bytes: Uint8Array, context: ReportContext): ScanReport | string {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return bytes.length === 0 ? 'it wrote no report on its standard output' : 'what it wrote is not JSON'
  }
  const report = mapping(value)
  if (Array.isArray(report['runs'])) return readSarif(report['runs'].map(mapping), context)
  if ('risk_assessment' in report) return readSkillSpector(report, context)
  return 'what it wrote is neither SARIF nor the JSON of SkillSpector'
}

const VERDICTS: ReadonlyMap<unknown, ScanVerdict> = new Map([
  ['SAFE', 'passed'],
  ['CAUTION', 'caution'],
  ['DO_NOT_INSTALL', 'refused'],
])
const SEVERITIES: ReadonlyMap<unknown, ScanFinding['level']> = new Map([
  ['CRITICAL', 'error'],
  ['HIGH', 'error'],
  ['MEDIUM', 'warning'],
])

function readSkillSpector(report: Mapping, { folder, scanner }: ReportContext): ScanReport | string {
  const verdict = VERDICTS.get(mapping(report['risk_assessment'])['recommendation'])
  if (verdict === undefined) return 'its report has no verdict (`recommendation`)'
  const version = textOf(mapping(report['metadata'])['skillspector_version'])
  const findings = listOf(report['issues']).map((issue): ScanFinding => {
    const { file, start_line: line } = mapping(issue['location'])
    return {
      level: SEVERITIES.get(issue['severity']) ?? 'note',
      rule: textOf(issue['id']) ?? '',
      message: textOf(issue['explanation']) ?? textOf(issue['pattern']) ?? textOf(issue['category']) ?? '',
      ...placeOf(file, line, folder),
    }
  })
  return { scanner: version === undefined ? scanner : 'SkillSpector', ...(version && { version }), verdict, findings }
}

function readSarif(runs: readonly Mapping[], { folder, scanner }: ReportContext): ScanReport | string {
  const drivers = runs.map((run) => mapping(mapping(run['tool'])['driver']))
  const [driver] = drivers
  if (driver === undefined) return 'its report has no verdict (no `runs`)'
  const hasFailed = runs.some((run) =>
    listOf(run['invocations']).some(({ executionSuccessful }) => executionSuccessful === false),
  )
  if (hasFailed) return 'its report says that it failed (`executionSuccessful`)'
  if (runs.some(({ results }) => !Array.isArray(results))) return 'its report has no verdict (no `results`)'
  const findings = runs.flatMap((run, index) => {
    const levels = new Map(
      listOf(drivers[index]!['rules']).map((rule) => [rule['id'], mapping(rule['defaultConfiguration'])['level']]),
    )
    return listOf(run['results']).flatMap((result): readonly ScanFinding[] => {
      const level = result['level'] ?? levels.get(result['ruleId']) ?? 'warning'
      // SARIF 2.1.0, 3.27.9 and 3.27.23: a result of another kind is no failure, and a suppressed one was judged.
      const isFailure = (result['kind'] ?? 'fail') === 'fail' && level !== 'none'
      if (!isFailure || listOf(result['suppressions']).length > 0) return []
      const place = mapping(mapping(listOf(result['locations'])[0])['physicalLocation'])
      return [
        {
          level: level === 'error' || level === 'note' ? level : 'warning',
          rule: textOf(result['ruleId']) ?? '',
          message: textOf(mapping(result['message'])['text']) ?? '',
          ...placeOf(mapping(place['artifactLocation'])['uri'], mapping(place['region'])['startLine'], folder),
        },
      ]
    })
  })
  const version = textOf(driver['version']) ?? textOf(driver['semanticVersion'])
  const has = (level: ScanFinding['level']): boolean => findings.some((finding) => finding.level === level)
  return {
    scanner: textOf(driver['name']) ?? scanner,
    ...(version && { version }),
    verdict: has('error') ? 'refused' : has('warning') ? 'caution' : 'passed',
    findings,
  }
}

/** A place as the skill's own path: its folder while it is scanned is gone afterwards. */
function placeOf(file: unknown, line: unknown, folder: string): Pick<ScanFinding, 'file' | 'line'> {
  if (typeof file !== 'string' || file === '') return {}
  let path = file
  try {
    path = file.startsWith('file:') ? fileURLToPath(file) : decodeURIComponent(file)
  } catch {
    // It is shown as it was written.
  }
  const inside = path.startsWith(folder + sep) ? relative(folder, path) : path
  return { file: inside, ...(typeof line === 'number' && { line }) }
}

type Mapping = Readonly<Record<string, unknown>>

function mapping(value: unknown): Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Mapping) : {}
}

function listOf(value: unknown): readonly Mapping[] {
  return Array.isArray(value) ? value.map(mapping) : []
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
