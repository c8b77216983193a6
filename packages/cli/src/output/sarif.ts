import type { Finding } from '../finding.ts'
import { createHash } from 'node:crypto'
import { isAbsolute, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Location, Log, ReportingDescriptor, Result, Run } from 'sarif'
import { toJson } from './json.ts'

/** What the report contains besides the findings. */
export interface SarifStyle {
  /** The folder that paths are relative to, as editors and code hosts want them. Absolute. */
  readonly folder: string
  /** The version of this command. */
  readonly version: string
  /** The meaning of each code. A missing code is used as its own description. */
  readonly meanings: Readonly<Record<string, string>>
}

const LEVELS = { error: 'error', warning: 'warning', info: 'note' } as const

/**
 * Findings as SARIF 2.1.0 (OASIS Static Analysis Results Interchange Format), which editors and code hosts read. The
 * rules are the codes that occur, and a finding keeps its fingerprint when lines move.
 */
export function toSarif(diagnostics: readonly Finding[], style: SarifStyle): string {
  const codes = [...new Set(diagnostics.map(({ code }) => code))].toSorted()
  const run: Run = {
    tool: {
      driver: {
        name: 'repertoire',
        version: style.version,
        rules: codes.map((code) => ruleOf(code, style.meanings)),
      },
    },
    // A folder's URI ends with a slash (SARIF 2.1.0, 3.14.14).
    originalUriBaseIds: { ROOT: { uri: `${pathToFileURL(style.folder).href.replace(/\/$/, '')}/` } },
    columnKind: 'utf16CodeUnits',
    results: diagnostics.map((diagnostic) => resultOf(diagnostic, codes, style.folder)),
  }
  const log: Log = { version: '2.1.0', $schema: 'https://json.schemastore.org/sarif-2.1.0.json', runs: [run] }
  return toJson(log)
}

function ruleOf(code: string, meanings: Readonly<Record<string, string>>): ReportingDescriptor {
  const text = Object.hasOwn(meanings, code) ? meanings[code]! : code
  return { id: code, shortDescription: { text } }
}

function resultOf(diagnostic: Finding, codes: readonly string[], folder: string): Result {
  const { code, severity, path, message, hint } = diagnostic
  const uri = uriOf(path, folder)
  return {
    ruleId: code,
    ruleIndex: codes.indexOf(code),
    level: LEVELS[severity],
    message: { text: hint === undefined ? message : `${message} ${hint}` },
    locations: [locationOf(uri, diagnostic.line)],
    // Without the line, so that a finding is the same one after an edit above it.
    partialFingerprints: {
      'repertoire/v1': createHash('sha256').update(`${code}\n${uri.uri}\n${message}`).digest('hex'),
    },
  }
}

function locationOf(artifactLocation: ReturnType<typeof uriOf>, line: number | undefined): Location {
  return { physicalLocation: { artifactLocation, ...(line === undefined ? {} : { region: { startLine: line } }) } }
}

/** Relative to the folder if the file is in it, otherwise an absolute file URI. */
function uriOf(path: string, folder: string): { readonly uri: string; readonly uriBaseId?: string } {
  const inside = relative(folder, path)
  const isOutside = inside === '' || inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)
  if (isOutside) return { uri: pathToFileURL(path).href }
  return { uri: inside.split(sep).map(encodeURIComponent).join('/'), uriBaseId: 'ROOT' }
}
