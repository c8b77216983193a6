import type { Profile } from '../ports/manifest.ts'
import type { Report } from '../diagnostics.ts'
import { findUnseen, nameCodePoint, excerpt } from '../text/hidden.ts'
import type { TextShape } from './field.ts'
import { unicodeExpression } from '../text/escape.ts'
import { describeType, readText, type YamlNode } from '../yaml/tree.ts'
import { MAX_NAME_CHARS } from '../ports/limits.ts'
import { normalForm } from '../text/normal-form.ts'

/** File systems do not accept longer folder names. */
const MAX_FOLDER_NAME_CHARS = 255

const PORTABLE = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const ASCII = /^[\0-\x7F]*$/
const DEVICES = String.raw`(?:con|prn|aux|nul|com\d|lpt\d)`
/** A portable name that meets every rule, except perhaps the length. */
const PLAIN_NAME = new RegExp(`^(?!${DEVICES}$)[a-z0-9]+(?:-[a-z0-9]+)*$`)
/** Both cases spelled out: for the flag `i` the engine loads tables. */
const DEVICE = /^(?:[Cc][Oo][Nn]|[Pp][Rr][Nn]|[Aa][Uu][Xx]|[Nn][Uu][Ll]|[Cc][Oo][Mm]\d|[Ll][Pp][Tt]\d)(?:\.|$)/
/** A lowercase letter, a letter without case, or a digit. */
const LOWER = String.raw`[\p{Ll}\p{Lm}\p{Lo}\p{N}]`

/** The name in the Agent Skills specification; "unicode lowercase alphanumeric" means the same as in its library. */
export const NAME = {
  kind: 'text',
  min: 1,
  max: MAX_NAME_CHARS,
  pattern: `^(?!${DEVICES}$)${LOWER}+(?:-${LOWER}+)*$`,
  normalized: 'NFKC',
} as const satisfies TextShape
const SEPARATORS = unicodeExpression(String.raw`[^\p{L}\p{M}\p{N}]+`, 'gu')
const WORDS_AND_SLASHES = unicodeExpression(String.raw`^[\p{L}\p{N}][^/\\]*(?:/[\p{L}\p{N}][^/\\]*)+$`)
const INVALID_CHARACTER = unicodeExpression(String.raw`[^\p{L}\p{N}-]`)
const LOOKALIKE_SCRIPTS = ['Latin', 'Cyrillic', 'Greek'] as const

/** What the rules for a name depend on besides the name. */
interface NameContext {
  readonly line: number
  /** Absent: not compared. */
  readonly folderName?: string | undefined
  readonly profile: Profile
  readonly report: Report
}

/**
 * Reads the name by the Agent Skills specification: 1 to 64 lowercase letters, digits and single inner hyphens after
 * NFKC, equal to the folder's name. The profile decides about a deviation: `strict` refuses it, `default` keeps the name
 * with a warning, `lenient` normalises it. A name that could be taken for a path, a device or a different name is
 * refused in every profile.
 */
export function readName(node: YamlNode, context: NameContext): string | undefined {
  const { line, folderName, profile, report } = context
  const written = readText(node)
  // Most names meet every rule; then only the folder's name has to be compared.
  if (written !== undefined && written.length <= NAME.max && PLAIN_NAME.test(written)) {
    if (folderName !== undefined && folderName !== written) compareWithFolder(written, folderName, context)
    return written
  }
  if (written === undefined) {
    if (node.kind === 'scalar' && node.source === '') {
      return report.error('NAME_MISSING', { line, message: 'The name is empty.', hint: nameHint(folderName) })
    }
    const message = `The name is ${describeType(node)}, not text.`
    return report.error('FIELD_TYPE', { line, message, hint: quoteHint(node) })
  }
  const trimmed = written.trim()
  if (trimmed === '') {
    return report.error('NAME_MISSING', { line, message: 'The name is empty.', hint: nameHint(folderName) })
  }
  const name = toNfkc(trimmed)
  const danger = findDanger(trimmed, name, profile)
  if (danger !== undefined) {
    const message = `The name ${excerpt(trimmed)} ${danger}.`
    return report.error('NAME_UNSAFE', { line, message, hint: nameHint(folderName) })
  }
  if (name !== trimmed && name !== normalForm(trimmed, 'NFC')) {
    const message = `The name ${excerpt(trimmed)} is read as ${excerpt(name)}.`
    report.warning('NAME_NORMALIZED', { line, message, hint: nameHint(folderName) })
  }
  const normalized = normalizeName(name)
  if (normalized === '') {
    // Nothing is left to call it by, in any profile.
    const message = `The name ${excerpt(name)} holds no letter and no digit.`
    return report.error('NAME_MISSING', { line, message, hint: 'Use lowercase letters, digits and single hyphens.' })
  }
  const accepted = profile === 'lenient' ? normalize(name, normalized, context) : checkPattern(name, context)
  checkLength(accepted, context)
  checkPortability(accepted, context)
  if (folderName !== undefined) compareWithFolder(accepted, folderName, context)
  return accepted
}

