import { nameCodePoint, findUnseen, unicodeExpression } from '../text/hidden.ts'
import { quote } from '../text/escape.ts'
import type { FieldContext } from './field.ts'
import { countCodePoints, quoteHint } from './field-value.ts'
import { describeType, readText, type YamlNode } from '../yaml/tree.ts'
import { MAX_NAME_CHARS } from '../ports/limits.ts'
import { normalForm } from '../text/normal-form.ts'

/** File systems do not accept longer folder names. */
const MAX_FOLDER_NAME_CHARS = 255

const ASCII = /^[\0-\x7F]*$/
const DEVICES = String.raw`(?:con|prn|aux|nul|com\d|lpt\d)`
/** A portable name that meets every rule, except perhaps the length. */
const PLAIN_NAME = new RegExp(`^(?!${DEVICES}$)[a-z0-9]+(?:-[a-z0-9]+)*$`)
/** A lowercase letter, a letter without case, or a digit. */
const LOWER = String.raw`[\p{Ll}\p{Lm}\p{Lo}\p{N}]`

/** The name in the Agent Skills specification; "unicode lowercase alphanumeric" means the same as in its library. */
export const NAME_PATTERN = `^(?!${DEVICES}$)${LOWER}+(?:-${LOWER}+)*$`
const SEPARATORS = unicodeExpression(String.raw`[^\p{L}\p{M}\p{N}]+`, 'gu')
const WORDS_AND_SLASHES = unicodeExpression(String.raw`^[\p{L}\p{N}][^/\\]*(?:/[\p{L}\p{N}][^/\\]*)+$`)

/**
 * Reads the name by the Agent Skills specification: 1 to 64 lowercase letters, digits and single inner hyphens after
 * NFKC, equal to the folder's name. The profile decides about a deviation: `strict` refuses it, `default` keeps the
 * name with a warning, `lenient` normalises it. A name that could be taken for a path, a device or a different name is
 * refused in every profile.
 */
export function readName(node: YamlNode, context: FieldContext): string | undefined {
  const { line, folderName, profile, report } = context
  const written = readText(node)
  // Most names meet every rule; then only the folder's name has to be compared.
  if (written !== undefined && written.length <= MAX_NAME_CHARS && PLAIN_NAME.test(written)) {
    if (folderName !== undefined && folderName !== written) compareWithFolder(written, folderName, context)
    return written
  }
  const trimmed = node.kind === 'scalar' && node.source === '' ? '' : written?.trim()
  if (trimmed === undefined) {
    const message = `The name is ${describeType(node)}, not text.`
    return report.error('FIELD_TYPE', { line, message, hint: quoteHint(node) })
  }
  const hint = `Write "name: ${normalizeName(folderName ?? 'my-skill')}".`
  const name = toNfkc(trimmed)
  const danger = findDanger(trimmed, name, profile === 'lenient')
  if (danger !== undefined) {
    return report.error('NAME_UNSAFE', { line, message: `The name ${quote(trimmed)} ${danger}.`, hint })
  }
  const normalized = normalizeName(name)
  if (normalized === '') {
    // Nothing is left to call it by, in any profile.
    const message = name === '' ? 'The name is empty.' : `The name ${quote(name)} holds no letter and no digit.`
    return report.error('NAME_MISSING', { line, message, hint })
  }
  const accepted = profile === 'lenient' ? normalized : name
  if (accepted !== trimmed && accepted !== normalForm(trimmed, 'NFC')) {
    const message = `The name ${quote(trimmed)} is read as ${quote(accepted)}.`
    report.warning('NAME_NORMALIZED', { line, message, hint: `Write "name: ${accepted}".` })
  }
  if (profile !== 'lenient' && !isStandard(name)) {
    const message = `The name ${quote(name)} holds more than lowercase letters, digits and single inner hyphens.`
    report.deviation('NAME_PATTERN', { line, message, hint: `Write "name: ${normalized}".` })
  }
  const length = countCodePoints(accepted)
  if (length > MAX_NAME_CHARS) {
    const message = `The name has ${length} characters of at most ${MAX_NAME_CHARS}.`
    report[length > MAX_FOLDER_NAME_CHARS ? 'error' : 'deviation']('NAME_TOO_LONG', {
      line,
      message,
      hint: 'Shorten it.',
    })
  }
  if (!ASCII.test(accepted)) {
    const character = nameCodePoint(/[^\0-\x7F]/u.exec(accepted)![0])
    const message = `The name ${quote(accepted)} holds ${character}, which not every client accepts.`
    report.warning('NAME_NOT_PORTABLE', { line, message, hint: 'Use a to z, 0 to 9 and hyphens.' })
  }
  if (folderName !== undefined) compareWithFolder(accepted, folderName, context)
  return accepted
}

function compareWithFolder(name: string, folderName: string, { line, report }: FieldContext): void {
  if (name === toNfkc(folderName)) return
  const message = `The name is ${quote(name)}, and the folder is ${quote(folderName)}.`
  report.deviation('NAME_FOLDER_MISMATCH', { line, message, hint: 'Give both the same name.' })
}

/**
 * Returns a name as a stable id: NFKC, lowercase, with everything except letters, marks and digits turned into single
 * inner hyphens. Normalising twice changes nothing. Empty if nothing is left.
 */
export function normalizeName(name: string): string {
  const lower = ASCII.test(name) ? name.toLowerCase() : normalForm(normalForm(name, 'NFKC').toLowerCase(), 'NFKC')
  return lower.replaceAll(SEPARATORS(), '-').replaceAll(/^-|-$/g, '')
}

/** ASCII, which nearly all names are, is already in NFKC. */
function toNfkc(text: string): string {
  return ASCII.test(text) ? text : normalForm(text, 'NFKC')
}

function findDanger(trimmed: string, name: string, isLenient: boolean): string | undefined {
  const unseen = findUnseen(trimmed) ?? findUnseen(name)
  if (unseen !== undefined) return `holds ${unseen}, which is not shown`
  if (/^\.+$/.test(name)) return 'is a relative path'
  // `kit/ios` becomes `kit-ios` in `lenient`; a path that is absolute or holds `..` is never accepted.
  if (/[/\\]/.test(name) && !(isLenient && WORDS_AND_SLASHES().test(name))) return 'holds a path separator'
  return new RegExp(`^${DEVICES}(?:\\.|$)`).test(name.toLowerCase()) ? 'names a device on Windows' : undefined
}

/** Whether a name meets the standard's pattern. An ASCII name does exactly if it is portable. */
function isStandard(name: string): boolean {
  return PLAIN_NAME.test(name) || (!ASCII.test(name) && new RegExp(NAME_PATTERN, 'u').test(name))
}