function nameHint(folderName = 'my-skill'): string {
  return `Write "name: ${normalizeName(folderName)}".`
}

function compareWithFolder(name: string, folderName: string, { line, report }: NameContext): void {
  if (name === toNfkc(folderName)) return
  const message = `The name is ${excerpt(name)}, and the folder is ${excerpt(folderName)}.`
  report.deviation('NAME_FOLDER_MISMATCH', { line, message, hint: 'Give both the same name.' })
}

/**
 * Returns a name as a stable id: NFKC, lowercase, with everything except letters, marks and digits turned into single
 * inner hyphens. Normalising twice changes nothing. Empty if nothing is left.
 */
export function normalizeName(name: string): string {
  if (ASCII.test(name))
    return name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '')
  const lower = normalForm(normalForm(name, 'NFKC').toLowerCase(), 'NFKC')
  return lower.replaceAll(SEPARATORS(), '-').replaceAll(/^-|-$/g, '')
}

/** ASCII, which nearly all names are, is already in NFKC. */
function toNfkc(text: string): string {
  return ASCII.test(text) ? text : normalForm(text, 'NFKC')
}

/** Returns the number of code points in a text. */
export function countCodePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

function findDanger(trimmed: string, name: string, profile: Profile): string | undefined {
  const unseen = findUnseen(trimmed) ?? findUnseen(name)
  if (unseen !== undefined) return `holds ${unseen}, which is not shown`
  if (/^\.+$/.test(name)) return 'is a relative path'
  // `kit/ios` becomes `kit-ios` in `lenient`; a path that is absolute or holds `..` is never accepted.
  if (/[/\\]/.test(name) && !(profile === 'lenient' && WORDS_AND_SLASHES().test(name))) return 'holds a path separator'
  if (DEVICE.test(name)) return 'names a device on Windows'
  return undefined
}

/** Whether a name meets the standard's pattern. An ASCII name does exactly if it is portable. */
function isStandard(name: string): boolean {
  return PORTABLE.test(name) || (!ASCII.test(name) && new RegExp(NAME.pattern, 'u').test(name))
}

function checkPattern(name: string, { line, report }: NameContext): string {
  if (!isStandard(name)) {
    const message = `The name ${excerpt(name)} ${describeDeviation(name)}.`
    report.deviation('NAME_PATTERN', { line, message, hint: `Write "name: ${normalizeName(name)}".` })
  }
  return name
}

function describeDeviation(name: string): string {
  const invalid = (ASCII.test(name) ? /[^A-Za-z0-9-]/ : INVALID_CHARACTER()).exec(name)
  if (invalid !== null) return `holds ${invalid[0] === ' ' ? 'a space' : excerpt(invalid[0])}`
  if (name !== name.toLowerCase()) return 'holds uppercase letters'
  return name.includes('--') ? 'holds two hyphens in a row' : 'begins or ends with a hyphen'
}

function normalize(name: string, normalized: string, { line, report }: NameContext): string {
  if (normalized !== name) {
    const message = `The name ${excerpt(name)} is read as ${excerpt(normalized)}.`
    report.warning('NAME_NORMALIZED', { line, message, hint: `Write "name: ${normalized}".` })
  }
  return normalized
}

function checkLength(name: string, { line, report }: NameContext): void {
  const length = countCodePoints(name)
  if (length <= NAME.max) return
  const finding = { line, message: `The name has ${length} characters of at most ${NAME.max}.`, hint: 'Shorten it.' }
  if (length > MAX_FOLDER_NAME_CHARS) report.error('NAME_TOO_LONG', finding)
  else report.deviation('NAME_TOO_LONG', finding)
}

function checkPortability(name: string, { line, report }: NameContext): void {
  if (ASCII.test(name)) return
  const nonAscii = /[^\0-\x7F]/u.exec(name)
  if (nonAscii === null) return
  const scripts = LOOKALIKE_SCRIPTS.filter((script) => new RegExp(`\\p{Script=${script}}`, 'u').test(name))
  if (scripts.length > 1) {
    const message = `The name ${excerpt(name)} mixes ${scripts.join(' and ')} letters, which look alike.`
    report.warning('NAME_MIXED_SCRIPTS', { line, message, hint: 'Use letters of one alphabet.' })
  } else {
    const message = `The name ${excerpt(name)} holds ${nameCodePoint(nonAscii[0])}, which not every client accepts.`
    report.warning('NAME_NOT_PORTABLE', { line, message, hint: 'Use a to z, 0 to 9 and hyphens.' })
  }
}

/** Returns a hint on how to turn a value that YAML reads as another type into text. */
export function quoteHint(node: YamlNode): string {
  return node.kind === 'scalar' ? `If text is meant, put it in quotes: "${node.source}".` : 'Write text.'
}
